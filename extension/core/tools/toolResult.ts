import type { FileErrorCode } from "../ports/workspaceFiles";
import { boundText } from "./boundText";
import type { FileDigest, ToolErrorCode, ToolResult } from "./toolDef";
import type { WorkspacePath } from "./workspacePath";

/** A success, cut to fit when it is long. */
export function succeed(output: string, reads?: readonly FileDigest[]): ToolResult {
  const bounded = boundText(output);
  return {
    ok: true,
    output: bounded.text,
    ...(bounded.cut ? { fullOutput: output } : {}),
    ...(reads === undefined ? {} : { reads }),
  };
}

export function refuse(code: ToolErrorCode, message: string): ToolResult {
  const bounded = boundText(message);
  return { ok: false, code, message: bounded.text, ...(bounded.cut ? { fullOutput: message } : {}) };
}

const toolCodes: Record<FileErrorCode, ToolErrorCode> = {
  "not-found": "not-found",
  exists: "conflict",
  "is-directory": "refused",
  "not-a-file": "refused",
  changed: "changed-since-read",
  linked: "refused",
  "read-only": "refused",
  "too-large": "refused",
  "no-space": "failed",
  unsaved: "conflict",
  failed: "failed",
};

const fileSentences: Partial<Record<FileErrorCode, string>> = {
  "not-found": "there is no such file",
  exists: "a file of this name exists already",
  "is-directory": "this is a folder, not a file",
  "not-a-file": "this is not a regular file",
  changed: "the file changed since it was read; read it again",
  linked: "this is a link, or a file with more than one hard link: a change would show elsewhere too",
  "read-only": "the file or its folder is read-only",
  "no-space": "no space is left on the disk",
};

const adviceFor: Partial<Record<FileErrorCode, string>> = {
  "too-large": ": read_file shows parts of it, and a command can change it",
};

/** What a file port's failure is to a model, which knows the file by its path in the workspace. */
export function refuseFile(path: WorkspacePath, failure: { code: FileErrorCode; message: string }): ToolResult {
  const sentence = fileSentences[failure.code] ?? failure.message + (adviceFor[failure.code] ?? "");
  const isNamed = sentence.startsWith(path.absolute);
  return refuse(
    toolCodes[failure.code],
    isNamed ? path.relative + sentence.slice(path.absolute.length) : `${path.relative}: ${sentence}`,
  );
}
