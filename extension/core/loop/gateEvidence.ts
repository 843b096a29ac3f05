import type { GateEvidence } from "../gate/verifier";
import type { RunState } from "../journal/runState";

/** The accumulated work of the whole run, all attempts included. */
export function toGateEvidence(state: RunState): GateEvidence {
  const results = new Map<string, string>();
  for (const message of state.history) {
    if (message.role === "tool") results.set(message.tool_call_id, message.content);
  }
  const calls = state.history.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
  return {
    goal: state.spec?.goal ?? "",
    text: state.finalText ?? state.text,
    plan: state.ledger.items,
    calls: calls.map((call) => ({
      tool: call.function.name,
      args: JSON.parse(call.function.arguments) as Record<string, unknown>,
      result: results.get(call.id) ?? "",
    })),
    denials: state.denials,
    attempts: state.attempts,
    turns: state.turns,
    toolCalls: state.toolCalls,
    tokens: state.usage,
  };
}
