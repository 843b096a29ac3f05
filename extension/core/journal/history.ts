// How the chat history grows. It is only ever appended to, except by a compaction, so that a server's prompt cache holds.
import type { ChatMessage, WireToolCall } from "../ports/modelClient";
import type { RunSpec } from "./event";
import type { CallState, RunState } from "./runState";
import { forgetCircles } from "./stuck";

/** A person's words reach the model with its next request; while calls are open they wait, since results must follow their calls. */
export function sayAsPerson(before: RunState, text: string): RunState {
  const state = { ...before, said: [...before.said, text] };
  if (state.turn !== null) return { ...state, queued: [...state.queued, text] };
  const stuck = { ...forgetCircles(state.stuck), deniedKeys: {} };
  return appendUser({ ...state, stuck, finalText: null, finalDecided: false }, text);
}

/** What stays at the head of every request. */
export function openingMessages({ goal, prompt }: Pick<RunSpec, "goal" | "prompt">): readonly ChatMessage[] {
  const said: ChatMessage = { role: "user", content: goal };
  return prompt === "" ? [said] : [{ role: "system", content: prompt }, said];
}

/** Takes back what people said while a reply was being made: the model had not heard it, so it belongs behind the reply. */
export function takeUnheard(state: RunState, count: number): { heard: RunState; unheard: readonly string[] } {
  const history = [...state.history];
  const unheard: string[] = [];
  while (unheard.length < count) {
    const last = history.at(-1);
    if (last?.role !== "user") break;
    unheard.unshift(last.content);
    history.pop();
  }
  return { heard: { ...state, history }, unheard };
}

export function appendUser(state: RunState, text: string): RunState {
  return { ...state, history: [...state.history, { role: "user", content: text }] };
}

/** Strict servers refuse two user messages in a row, so neighbours are sent as one. */
export function toMessages(history: readonly ChatMessage[]): readonly ChatMessage[] {
  const messages: ChatMessage[] = [];
  for (const message of history) {
    const last = messages.at(-1);
    if (last?.role === "user" && message.role === "user") {
      messages[messages.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
    } else {
      messages.push(message);
    }
  }
  return messages;
}

export function assistantMessage(text: string, reasoning: string, calls: readonly CallState[]): ChatMessage {
  return {
    role: "assistant",
    content: text === "" ? (calls.length > 0 ? null : "") : text,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toWireCall) }),
  };
}

/** Arguments that were no JSON object are never sent back: a server may refuse the whole history for them. */
function toWireCall(call: CallState): WireToolCall {
  const text = call.args === null ? "{}" : call.argumentsText;
  return { id: call.callId, type: "function", function: { name: call.tool, arguments: text } };
}

/** Once every call of the turn has its one result, the results follow in the order of the calls. */
export function closeTurn(state: RunState): RunState {
  if (state.turn === null || state.turn.calls.some((call) => call.status !== "settled")) return state;
  const results: ChatMessage[] = state.turn.calls.map((call) => ({
    role: "tool",
    tool_call_id: call.callId,
    content: call.result ?? "",
  }));
  const words = state.stuck.nudgeDue === null ? state.queued : [state.stuck.nudgeDue, ...state.queued];
  const said: ChatMessage[] = words.map((content) => ({ role: "user", content }));
  return {
    ...state,
    turn: null,
    settledCalls: [...state.settledCalls, ...state.turn.calls],
    queued: [],
    stuck: { ...state.stuck, nudgeDue: null },
    history: [...state.history, ...results, ...said],
  };
}

/** What was running when the process ended has an unknown outcome. */
export function interruptOpenCalls(state: RunState): RunState {
  if (state.turn === null) return state;
  const calls = state.turn.calls.map((call) =>
    call.status === "running" ? { ...call, status: "interrupted" as const } : call,
  );
  return { ...state, turn: { ...state.turn, calls } };
}

export function updateCall(state: RunState, callId: string, change: Partial<CallState>): RunState {
  if (state.turn === null) return state;
  const calls = state.turn.calls.map((call) => (call.callId === callId ? { ...call, ...change } : call));
  return { ...state, turn: { ...state.turn, calls } };
}

export function findCall(state: RunState, callId: string): CallState | null {
  return state.turn?.calls.find((call) => call.callId === callId) ?? null;
}
