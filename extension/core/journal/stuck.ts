// Notices a model that goes round in circles. Numbers: design 3.8 (four equal results, a nudge at three) and 3.6 (three denials).
import type { CallState, StuckState } from "./runState";

const stuckAt = { repeats: 4, nudge: 3, unusable: 3, noAnswers: 3, denied: 3 };

export interface SettledCall {
  call: Pick<CallState, "tool" | "argumentsText">;
  result: string;
  success: boolean;
  treeChanged: boolean;
  turn: number;
}

export function noteResult(stuck: StuckState, settled: SettledCall): StuckState {
  const base: StuckState = { ...stuck, unusable: { count: 0, turn: settled.turn }, denied: null };
  // What was refused before may be right now: the person's reason has been acted on.
  return settled.treeChanged ? { ...base, repeats: [], deniedKeys: {} } : countRepeat(base, settled);
}

export function noteUnusable(stuck: StuckState, turn: number): StuckState {
  const { unusable } = stuck;
  return { ...stuck, unusable: { count: unusable.turn === turn ? unusable.count || 1 : unusable.count + 1, turn } };
}

/** `key` is the digest of tool and arguments. A denial is a result like any other: several calls denied by turns count too. */
export function noteDenied(stuck: StuckState, key: string, reason: string, settled: SettledCall): StuckState {
  const { turn } = settled;
  const known = stuck.denied?.key === key ? stuck.denied : { count: 0, turn: 0 };
  const count = known.turn === turn ? known.count : known.count + 1;
  const counted = countRepeat(stuck, settled);
  return { ...counted, denied: { key, count, turn }, deniedKeys: { ...stuck.deniedKeys, [key]: reason } };
}

/** A call written as text and an empty reply are no answer; any other reply ends the row. */
export function noteReply(stuck: StuckState, isNoAnswer: boolean): StuckState {
  return { ...stuck, noAnswers: isNoAnswer ? stuck.noAnswers + 1 : 0 };
}

/** A person has changed what counts: nothing of the circle so far is held against the run. */
export function forgetCircles(stuck: StuckState): StuckState {
  return { ...stuck, nudgeDue: null, repeats: [], unusable: { count: 0, turn: 0 }, noAnswers: 0, denied: null };
}

function countRepeat(stuck: StuckState, { call, result, success, turn }: SettledCall): StuckState {
  const key = `${call.tool}\n${call.argumentsText}`;
  const known = stuck.repeats.find((entry) => entry.key === key && entry.result === result);
  if (known?.turn === turn) return stuck;
  const counted = { key, result, count: (known?.count ?? 0) + 1, turn };
  const others = success ? [] : stuck.repeats.filter((entry) => entry !== known).slice(-15);
  const nudgeDue = counted.count === stuckAt.nudge ? nudge(call.tool) : stuck.nudgeDue;
  return { ...stuck, nudgeDue, repeats: [...others, counted] };
}

/** Why the run has to stop as stuck, or null. */
export function stuckReason(stuck: StuckState): string | null {
  const repeated = stuck.repeats.find((entry) => entry.count >= stuckAt.repeats);
  if (repeated !== undefined) {
    return `the same ${toolOf(repeated.key)} call gave the same result ${repeated.count} times in a row`;
  }
  if (stuck.unusable.count >= stuckAt.unusable) return `${stuck.unusable.count} unusable tool calls in a row`;
  if (stuck.noAnswers >= stuckAt.noAnswers) {
    return `${stuck.noAnswers} replies in a row held neither a tool call nor an answer`;
  }
  if (stuck.denied !== null && stuck.denied.count >= stuckAt.denied) {
    return `the same denied call came ${stuck.denied.count} times in a row`;
  }
  return null;
}

function nudge(tool: string): string {
  return `The same ${tool} call has given the same result ${stuckAt.nudge} times. Do something else, or say what blocks you.`;
}

const toolOf = (key: string): string => key.slice(0, key.indexOf("\n"));
