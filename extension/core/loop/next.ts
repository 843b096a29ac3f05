// What may go on now. Pure, so that a crash at any event is only "fold, then next".
import { openCancelWishes } from "../plan/cancelWishes";
import { toolTraits, type ToolTraits } from "../tools/toolTraits";
import { compactionAfterOverflow, compactionAhead, type Compaction } from "../journal/compaction";
import { checksWithBaseline } from "../gate/evidence/checksWithBaseline";
import type { RunSpec } from "../journal/event";
import { openCalls, pendingApprovals, type CallState, type RunState, type Verification } from "../journal/runState";
import { attemptsExhausted } from "../journal/foldGate";
import type { Effect, Ending } from "./effect";
import { limitBeforeModel, limitBeforeTool, type ReachedLimit } from "./limits";

/** Facts about tools that decide about order; the registry knows them. */
export type TraitsOf = (tool: string) => ToolTraits;

/**
 * All effects that may run now, each under a key; the driver starts those that are not running yet.
 * Empty means: only a person, or an effect that is still running, can move the run on.
 */
export function next(state: RunState, now: number, traitsOf: TraitsOf = () => toolTraits.unknown): readonly Effect[] {
  if (state.spec === null || state.end !== null) return [];
  const effects = nextOfWork(state, state.spec, now, traitsOf);
  if (!awaitsBaseline(state)) return effects;
  // The agent reads and works meanwhile; only the gate waits for it.
  return [{ kind: "baseline", key: "baseline" }, ...effects.filter((effect) => effect.kind !== "verify")];
}

function awaitsBaseline({ spec, plan, startTree, baseline }: RunState): boolean {
  if (plan === null || startTree === null || baseline !== null) return false;
  return spec?.completion?.commands === true && checksWithBaseline(plan).length > 0;
}

function nextOfWork(state: RunState, spec: RunSpec, now: number, traitsOf: TraitsOf): readonly Effect[] {
  if (spec.root !== null && (state.plan === null || state.startTree === null))
    return [{ kind: "prepare", key: "prepare" }];
  if (state.turn !== null) return nextInTurn(state, now, traitsOf);
  if (state.modelFailure !== null) return [afterFailure(state)];
  if (state.finalText !== null) return [nextAtFinal(state, spec.completion !== null)].flat();
  const limit = limitBeforeModel(state, now);
  if (limit !== null) return [end(toEnding(limit))];
  const compaction = compactionAhead(state);
  return [compaction === null ? { kind: "callModel", key: "model" } : compact(compaction)];
}

/** A request that was too long is made shorter once and sent once more; everything else was retried before. */
function afterFailure(state: RunState): Effect {
  const compaction = compactionAfterOverflow(state);
  return compaction === null ? end({ kind: "modelError" }) : compact(compaction);
}

/**
 * Reads run side by side, after the changes before them; changes run one by one in the order of their calls.
 * Nothing but a later change waits for a person, and an answered change waits for no other answer.
 */
function nextInTurn(state: RunState, now: number, traitsOf: TraitsOf): readonly Effect[] {
  const effects: Effect[] = [];
  let held: ReachedLimit | null = null;
  let proposing = false;
  let askedAhead = false;
  let changeInMotion = false;
  let readInMotion = false;
  for (const call of openCalls(state)) {
    const { ordered } = traitsOf(call.tool);
    const effect = forCall(call, { proposing, askedAhead, changeInMotion, readInMotion, ordered });
    if (call.status === "received") proposing = true;
    const isHeld = call.status === "asked" || (ordered && askedAhead && call.status === "allowed");
    if (ordered && call.status === "asked") askedAhead = true;
    if (ordered && !isHeld) changeInMotion = true;
    if (!ordered && !isHeld) readInMotion = true;
    if (effect === null) continue;
    const limit = effect.kind === "runTool" ? limitBeforeTool(state, now, countRuns(effects)) : null;
    if (limit === null) effects.push(effect);
    else held ??= limit;
  }
  return held === null || isWorking(state, effects) ? effects : [end(toEnding(held))];
}

/** Calls that are about to run, or run without having begun, count against the limit before they have begun. */
const countRuns = (effects: readonly Effect[]): number => effects.filter((effect) => effect.kind === "runTool").length;

/** A limit that holds one call back leaves those that may run their end. */
function isWorking(state: RunState, effects: readonly Effect[]): boolean {
  const isRunning = openCalls(state).some((call) => call.status === "running");
  return isRunning || effects.some((effect) => effect.kind !== "propose");
}

function forCall(
  call: CallState,
  order: { proposing: boolean; askedAhead: boolean; changeInMotion: boolean; readInMotion: boolean; ordered: boolean },
): Effect | null {
  const { callId } = call;
  switch (call.status) {
    case "received":
      return order.proposing ? null : { kind: "propose", key: `propose:${callId}`, callId };
    case "interrupted":
      return { kind: "settle", key: `settle:${callId}`, callId };
    case "approved":
      return order.ordered && order.changeInMotion ? null : toRun(callId, order.ordered);
    case "allowed":
      if (order.changeInMotion || (order.ordered && (order.askedAhead || order.readInMotion))) return null;
      return toRun(callId, order.ordered);
    case "asked":
    case "running":
    case "settled":
      return null;
  }
}

const toRun = (callId: string, ordered: boolean): Effect => ({
  kind: "runTool",
  key: `run:${callId}`,
  callId,
  ordered,
});

/** The model says that it is finished: agree on cancellations, judge, end. */
function nextAtFinal(state: RunState, gated: boolean): Effect | readonly Effect[] {
  if (!state.finalDecided) return { kind: "finalAnswer", key: "final" };
  if (!gated) return end({ kind: "done" });
  if (!state.judged) {
    if (state.verifying) return { kind: "verify", key: "verify" };
    if (pendingApprovals(state).length > 0) return [];
    const asks = !state.cancelUnanswered && openCancelWishes(state.ledger).length > 0;
    return asks ? { kind: "askCancel", key: "askCancel" } : { kind: "verify", key: "verify" };
  }
  if (state.passMayBeOld) return { kind: "confirmTree", key: "confirmTree" };
  return end(afterJudgement(state));
}

function afterJudgement(state: RunState): Ending {
  const last = state.lastVerification;
  if (last?.passed === true) return { kind: "done" };
  if (last?.unavailable) return { kind: "unavailable" };
  if (attemptsExhausted(state)) return last !== null && isOldRed(last) ? { kind: "review" } : { kind: "exhausted" };
  return { kind: "error", sentence: "nothing was judged" };
}

/** Nothing is wrong but what was wrong before: whether that belongs to the goal only a person can say. */
function isOldRed({ checks }: Verification): boolean {
  const failing = checks.filter((check) => check.verdict !== "pass" && check.verdict !== "not-applicable");
  return failing.length > 0 && failing.every((check) => (check.oldRed ?? []).length > 0);
}

const compact = (compaction: Compaction): Effect => ({ kind: "compact", key: "compact", compaction });
const end = (ending: Ending): Effect => ({ kind: "end", key: "end", ending });
const toEnding = (limit: ReachedLimit): Ending => ({ kind: "limit", ...limit });
