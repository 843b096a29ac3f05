// How a run ends: one status, at most one limit, one sentence, all reasons. A limit stop is never done, whatever text exists.
import { wasRefused } from "../journal/compaction";
import { estimateTokens } from "../journal/contextSize";
import type { Event, Limit, RunStatus } from "../journal/event";
import { pendingApprovals, type RunState } from "../journal/runState";
import type { Ending } from "./effect";

/** The events that end a run. Every final status withdraws what waits for a person; only `pending` keeps it. */
export function toEndEvents(state: RunState, ending: Ending): Event[] {
  const { status, limit, stoppedBy, review } = describe(state, ending);
  const withdrawn: Event[] =
    status === "pending" ? [] : pendingApprovals(state).map((approval) => withdraw(approval.id, status));
  const limitEvent: Event[] =
    ending.kind === "limit" ? [{ type: "limit_reached", limit: ending.limit, sentence: ending.sentence }] : [];
  return [
    ...limitEvent,
    ...withdrawn,
    {
      type: "agent_end",
      status,
      limit,
      stoppedBy,
      reasons: toReasons(state, ending, stoppedBy),
      review,
      outcome: status === "done" ? "success" : status,
      text: state.finalText ?? state.text,
    },
  ];
}

interface Described {
  status: RunStatus;
  limit: Limit | null;
  stoppedBy: string;
  review: boolean;
}

function describe(state: RunState, ending: Ending): Described {
  const plain = (status: RunStatus, stoppedBy: string): Described => ({
    status,
    limit: null,
    stoppedBy,
    review: false,
  });
  switch (ending.kind) {
    case "done":
      return plain("done", doneSentence(state));
    case "exhausted":
      return { ...plain("incomplete", exhaustedSentence(state)), limit: "completion" };
    case "unavailable":
      return plain("incomplete", unavailableSentence(state));
    case "review":
      return { ...plain("incomplete", state.lastVerification?.reason ?? ""), review: true };
    case "limit":
      return {
        ...plain(ending.limit === "maxWallMs" ? "timeout" : "incomplete", ending.sentence),
        limit: ending.limit,
      };
    case "modelError":
      return plain("error", modelErrorSentence(state));
    case "pending":
      return plain("pending", pendingSentence(state));
    case "interrupted":
      return plain("interrupted", "stopped by a person");
    case "closed":
      return plain("closed", "ended by its parent or superseded");
    case "error":
      return plain("error", ending.sentence);
  }
}

/** A question rests on no check: it is answered, never checks passed. */
function doneSentence(state: RunState): string {
  if (state.spec?.kind === "question") return "the question was answered";
  return state.lastVerification?.passed === true ? "every required check passed" : "the agent finished";
}

/** Design 3.2, rule 5. The sign is U+00D7. */
function exhaustedSentence(state: RunState): string {
  return `completion.verify failed ${state.attempts}\u00d7: ${state.lastVerification?.reason ?? ""}`;
}

function unavailableSentence(state: RunState): string {
  const unavailable = state.lastVerification?.unavailable;
  return `check ${unavailable?.check ?? "?"} could not run: ${unavailable?.why ?? "unknown"}`;
}

function modelErrorSentence(state: RunState): string {
  const failure = state.modelFailure?.failure;
  if (failure === undefined) return "the model server failed";
  if (failure.code !== "overflow") return failure.message;
  const compacted = wasRefused(state) ? ", also after earlier turns were taken out" : "";
  const window = state.window === null ? "" : `, the model's context holds ${state.window}`;
  return `the request does not fit the model's context${compacted} (about ${estimateTokens(state)} tokens${window}): ${failure.message}`;
}

function pendingSentence(state: RunState): string {
  const waiting = pendingApprovals(state).map((approval) => `${approval.id} (${approval.tool})`);
  return `waiting for a person: ${waiting.join(", ")}`;
}

/** A stop during a repair names both the limit and what the last verification found. */
function toReasons(state: RunState, ending: Ending, stoppedBy: string): string[] {
  const last = state.lastVerification;
  const repairing =
    last !== null &&
    !last.passed &&
    last.reason !== "" &&
    last.charged &&
    ending.kind !== "done" &&
    ending.kind !== "pending";
  const reason = repairing ? `completion.verify failed ${state.attempts}\u00d7: ${last.reason}` : null;
  return reason === null || reason === stoppedBy ? [stoppedBy] : [stoppedBy, reason];
}

function withdraw(id: string, status: RunStatus): Event {
  return { type: "approval_withdrawn", id, why: `the run ended (${status})` };
}
