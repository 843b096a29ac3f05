// The one reducer: journal lines in, run state out. Pure, total over every event type, and the only place where state changes.
import type { EventType, JournaledEvent } from "./event";
import { approvalFolds } from "./foldApprovals";
import { callFolds } from "./foldCalls";
import { gateFolds } from "./foldGate";
import { lifeFolds } from "./foldLife";
import type { Fold, Folds } from "./folds";
import { initialState, toPhase, type RunState } from "./runState";

const folds: Folds<EventType> = { ...lifeFolds, ...callFolds, ...approvalFolds, ...gateFolds };

export function fold(state: RunState, event: JournaledEvent): RunState {
  // The envelope stays out of the state: a line that was read back has more on it than one that was just written.
  const { v: _v, seq: _seq, ts: _ts, run: _run, prev: _prev, seal: _seal, ...body } = event;
  return (folds[event.type] as Fold<EventType>)(advanceClock(state, event), body);
}

export function foldAll(events: Iterable<JournaledEvent>): RunState {
  let state = initialState;
  for (const event of events) state = fold(state, event);
  return state;
}

/** Time between two events counts as work unless a person was waited for, or the run lay still between end and resume. */
function advanceClock(state: RunState, event: JournaledEvent): RunState {
  const ts = Date.parse(event.ts);
  const phase = toPhase(state);
  const idle = state.lastTs === 0 || phase === "waiting" || phase === "ended" || event.type === "agent_resume";
  const worked = idle ? 0 : Math.max(0, ts - state.lastTs);
  return { ...state, run: event.run, seq: event.seq, lastTs: ts, activeMs: state.activeMs + worked };
}
