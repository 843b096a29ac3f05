// The runs of a workspace as the first and last lines of their journals tell them: cheap, whatever the journals weigh.
import { foldAll } from "../core/journal/fold";
import type { RunState } from "../core/journal/runState";
import { FileJournalStore } from "./fileJournalStore";
import { isOpenAfter, listRunIds, readJournalEnds } from "./journalEnds";
import { workspaceState } from "./statePaths";

export interface ListedRun {
  id: string;
  root: string;
  journal: string;
  /** ISO 8601. */
  startedAt: string;
  /** Folded from those two lines alone. */
  state: RunState;
  /** It has no last word: it runs, waits for a person, or was cut short. */
  isOpen: boolean;
  /** Who writes it now; asked for open runs only. */
  holder: { pid: number; since: string } | null;
}

/** Newest first, at most 200. Journals that do not begin like a run are left out. */
export async function listRuns(root: string): Promise<readonly ListedRun[]> {
  const state = workspaceState(root);
  const runs: ListedRun[] = [];
  for (const id of await listRunIds(root)) {
    const run = await readEnds(state.journalOf(id));
    if (run !== null) runs.push({ id, root, journal: state.journalOf(id), ...run });
  }
  return runs;
}

type Ends = Pick<ListedRun, "startedAt" | "state" | "isOpen" | "holder">;

async function readEnds(path: string): Promise<Ends | null> {
  const lines = await readJournalEnds(path);
  const first = lines?.first ?? null;
  if (lines === null || first?.type !== "agent_start") return null;
  const { last } = lines;
  const isOpen = isOpenAfter(last);
  const state = foldAll(last?.type === "agent_end" ? [first, last] : [first]);
  return { startedAt: first.ts, state, isOpen, holder: isOpen ? await readHolder(path) : null };
}

function readHolder(path: string): Promise<{ pid: number; since: string } | null> {
  return new FileJournalStore({ file: path }).holder();
}
