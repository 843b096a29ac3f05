import { initialState } from "../core/journal/runState";
import { toOutcome } from "../core/journal/toOutcome";

/** The outcome of a run that never came to be: every field is there, and nothing in it looks like success. */
export function refusedOutcome(message: string): object {
  const nothing = toOutcome(initialState, { journal: null, stale: null });
  return { ...nothing, runId: null, status: "error", phase: "ended", stoppedBy: message, reasons: [message] };
}
