// Limits are checked before every model call and every tool call. Waiting for a person costs no time, verification does.
import type { Limit } from "../journal/event";
import { toPhase, type RunState } from "../journal/runState";
import { stuckReason } from "../journal/stuck";

export interface ReachedLimit {
  limit: Limit;
  sentence: string;
}

export function toCost(state: RunState): number | null {
  const prices = state.spec?.budget.prices;
  if (prices === undefined) return null;
  return (state.usage.input * prices.input + state.usage.output * prices.output) / 1_000_000;
}

/** Milliseconds of work left, Infinity without a limit. `now` is in milliseconds since 1970. */
export function wallMsLeft(state: RunState, now: number): number {
  const max = state.spec?.budget.maxWallMs;
  if (max === undefined || state.lastTs === 0) return Number.POSITIVE_INFINITY;
  const sinceLastEvent = toPhase(state) === "waiting" ? 0 : Math.max(0, now - state.lastTs);
  return max - state.activeMs - sinceLastEvent;
}

/** The first limit that forbids another model call. */
export function limitBeforeModel(state: RunState, now: number): ReachedLimit | null {
  const budget = state.spec?.budget ?? {};
  const stuck = stuckReason(state.stuck);
  if (stuck !== null) return { limit: "stuck", sentence: stuck };
  if (state.turns >= (budget.maxTurns ?? Infinity)) return reached("maxTurns", `${state.turns} turns used`);
  return limitOfAnyStep(state, now);
}

/** The first limit that forbids another tool call; `ahead` are calls that will run before it and are not counted yet. */
export function limitBeforeTool(state: RunState, now: number, ahead: number): ReachedLimit | null {
  const max = state.spec?.budget.maxToolCalls ?? Infinity;
  if (state.toolCalls + ahead >= max) return reached("maxToolCalls", `${state.toolCalls} tool calls used`);
  return limitOfAnyStep(state, now);
}

function limitOfAnyStep(state: RunState, now: number): ReachedLimit | null {
  const budget = state.spec?.budget ?? {};
  const tokens = state.usage.input + state.usage.output;
  const cost = toCost(state);
  if (wallMsLeft(state, now) <= 0) return wallLimit(state);
  if (tokens >= (budget.maxTokens ?? Infinity)) return reached("maxTokens", `${tokens} tokens used`);
  if (cost !== null && cost >= (budget.maxCost ?? Infinity)) return reached("maxCost", `cost is ${cost.toFixed(4)}`);
  return null;
}

export function wallLimit(state: RunState): ReachedLimit {
  return reached("maxWallMs", `${state.spec?.budget.maxWallMs ?? 0} ms of work are used up`);
}

function reached(limit: Limit, sentence: string): ReachedLimit {
  return { limit, sentence: `limit ${limit} reached: ${sentence}` };
}
