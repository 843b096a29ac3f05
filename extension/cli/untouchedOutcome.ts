import type { LoadedJournal } from "../core/journal/loadJournal";
import { pendingApprovals, type RunState } from "../core/journal/runState";
import { toOutcome } from "../core/journal/toOutcome";
import { refusedOutcome } from "./refusedOutcome";

type End = NonNullable<RunState["end"]>;

/** The outcome of a resume that was refused: the run as it was and still is, so that what waited goes on waiting. */
export function untouchedOutcome(loaded: LoadedJournal, journal: string, message: string): object {
  const { state } = loaded;
  // Of nothing, all seals are valid; but they vouch for nothing either.
  const sealed = loaded.sealed && state.sealed && loaded.events.length > 0;
  if (state.spec === null) return { ...refusedOutcome(message), sealed, journal };
  const end = loaded.blocked === null ? (state.end ?? endOf(state, toUnendedStatus(state))) : endOf(state, "error");
  const outcome = toOutcome({ ...state, sealed, end }, { journal, stale: null });
  return { ...outcome, stoppedBy: message, reasons: [message] };
}

/** A journal without an end: its process was killed, or lost its place to write to. */
function toUnendedStatus(state: RunState): "pending" | "interrupted" {
  return pendingApprovals(state).length > 0 ? "pending" : "interrupted";
}

function endOf(state: RunState, status: Exclude<End["status"], "done">): End {
  const nothing = { limit: null, stoppedBy: "", reasons: [], review: false };
  return { status, outcome: status, ...nothing, text: state.finalText ?? state.text };
}
