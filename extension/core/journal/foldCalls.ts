// A turn: the reply, what was decided about each call, how each call ended.
import type { Envelope } from "./envelope";
import type { Folds } from "./folds";
import type { Event, ReplyCallRecord } from "./event";
import type { TextCall } from "../loop/textCall";
import { appendUser, assistantMessage, closeTurn, findCall, takeUnheard, updateCall } from "./history";
import type { CallState, Denial, RunState } from "./runState";
import { noteDenied, noteReply, noteResult, noteUnusable, type SettledCall } from "./stuck";

type CallEvent = "model_reply" | "model_decision" | "tool_start" | "tool_end" | "guardrail_denied" | "todos_updated";

export const callFolds: Folds<CallEvent> = {
  model_reply: foldReply,
  model_decision: (state, event) => {
    if (event.action_type === "final_answer") return { ...state, finalDecided: true };
    const { args } = event.action;
    return updateCall(state, event.callId, {
      args,
      decided: true,
      ...(lacksSecret(event, "action.args") ? { redacted: true } : {}),
      ...(event.allowedBy === null ? {} : { status: "allowed" as const }),
    });
  },
  tool_start: (state, event) => ({
    ...updateCall(spendApproval(state, event.callId), event.callId, { status: "running", files: event.files }),
    toolCalls: state.toolCalls + 1,
  }),
  tool_end: foldToolEnd,
  guardrail_denied: (state, event) => {
    const denial = { tool: event.tool, args: event.args, rule: event.rule, reason: event.reason, callId: event.callId };
    return deny(state, denial, event.key);
  },
  todos_updated: (state, { ledger, callId }) =>
    callId === null ? { ...state, ledger } : updateCall({ ...state, ledger }, callId, { planUpdated: true }),
};

function foldReply(state: RunState, event: Event<"model_reply"> & Redactable): RunState {
  const calls = event.calls.map((call, at) => toCallState(call, lacksSecret(event, `calls[${at}].args`)));
  const count = state.said.length - (event.heard ?? state.said.length);
  const { heard: before, unheard } = takeUnheard(closeUnansweredTurn(state), count);
  const reply = assistantMessage(event.text, event.reasoningKey === "reasoning_content" ? event.reasoning : "", calls);
  const isFinal = calls.length === 0 && unheard.length === 0;
  const said = unheard.map((content) => ({ role: "user" as const, content }));
  const replied: RunState = {
    ...before,
    history: [...before.history, reply, ...(calls.length === 0 ? said : [])],
    queued: calls.length === 0 ? before.queued : [...before.queued, ...unheard],
    stuck: noteReply(before.stuck, event.textCall !== undefined || event.empty === true),
    text: event.text === "" ? state.text : event.text,
    turn: calls.length === 0 ? null : { number: event.turn, calls },
    measured: measure(event, before.history.length + 1) ?? state.measured,
    finalText: isFinal ? event.text : null,
    finalDecided: false,
    judged: false,
    cancelUnanswered: false,
    modelFailure: null,
    turns: event.turn,
    usage: {
      input: state.usage.input + (event.usage?.input ?? 0),
      output: state.usage.output + (event.usage?.output ?? 0),
    },
  };
  if (event.textCall !== undefined) return correct(replied, toTextCallWords(event.textCall));
  return event.empty === true ? correct(replied, emptyWords) : replied;
}

/** No final answer: the model is told what was wrong with it. */
function correct(state: RunState, words: string): RunState {
  return appendUser({ ...state, finalText: null }, words);
}

/** Not run, since it may be no more than an example. */
function toTextCallWords({ tool, form }: TextCall): string {
  return `Your message ends in a call of ${tool} written as text (${form}). It was not run. Make the call as a real tool call, or answer without one.`;
}

const emptyWords =
  "Your message was empty: it held neither a tool call nor an answer. Make a tool call, or say in words that you are finished.";

/** A server that counts nothing says so by leaving the usage out, or by zeros. */
function measure({ usage }: Event<"model_reply">, messages: number): RunState["measured"] {
  return usage === null || usage.input === 0 ? null : { tokens: usage.input + usage.output, messages };
}

