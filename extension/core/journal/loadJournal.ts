// From a journal's bytes to the state a resume goes on from. Lines that cannot be believed do not count; nothing is repaired silently.
import type { Hasher } from "../ports/hasher";
import type { JournalStore } from "../ports/journalStore";
import { decodeJournal, type JournalLine, type JournalProblem } from "./decodeJournal";
import { eventTypes, type JournaledEvent } from "./event";
import { foldAll } from "./fold";
import type { RunState } from "./runState";

export interface LoadedJournal {
  state: RunState;
  events: readonly JournaledEvent[];
  problems: readonly JournalProblem[];
  /** False: a line that has to be sealed is not, or the key is gone. Such lines did not count. */
  sealed: boolean;
  /** Null: the run can go on; else why it cannot. */
  blocked: string | null;
  /** Bytes at the end that have to be set aside before the next append. */
  tornBytes: number;
  head: { lastHash: string | null; nextSeq: number };
}

/** Reads only. Rejects when the file cannot be read; everything that is wrong inside it is in the answer. */
export async function loadJournal(store: Pick<JournalStore, "read" | "seal">, hasher: Hasher): Promise<LoadedJournal> {
  const decoded = await decodeJournal(await store.read(), {
    hasher,
    sealOf: (text) => store.seal(text),
    knownTypes: eventTypes,
  });
  const unsealed = new Set(decoded.unsealed);
  const events = decoded.lines.filter((line) => eventTypes.has(line.type) && !unsealed.has(line.seq)).map(toEvent);
  return {
    state: foldAll(decoded.resumable && decoded.chain === "intact" ? events : readablePrefix(events)),
    events,
    problems: decoded.problems,
    sealed: decoded.unsealed.length === 0,
    blocked: whyBlocked(decoded.lines, decoded.chain, decoded.resumable),
    tornBytes: decoded.tornBytes,
    head: { lastHash: decoded.lastHash, nextSeq: decoded.nextSeq },
  };
}

function whyBlocked(
  lines: readonly JournalLine[],
  chain: "intact" | { why: string },
  resumable: boolean,
): string | null {
  if (lines.length === 0) return "the journal is empty";
  if (lines[0]?.type !== "agent_start") return "the journal does not begin with agent_start";
  if (chain !== "intact") return `the journal's chain is broken: ${chain.why}`;
  return resumable ? null : "the journal holds lines of a newer or unknown kind: it can be read, but not resumed here";
}

/** The chain vouches that this program wrote the line, and it writes whole events only. */
const toEvent = (line: JournalLine): JournaledEvent => line as unknown as JournaledEvent;

/** For showing a journal that cannot be resumed: as far as it begins like a run. */
function readablePrefix(events: readonly JournaledEvent[]): readonly JournaledEvent[] {
  return events[0]?.type === "agent_start" ? events : [];
}
