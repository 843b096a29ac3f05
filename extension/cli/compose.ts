// The one place of the command line that makes ports. Everything else takes them as arguments.
import type { CheckPorts, FreezePorts } from "../core/agents/workspacePart";
import type { GuardPorts } from "../core/agents/workspaceGuard";
import { NodeCommandRunner } from "../node/nodeCommandRunner";
import { NodeScratchFolders } from "../node/nodeScratchFolders";
import { createSnapshots, openJournal as openLocked, type Basics } from "../node/runPorts";
import { NodeRealPaths } from "../node/nodeRealPaths";
import { stateFolder } from "../node/statePaths";
import { TreeSitterGrammar } from "../node/treeSitterGrammar";
import type { FileJournalStore } from "../node/fileJournalStore";
import { refuse, type Refusal } from "./exitCodes";

export {
  createBasics as composeBasics,
  createRunPorts as composeRun,
  defaultJournalPath,
  readJournal,
  type Basics,
  type RunPorts as ComposedRun,
} from "../node/runPorts";

/** For looking at what a plan would be: nothing is started. */
export function composeFreeze({ files, hasher, ids }: Basics): FreezePorts {
  return { files, hasher, commands: new NodeCommandRunner({ runTag: ids.runId() }) };
}

export { onAskedToLeave } from "../node/takeOver";

/** For judging calls without a run. */
export function composeGuard(root: string, { clock }: Basics): GuardPorts {
  return { clock, realPaths: new NodeRealPaths(root), stateFolders: [stateFolder()], grammar: new TreeSitterGrammar() };
}

export interface ComposedCheck extends CheckPorts {
  /** Ends what the checks left running. */
  end(): Promise<void>;
}

/** For running checks without a run. */
export function composeCheck(root: string, { files, hasher, ids }: Basics, outputs: readonly string[]): ComposedCheck {
  const commands = new NodeCommandRunner({ runTag: ids.runId() });
  const end = async (): Promise<void> => void (await commands.endAll());
  const scratch = new NodeScratchFolders();
  return { files, hasher, commands, scratch, snapshots: createSnapshots(root, outputs, []), end };
}

/** Locked for this process. */
export async function openJournal(path: string): Promise<{ ok: true; store: FileJournalStore } | Refusal> {
  const opened = await openLocked(path);
  return opened.ok ? opened : refuse(opened.message);
}