type Redactable = Pick<Envelope, "redacted">;

/** `args` and `argumentsText` alike. */
function lacksSecret({ redacted = [] }: Redactable, prefix: string): boolean {
  return redacted.some((place) => place.startsWith(prefix));
}

function toCallState(call: ReplyCallRecord, redacted: boolean): CallState {
  return {
    ...call,
    redacted,
    status: "received",
    decided: false,
    approvalId: null,
    files: [],
    treeBefore: null,
    planUpdated: false,
    result: null,
    success: false,
    outcome: null,
  };
}

function foldToolEnd(state: RunState, event: Event<"tool_end">): RunState {
  const call = findCall(state, event.callId);
  if (call === null || call.status === "settled") return state;
  const settled = settle(state, event.callId, event.result, event.status);
  const files = event.success || event.status === "unknown" ? event.files : [];
  const changed = [...files.map((file) => file.path), ...event.changed];
  const seen = [
    ...event.reads.map((read) => [read.path, read.digest] as const),
    ...files.map((file) => [file.path, file.after] as const),
  ];
  const worked = event.success && event.tool !== "todowrite";
  return closeTurn({
    ...settled,
    touched: changed.length === 0 ? state.touched : [...new Set([...state.touched, ...changed])],
    seen: seen.length === 0 ? state.seen : { ...state.seen, ...Object.fromEntries(seen) },
    contractTouched: [...new Set([...state.contractTouched, ...event.contractTouched])],
    work: state.work + (worked ? 1 : 0),
    effects:
      worked && event.files.length === 0
        ? [...state.effects, { callId: event.callId, tool: event.tool, args: call.args ?? {} }]
        : state.effects,
    stuck:
      event.code === "unknown-tool" || event.code === "invalid-arguments"
        ? noteUnusable(state.stuck, state.turn?.number ?? 0)
        : noteResult(state.stuck, {
            call,
            result: event.result,
            success: event.success,
            treeChanged: changed.length > 0,
            turn: state.turn?.number ?? 0,
          }),
  });
}

/** A call that has started is never asked about again, also where the line that approved it cannot be believed. */
function spendApproval(state: RunState, callId: string): RunState {
  if (!state.approvals.some((approval) => approval.callId === callId && approval.status === "pending")) return state;
  const approvals = state.approvals.map((approval) =>
    approval.callId === callId && approval.status === "pending"
      ? { ...approval, status: "withdrawn" as const, answer: "its call has run" }
      : approval,
  );
  return { ...state, approvals };
}

/** The model has spoken since, so these calls had results; the lines that gave them cannot be believed. */
function closeUnansweredTurn(state: RunState): RunState {
  const open = state.turn?.calls.filter((call) => call.status !== "settled") ?? [];
  return closeTurn(
    open.reduce(
      (closed, { callId }) =>
        settle(
          spendApproval(closed, callId),
          callId,
          "the record of how this call ended cannot be vouched for",
          "unknown",
        ),
      state,
    ),
  );
}

/** A denial is told to the model as the call's result, kept for the outcome, and known again. */
export function deny(state: RunState, denial: Denial, key: string): RunState {
  const result = `denied: ${denial.reason}`;
  return closeTurn({
    ...settle(state, denial.callId, result, "denied"),
    denials: [...state.denials, denial],
    stuck: noteDenied(state.stuck, key, denial.reason, toUnsuccessful(state, denial.callId, result)),
  });
}

/** For noticing circles: a call that ended without success. */
export function toUnsuccessful(state: RunState, callId: string, result: string): SettledCall {
  const call = findCall(state, callId) ?? { tool: "", argumentsText: "" };
  return { call, result, success: false, treeChanged: false, turn: state.turn?.number ?? 0 };
}

/** Gives a call its one result. A call that has one keeps it. */
export function settle(
  state: RunState,
  callId: string,
  result: string,
  outcome: NonNullable<CallState["outcome"]>,
): RunState {
  return updateCall(state, callId, { status: "settled", result, success: outcome === "ok", outcome });
}
