import type { SecretValue } from "../journal/redact";
import type { Clock } from "../ports/clock";
import type { CommandRunner } from "../ports/commandRunner";
import type { Hasher } from "../ports/hasher";
import type { Ids } from "../ports/ids";
import type { JournalStore } from "../ports/journalStore";
import type { ModelClient } from "../ports/modelClient";
import type { OpenEditors } from "../ports/openEditors";
import type { RealPaths } from "../ports/realPaths";
import type { ScratchFolders } from "../ports/scratchFolders";
import type { ShellGrammar } from "../ports/shellGrammar";
import type { Snapshots } from "../ports/snapshots";
import type { TextSearch } from "../ports/textSearch";
import type { WorkspaceFiles } from "../ports/workspaceFiles";

/** Everything a run on a workspace reaches the outside through. Made by a host's compose.ts, one set per run. */
export interface WorkspacePorts {
  clock: Clock;
  ids: Ids;
  hasher: Hasher;
  model: ModelClient;
  journal: JournalStore;
  /** The disk, which checks and contract are about. */
  files: WorkspaceFiles;
  /** Absent where nobody edits beside the run. */
  editors?: OpenEditors;
  commands: CommandRunner;
  scratch: ScratchFolders;
  search: TextSearch;
  snapshots: Snapshots;
  realPaths: RealPaths;
  grammar: ShellGrammar;
  /** Absolute folders that hold journals, snapshots and keys: out of every tool's reach. */
  stateFolders: readonly string[];
  /** Values that must not reach the journal. */
  secrets: readonly SecretValue[];
}
