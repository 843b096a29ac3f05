// Start, freeze, talk, end: the events around the turns.
import type { Folds } from "./folds";
import type { Event, RunSpec } from "./event";
import { foldCompaction } from "./compaction";
import { interruptOpenCalls, openingMessages, sayAsPerson, updateCall } from "./history";
import type { RunState } from "./runState";
import { forgetCircles } from "./stuck";

type LifeEvent =
  | "agent_start"
  | "agent_resume"
  | "agent_end"
  | "plan_frozen"
  | "snapshot"
  | "baseline_end"
  | "model_error"
  | "process_started"
  | "human_message"
  | "human_accepted"
  | "limit_reached"
  | "compaction"
  | "child_start"
  | "child_end";

const unchanged = (state: RunState): RunState => state;

export const lifeFolds: Folds<LifeEvent> = {
  agent_start: (state, { type: _type, ...spec }) => ({
    ...state,
    spec,
    history: openingMessages(spec),
    window: spec.contextWindow ?? null,
  }),
  agent_resume: (state, event) => ({
    ...interruptOpenCalls(state),
    spec: state.spec === null ? null : resumedSpec(state.spec, event),
    sealed: state.sealed && event.sealed,
    resumed: state.resumed + 1,
    end: null,
    limit: null,
    // A request that was too long is not sent again as it was.
    modelFailure: state.end === null && state.modelFailure?.failure.code === "overflow" ? state.modelFailure : null,
    stuck: state.limit?.limit === "stuck" ? forgetCircles(state.stuck) : state.stuck,
    verifying: false,
    cancelUnanswered: false,
    // A gate that could not judge, or was cut short, judges first of all.
    judged: state.judged && state.lastVerification?.charged === true,
    passMayBeOld: state.lastVerification?.passed === true && state.lastVerification.treeAfter !== null,
  }),
  agent_end: (state, { type: _type, ...end }) => ({ ...state, end, verifying: false }),
  plan_frozen: (state, event) => ({ ...state, plan: event.plan }),
  snapshot: foldSnapshot,
  baseline_end: (state, event) => ({ ...state, baseline: event.checks }),
  model_error: (state, event) => ({ ...state, modelFailure: event.retryInMs === null ? event : null }),
  process_started: (state, event) => ({
    ...state,
    processes: [...state.processes, { pid: event.pid, startedAt: event.startedAt }],
  }),
  human_message: (state, event) => sayAsPerson(state, event.text),
  human_accepted: (state, event) => ({ ...state, accepted: { by: event.by, what: event.what } }),
  limit_reached: (state, event) => ({ ...state, limit: event }),
  compaction: (state, { type: _type, ...compaction }) => foldCompaction(state, compaction),
  child_start: unchanged,
  child_end: unchanged,
};

function foldSnapshot(state: RunState, event: Event<"snapshot">): RunState {
  if (event.purpose === "start") return { ...state, startTree: event.tree, notCovered: event.notCovered };
  if (event.purpose === "call") return updateCall(state, event.callId ?? "", { treeBefore: event.tree });
  // A pass counts for the tree it judged: any other tree needs a new one.
  const isJudgedTree = event.tree === state.lastVerification?.treeAfter;
  return { ...state, passMayBeOld: false, judged: state.judged && isJudgedTree };
}

function resumedSpec(spec: RunSpec, { model, endpoint, onAsk }: Event<"agent_resume">): RunSpec {
  return { ...spec, model, endpoint, onAsk: onAsk ?? spec.onAsk };
}
