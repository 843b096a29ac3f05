import type { WorkspacePath } from "./workspacePath";
import type { FileBytes, FileResult } from "../ports/workspaceFiles";
import type { ToolContext, ToolResult } from "./toolDef";
import { refuse } from "./toolResult";

/** Above this a file is not text to work on: search it, or read it with a command. */
const maxTextBytes = 20_000_000;

export function readForText(path: WorkspacePath, context: ToolContext): Promise<FileResult<FileBytes>> {
  return context.ports.files.read(path.absolute, maxTextBytes);
}

/** Why a present file may not be changed under what this run knows about it, or null. */
export function refuseStale(path: WorkspacePath, file: FileBytes, context: ToolContext): ToolResult | null {
  const seen = context.lastSeen(path.relative);
  if (seen !== undefined && seen !== file.digest) {
    return refuse("changed-since-read", `${path.relative}: the file changed since it was read; read it again`);
  }
  if (file.links > 1) {
    return refuse(
      "refused",
      `${path.relative}: the file has ${file.links} hard links, so a change would show elsewhere too`,
    );
  }
  return null;
}

/** An editor that formats what it saves leaves other bytes than were asked for. Empty when they are the same. */
export function noteOtherBytes(wanted: string, written: string): string {
  return wanted === written ? "" : " The editor changed more when it saved the file: read it again before you go on.";
}
