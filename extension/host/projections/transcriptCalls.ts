// A call as the transcript shows it: what was asked for, whether it might, what came of it.
import type { Approval, RunState } from "../../core/journal/runState";
import type { Ledger } from "../../core/plan/ledger";
import type { EntryOf, TranscriptApproval, TranscriptPlanItem } from "../../protocol/transcriptEntry";
import type { CallDraft, PlanChange } from "./transcriptDrafts";
import { toCheck } from "./transcriptGate";
import { briefArgs, cutText, fullArgs, showExact, showLine, showProse } from "./transcriptText";

const longestResult = 2_000;
const longestArgs = 2_000;
/** An approval shows all that the answer is about, or it cannot be given here. */
const longestApprovalArgs = 8_000;

export interface CallSurroundings {
  state: RunState;
  /** Someone drives the run, so what is open goes on. */
  isMoving: boolean;
  /** A person's answer is taken here. */
  canAnswer: boolean;
}

export function toCall(draft: CallDraft, around: CallSurroundings): EntryOf<"call"> | EntryOf<"plan"> {
  const { event, record, end } = draft;
  const base = { key: `call:${record.callId}`, at: Date.parse(event.ts) };
  if (draft.plan !== null && end?.success !== false) return { ...base, kind: "plan", ...toPlanChange(draft.plan) };
  const args = draft.decision?.action_type === "tool_call" ? draft.decision.action.args : record.args;
  const asked = around.state.approvals.find(({ id }) => id === draft.approvalId) ?? null;
  const result = end === null ? null : cutText(end.result, longestResult);
  return {
    ...base,
    kind: "call",
    callId: record.callId,
    tool: showExact(record.tool),
    brief: args === null ? showLine(record.argumentsText, 160) : briefArgs(args),
    args: cutText(args === null ? record.argumentsText : fullArgs(args), longestArgs),
    state: toState(draft, asked, around.isMoving),
    summary: toSummary(draft, asked),
    result,
    hasMore: end !== null && (end.blob !== null || (result?.left ?? 0) > 0),
    durationMs: end === null || draft.start === null ? null : Date.parse(end.ts) - Date.parse(draft.start.ts),
    denial: toDenial(draft, asked),
    approval: asked === null ? null : toApproval(asked, draft.answeredBy, around.canAnswer),
    checks: draft.checks.map(toCheck),
    files: toFiles(draft),
    contractTouched: (end?.contractTouched ?? []).map(showExact),
  };
}

function toState(draft: CallDraft, asked: Approval | null, isMoving: boolean): EntryOf<"call">["state"] {
  if (draft.end !== null) return draft.end.status === "unknown" ? "interrupted" : draft.end.status;
  if (draft.denial !== null) return "denied";
  switch (asked?.status) {
    case "pending":
      return "waiting";
    case "denied":
      return "denied";
    case "answered":
      return "ok";
    case "withdrawn":
      return "cancelled";
    case "approved":
    case undefined:
      return isMoving && !draft.isLeft ? "running" : "interrupted";
  }
}

function toSummary({ end, record }: CallDraft, asked: Approval | null): string {
  if (end !== null) return showLine(end.summary, 200);
  if (record.problem !== null) return showLine(record.problem, 200);
  if (asked?.status === "answered") return showLine(asked.answer, 200);
  return asked?.status === "withdrawn" ? showLine(`no answer: ${asked.answer}`, 200) : "";
}

function toDenial({ denial, answeredBy: by }: CallDraft, asked: Approval | null): EntryOf<"call">["denial"] {
  if (denial !== null) return { rule: showExact(denial.rule), reason: showProse(denial.reason) };
  if (asked?.status !== "denied") return null;
  return { rule: by === "" ? "a person" : showLine(by, 80), reason: showProse(asked.answer) };
}

function toFiles({ end, start }: CallDraft): readonly string[] {
  const intents = end === null ? (start?.files ?? []) : end.files;
  return [...new Set([...intents.map(({ path }) => path), ...(end?.changed ?? [])])].slice(0, 20);
}

export function toApproval(approval: Approval, by: string, canAnswer: boolean): TranscriptApproval {
  const { id, digest, kind, tool, level, reason, status, answer } = approval;
  return {
    ...{ id, digest, kind, level, status },
    tool: showExact(tool),
    reason: showProse(reason),
    args: cutText(kind === "question" ? "" : fullArgs(approval.args), longestApprovalArgs),
    answer: showProse(answer),
    by: showLine(by, 80),
    action: canAnswer ? toApprovalAction(approval) : "none",
  };
}

/** What a click in the transcript may do. The host asks this again when the click arrives. */
export function toApprovalAction(approval: Approval): TranscriptApproval["action"] {
  if (approval.status !== "pending") return "none";
  if (approval.kind === "question") return "answer";
  const isShownWhole = fullArgs(approval.args).length <= longestApprovalArgs;
  return approval.kind === "call" && approval.level === "normal" && isShownWhole ? "approve" : "review";
}

const planStates = {
  pending: "open",
  in_progress: "in-progress",
  completed: "claimed",
  "cancel requested": "cancel-requested",
  cancelled: "cancelled",
} as const;

/** Only what is not as it was: a long plan is not told anew with each tick. */
export function toPlanChange({ before, after }: PlanChange): Pick<EntryOf<"plan">, "items" | "unchanged"> {
  const known = new Set(toPlan(before).map((item) => JSON.stringify(item)));
  const items = toPlan(after).filter((item) => !known.has(JSON.stringify(item)));
  return { items, unchanged: after.items.length - items.length };
}

/** The agent's tick is a claim; only the gate makes it verified. */
export function toPlan({ items }: Ledger): readonly TranscriptPlanItem[] {
  return items.map(({ id, text, status, verified, reason }) => ({
    id,
    text: showLine(text, 300),
    state: verified && status === "completed" ? "verified" : planStates[status],
    reason: reason === undefined ? "" : showLine(reason, 300),
  }));
}
