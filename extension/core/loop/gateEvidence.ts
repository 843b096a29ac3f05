import type { GateEvidence } from "../gate/verifier";
import type { RunState } from "../journal/runState";

/** The accumulated work of the whole run, all attempts included: calls with the arguments that ran. */
export function toGateEvidence(state: RunState): GateEvidence {
  return {
    goal: state.spec?.goal ?? "",
    text: state.finalText ?? state.text,
    plan: state.ledger.items,
    calls: state.settledCalls.map(({ tool, args, result }) => ({ tool, args: args ?? {}, result: result ?? "" })),
    denials: state.denials,
    attempts: state.attempts,
    turns: state.turns,
    toolCalls: state.toolCalls,
    tokens: state.usage,
  };
}
