// A plan of two items of which one stays open: where the attacks on the plan begin.
import { todowrite } from "../../extension/core/tools/todowrite";
import { outcomeOf, runOverWire, type BenchOptions, type WireRun } from "./agentBench";
import { recordTool } from "./benchTools";
import type { ModelStep, ScriptedCall } from "./modelScript";

export type Todo = Record<string, unknown>;

export const plan = (...todos: Todo[]): ScriptedCall => ({ name: "todowrite", args: { todos } });
export const look = (at = "a"): ScriptedCall => ({ name: "look", args: { at } });
export const reply = (...calls: ScriptedCall[]): ModelStep => ({ kind: "reply", calls });
export const done: ModelStep = { kind: "reply", text: "done" };

export const paint: Todo = { text: "paint the door", status: "completed" };
export const lock = (status: string, more: Todo = {}): Todo => ({ text: "fit the lock", status, ...more });
/** Declares two items, does one, leaves the lock open; then says done. */
export const opening: ModelStep[] = [reply(plan(paint, lock("pending")), look()), done];
export const lockIsOpen = "1 item(s) still open: fit the lock";

export function gated(options: BenchOptions = {}): BenchOptions {
  return { tools: [todowrite, recordTool("look").tool], completion: { verify: "todos", maxAttempts: 2 }, ...options };
}

/** The opening, then what the model tries instead of fitting the lock, then "done" again. */
export async function attack(tries: readonly ModelStep[], options: BenchOptions = {}) {
  const bench = await runOverWire([...opening, ...tries, done], gated(options));
  return { bench, state: await bench.end() };
}

export const items = (state: Awaited<ReturnType<WireRun["end"]>>) =>
  outcomeOf(state).plan.map(({ id, text, status }) => `${id} ${text}: ${status}`);
