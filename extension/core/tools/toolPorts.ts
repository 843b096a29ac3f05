import type { CheckResult } from "../gate/checkResult";
import type { CommandRunner } from "../ports/commandRunner";
import type { Hasher } from "../ports/hasher";
import type { TextSearch } from "../ports/textSearch";
import type { WorkspaceFiles } from "../ports/workspaceFiles";

/** What tools may reach. */
export interface ToolPorts {
  files: WorkspaceFiles;
  commands: CommandRunner;
  search: TextSearch;
  hasher: Hasher;
  /** True for paths that reads, lists and searches leave out (hidden folders, secret files, the harness's own). */
  isHidden(path: string): boolean;
  /** Runs frozen checks: all of them, or the one named. Null when there is no such check. */
  runChecks(name: string | null, signal: AbortSignal): Promise<readonly CheckResult[] | null>;
}
