// From a journal's bytes to the state a resume goes on from. Lines that cannot be believed do not count; nothing is repaired silently.
import type { Hasher } from "../ports/hasher";
import type { JournalStore } from "../ports/journalStore";
import { decodeJournal, type DecodedJournal, type JournalLine, type JournalProblem } from "./decodeJournal";
import { eventTypes, type JournaledEvent } from "./event";
import { fold } from "./fold";
import { initialState, type RunState } from "./runState";

export interface LoadedJournal {
  state: RunState;
  events: readonly JournaledEvent[];
  problems: readonly JournalProblem[];
  /** False: a line that has to be sealed is not (it did not count), or lines may be missing from the end. */
  sealed: boolean;
  /** Null: the run can go on; else why it cannot. */
  blocked: string | null;
  /** Bytes at the end that have to be set aside before the next append. */
  tornBytes: number;
  head: { lastHash: string | null; nextSeq: number };
}

/** Reads only. Rejects when the file cannot be read; everything that is wrong inside it is in the answer. */
export async function loadJournal(
  store: Pick<JournalStore, "read" | "readHead" | "seal">,
  hasher: Hasher,
): Promise<LoadedJournal> {
  const decoded = await readLines(store, hasher);
  const unsealed = new Set(decoded.unsealed);
  const events = decoded.lines.filter((line) => eventTypes.has(line.type) && !unsealed.has(line.seq)).map(toEvent);
  const { state, foreign } = foldReadable(events);
  return {
    state,
    events,
    problems: decoded.problems,
    sealed: decoded.unsealed.length === 0 && decoded.endIsVouched,
    blocked: whyBlocked(decoded) ?? foreign,
    tornBytes: decoded.tornBytes,
    head: { lastHash: decoded.lastHash, nextSeq: decoded.nextSeq },
  };
}

/** The journal as far as it can be read, and how far that can be believed. */
export async function readLines(
  store: Pick<JournalStore, "read" | "readHead" | "seal">,
  hasher: Hasher,
): Promise<DecodedJournal> {
  // In this order: another process may be writing, and a head newer than the bytes would look like lines cut off.
  const head = await store.readHead();
  const bytes = await store.read();
  return decodeJournal(bytes, { hasher, sealOf: (text) => store.seal(text), knownTypes: eventTypes, head });
}

function whyBlocked({ lines, chain, resumable }: DecodedJournal): string | null {
  if (lines.length === 0) return "the journal is empty";
  if (lines[0]?.type !== "agent_start") return "the journal does not begin with agent_start";
  if (chain !== "intact") return `the journal's chain is broken: ${chain.why}`;
  return resumable ? null : "the journal holds lines of a newer or unknown kind: it can be read, but not resumed here";
}

/** The chain vouches that this program wrote the line, and it writes whole events only. */
const toEvent = (line: JournalLine): JournaledEvent => line as unknown as JournaledEvent;

/** As far as it begins like a run and its lines are events of ours: a foreign journal is shown up to there. */
function foldReadable(events: readonly JournaledEvent[]): { state: RunState; foreign: string | null } {
  let state = initialState;
  if (events[0]?.type !== "agent_start") return { state, foreign: null };
  for (const event of events) {
    try {
      state = fold(state, event);
    } catch {
      // Whatever it lacks: the line carries a known type and is no event of that type.
      return { state, foreign: `line ${event.seq} is no ${event.type} of this program` };
    }
  }
  return { state, foreign: null };
}
