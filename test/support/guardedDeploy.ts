// One call of `deploy` under guardrails: where the attacks on guardrails and hooks begin.
import type { GuardrailFunction } from "../../extension/core";
import { runOverWire, toolResults, type BenchOptions } from "./agentBench";
import { recordTool } from "./benchTools";
import type { ModelStep, ScriptedCall } from "./modelScript";

export const call = (name: string, args: Record<string, unknown> = {}): ScriptedCall => ({ name, args });
export const reply = (...calls: ScriptedCall[]): ModelStep => ({ kind: "reply", calls });
export const done: ModelStep = { kind: "reply", text: "all deployed, everything passed" };
export const denyProd: GuardrailFunction = ({ args }) =>
  JSON.stringify(args).includes("prod") ? { decision: "deny", reason: "never to prod" } : { decision: "allow" };

export function raise(what: unknown): never {
  throw what;
}

/** One turn with one call of `deploy`, then the end. */
export async function deploy(args: Record<string, unknown>, options: BenchOptions) {
  const recorded = recordTool("deploy", { tags: ["command", "prod"] });
  const bench = await runOverWire([reply(call("deploy", args)), done], { tools: [recorded.tool], ...options });
  const state = await bench.end();
  const [told] = Object.values(toolResults(bench.requests()[1]));
  return { bench, state, told, executed: recorded.executed };
}
