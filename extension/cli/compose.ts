// The one place of the command line that makes ports. Everything else takes them as arguments.
import type { CheckPorts, FreezePorts } from "../core/agents/workspacePart";
import { NodeCommandRunner } from "../node/nodeCommandRunner";
import { NodeScratchFolders } from "../node/nodeScratchFolders";
import { createSnapshots, openJournal as openLocked, type Basics } from "../node/runPorts";
import type { FileJournalStore } from "../node/fileJournalStore";
import { refuse, type Refusal } from "./exitCodes";

export {
  createBasics as composeBasics,
  createGuardPorts as composeGuard,
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
