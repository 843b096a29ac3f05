// Notices a model that goes round in circles. Numbers: design 3.8 (four equal results, a nudge at three) and 3.6 (three denials).
import type { CallState, StuckState } from "./runState";

export const stuckAt = { repeats: 4, nudge: 3, unusable: 3, denied: 3 };

interface SettledCall {
  call: CallState;
  result: string;
  success: boolean;
  treeChanged: boolean;
}

export function noteResult(stuck: StuckState, { call, result, success, treeChanged }: SettledCall): StuckState {
  const key = `${call.tool}\n${call.argumentsText}`;
  const known = stuck.repeats.find((entry) => entry.key === key && entry.result === result);
  const base = { ...stuck, unusable: 0, denied: null };
  // What was refused before may be right now: the person's reason has been acted on.
  if (treeChanged) return { ...base, repeats: [], deniedKeys: {} };
  if (known === undefined) {
    const entry = { key, result, count: 1 };
    return { ...base, repeats: success ? [entry] : [...stuck.repeats.slice(-15), entry] };
  }
  const counted = { ...known, count: known.count + 1 };
  const others = success ? [] : stuck.repeats.filter((entry) => entry !== known);
  const nudgeDue = counted.count === stuckAt.nudge ? nudge(call.tool) : stuck.nudgeDue;
  return { ...base, nudgeDue, repeats: [...others, counted] };
}

export function noteUnusable(stuck: StuckState): StuckState {
  return { ...stuck, unusable: stuck.unusable + 1 };
}

export function noteDenied(stuck: StuckState, key: string, reason: string): StuckState {
  const count = stuck.denied?.key === key ? stuck.denied.count + 1 : 1;
  return { ...stuck, denied: { key, count }, deniedKeys: { ...stuck.deniedKeys, [key]: reason } };
}

/** Why the run has to stop as stuck, or null. */
export function stuckReason(stuck: StuckState): string | null {
  const repeated = stuck.repeats.find((entry) => entry.count >= stuckAt.repeats);
  if (repeated !== undefined) {
    return `the same ${toolOf(repeated.key)} call gave the same result ${repeated.count} times in a row`;
  }
  if (stuck.unusable >= stuckAt.unusable) return `${stuck.unusable} unusable tool calls in a row`;
  if (stuck.denied !== null && stuck.denied.count >= stuckAt.denied) {
    return `the same denied call came ${stuck.denied.count} times in a row`;
  }
  return null;
}

function nudge(tool: string): string {
  return `The same ${tool} call has given the same result ${stuckAt.nudge} times. Do something else, or say what blocks you.`;
}

const toolOf = (key: string): string => key.slice(0, key.indexOf("\n"));
