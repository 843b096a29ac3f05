import type { FileErrorCode } from "../core/ports/workspaceFiles";

export interface FileFailure {
  ok: false;
  code: FileErrorCode;
  message: string;
}

export function failed(code: FileErrorCode, message: string): FileFailure {
  return { ok: false, code, message };
}

const meanings: Readonly<Record<string, readonly [FileErrorCode, string]>> = {
  ENOENT: ["not-found", "does not exist"],
  EEXIST: ["exists", "exists already"],
  EISDIR: ["is-directory", "is a folder"],
  ELOOP: ["linked", "is a symbolic link, or a loop of them"],
  EROFS: ["read-only", "is on a disk that is read-only"],
  ENOSPC: ["no-space", "does not fit on the disk any more"],
  EDQUOT: ["no-space", "does not fit into the disk quota any more"],
};

/** What the system said about `path`, as a value. A read that is forbidden is not called `read-only`. */
export function toFailure(error: unknown, path: string, act: "read" | "write" | "list"): FileFailure {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const meaning = Object.hasOwn(meanings, code) ? meanings[code] : undefined;
  if (meaning) return failed(meaning[0], `${path} ${meaning[1]}`);
  if (code === "EACCES" || code === "EPERM") {
    return failed(act === "write" ? "read-only" : "failed", `${path}: permission denied`);
  }
  if (code === "ENOTDIR") return toNotAFolder(path, act);
  return failed("failed", `${path}: ${error instanceof Error ? error.message : String(error)}`);
}

function toNotAFolder(path: string, act: "read" | "write" | "list"): FileFailure {
  if (act === "read") return failed("not-found", `${path} does not exist`);
  const what = act === "list" ? "is not a folder" : "has a parent that is not a folder";
  return failed("failed", `${path} ${what}`);
}
