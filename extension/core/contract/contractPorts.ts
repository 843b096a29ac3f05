import type { CommandRunner } from "../ports/commandRunner";
import type { Hasher } from "../ports/hasher";
import type { WorkspaceFiles } from "../ports/workspaceFiles";

export interface ContractPorts {
  files: WorkspaceFiles;
  commands: Pick<CommandRunner, "which">;
  hasher: Hasher;
}
