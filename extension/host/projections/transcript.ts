// The transcript of a run: a pure projection of its journal. What a live run shows is what its journal shows afterwards.
import type { JournaledEvent } from "../../core/journal/event";
import type { RunState } from "../../core/journal/runState";
import type { TranscriptEntry } from "../../protocol/transcriptEntry";
import { toApproval, toCall, toPlanChange, type CallSurroundings } from "./transcriptCalls";
import { readDrafts, type Draft } from "./transcriptDrafts";
import { toEnd } from "./transcriptEnd";
import { toGate } from "./transcriptGate";
import { toFrozen, toGoal } from "./transcriptOpening";
import { cutText, showLine, showProse } from "./transcriptText";

export interface TranscriptOptions {
  /** How many pieces, counted from the newest; the others are only counted. */
  most: number;
  /** Someone drives the run. Without it nothing is shown as going on. */
  isMoving: boolean;
  /** A person's answer to an approval is taken from this window. */
  canAnswer: boolean;
  /** Whether the files are still as they were judged; null: not known. */
  stale: boolean | null;
}

export interface Transcript {
  /** Pieces before the first one in `entries`. */
  earlier: number;
  entries: readonly TranscriptEntry[];
}

const newest: TranscriptOptions = { most: 200, isMoving: true, canAnswer: true, stale: null };
const longestSay = 12_000;
const longestReasoning = 4_000;

/** `state` is the fold of exactly these events. */
export function toTranscript(
  events: readonly JournaledEvent[],
  state: RunState,
  options: Partial<TranscriptOptions> = {},
): Transcript {
  const { most, stale, canAnswer, isMoving } = { ...newest, ...options };
  const drafts = readDrafts(events);
  const shown = drafts.slice(-most);
  const around = { state, stale, canAnswer, isMoving: isMoving && state.end === null, queued: toQueued(drafts, state) };
  return { earlier: drafts.length - shown.length, entries: shown.map((draft) => toEntry(draft, around)) };
}

interface Surroundings extends CallSurroundings {
  stale: boolean | null;
  /** Messages that wait for the turn to close. */
  queued: ReadonlySet<Draft>;
}

function toQueued(drafts: readonly Draft[], { queued }: RunState): ReadonlySet<Draft> {
  if (queued.length === 0) return new Set();
  return new Set(drafts.filter(({ kind }) => kind === "message").slice(-queued.length));
}

function toEntry(draft: Draft, around: Surroundings): TranscriptEntry {
  const { state } = around;
  const base = { key: `${draft.kind}:${draft.event.seq}`, at: Date.parse(draft.event.ts) };
  switch (draft.kind) {
    case "goal":
      return toGoal(draft.event);
    case "frozen":
      return toFrozen(draft.event);
    case "say":
      return { ...base, kind: "say", ...toSay(draft) };
    case "call":
      return toCall(draft, around);
    case "plan":
      return { ...base, kind: "plan", ...toPlanChange(draft.plan) };
    case "approval": {
      const { type: _type, ...request } = draft.event;
      const asked = state.approvals.find(({ id }) => id === request.id);
      const approval = asked ?? { ...request, status: "withdrawn" as const, answer: "" };
      return { ...base, kind: "approval", approval: toApproval(approval, draft.answeredBy, around.canAnswer) };
    }
    case "gate":
      return toGate(draft, state, around.isMoving);
    case "retry":
      return { ...base, kind: "retry", ...toRetry(draft, around.isMoving) };
    case "message": {
      const { by, text } = draft.event;
      return {
        ...base,
        kind: "message",
        by: showLine(by, 80),
        text: showProse(text),
        isQueued: around.queued.has(draft),
      };
    }
    case "note":
      return { ...base, kind: "note", tone: draft.tone, text: showLine(draft.text, 600) };
    case "end":
      return toEnd(draft, state, around.stale);
  }
}

function toSay({ event, isFinal }: Extract<Draft, { kind: "say" }>) {
  return {
    turn: event.turn,
    text: cutText(event.text.trim(), longestSay, showProse),
    reasoning: event.reasoning === "" ? null : cutText(event.reasoning.trim(), longestReasoning, showProse),
    isFinal,
  };
}

function toRetry({ event, isOver }: Extract<Draft, { kind: "retry" }>, isMoving: boolean) {
  const until = Date.parse(event.ts) + (event.retryInMs ?? 0);
  return {
    attempt: event.attempt,
    message: showLine(event.failure.message, 400),
    until: isOver || !isMoving ? null : until,
  };
}
