// Approvals: asked, answered, withdrawn. An answer is bound to one approval and counts once.
import type { Folds } from "./folds";
import type { Event } from "./event";
import { answerCancelWishes, type CancelWish } from "../plan/cancelWishes";
import { deny, settle, toUnsuccessful } from "./foldCalls";
import { closeTurn, updateCall } from "./history";
import type { Approval, RunState } from "./runState";
import { noteResult } from "./stuck";

type ApprovalEvent = "approval_requested" | "approval_resolved" | "approval_withdrawn";

export const approvalFolds: Folds<ApprovalEvent> = {
  approval_requested: (state, { type: _type, ...request }) => {
    const asked: RunState = {
      ...state,
      approvals: [...state.approvals, { ...request, status: "pending", answer: "" }],
    };
    return request.callId === null
      ? asked
      : updateCall(asked, request.callId, { status: "asked", approvalId: request.id });
  },
  approval_resolved: (state, event) => {
    const approval = pendingById(state, event.id);
    return approval === null ? state : resolve(state, approval, event);
  },
  approval_withdrawn: (state, event) => {
    const approval = pendingById(state, event.id);
    if (approval === null) return state;
    const withdrawn = setStatus(state, approval, "withdrawn", event.why);
    if (approval.callId === null) return { ...withdrawn, cancelUnanswered: true };
    const result = `no answer: ${event.why}`;
    return closeTurn({
      ...settle(withdrawn, approval.callId, result, "cancelled"),
      stuck: noteResult(state.stuck, toUnsuccessful(state, approval.callId, result)),
    });
  },
};

function pendingById(state: RunState, id: string): Approval | null {
  return state.approvals.find((approval) => approval.id === id && approval.status === "pending") ?? null;
}

function resolve(state: RunState, approval: Approval, event: Event<"approval_resolved">): RunState {
  switch (event.decision) {
    case "approve": {
      const approved = setStatus(state, approval, "approved", event.reason);
      return approval.callId === null
        ? settleCancellations(approved, approval, true)
        : updateCall(approved, approval.callId, { status: "approved" });
    }
    case "answer": {
      const answered = setStatus(state, approval, "answered", event.reason);
      return approval.callId === null ? answered : closeTurn(settle(answered, approval.callId, event.reason, "ok"));
    }
    case "deny":
      return refuse(setStatus(state, approval, "denied", event.reason), approval, event);
  }
}

function refuse(state: RunState, approval: Approval, event: Event<"approval_resolved">): RunState {
  const { callId, tool, args, key } = approval;
  if (callId === null) return settleCancellations(state, approval, false);
  const reason = event.reason === "" ? "a person said no" : event.reason;
  return deny(state, { tool, args, rule: `person:${event.by}`, reason, callId }, key);
}

function setStatus(state: RunState, approval: Approval, status: Approval["status"], answer: string): RunState {
  const approvals = state.approvals.map((entry) => (entry === approval ? { ...entry, status, answer } : entry));
  return { ...state, approvals };
}

function settleCancellations(state: RunState, approval: Approval, agreed: boolean): RunState {
  const shown = approval.args["items"] as readonly CancelWish[];
  return { ...state, ledger: answerCancelWishes(state.ledger, shown, agreed) };
}
