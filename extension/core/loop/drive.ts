// The driver: asks `next` what may go on, starts it, and asks again whenever something ended or a person acted.
// It holds what is in flight and nothing else; the run's state is the fold over the journal.
import { errorText } from "../errorText";
import type { RunState } from "../journal/runState";
import { pendingApprovals } from "../journal/runState";
import { toolTraits } from "../tools/toolTraits";
import type { Effect, Ending } from "./effect";
import { expiredApprovals } from "./decideCommand";
import { wallLimit, wallMsLeft } from "./limits";
import { next } from "./next";
import { perform } from "./perform";
import { toEndEvents } from "./performEnding";
import type { RunContext } from "./runContext";

/** How long effects get to end after a stop, milliseconds; with the kill grace of commands this keeps a stop under two seconds. */
const drainMs = 1_800;

export interface Driver {
  /** Resolves with the state when the run has ended or, with nobody there, waits for a person. Never rejects. */
  readonly settled: Promise<RunState>;
  /** Ends the run as soon as what is in flight has stopped. */
  interrupt(ending: Ending): void;
  /** Stops what is in flight and ends nothing: `settled` resolves with a state that has no end. */
  leave(): void;
  /** Nobody is there any more: what needs a person is waited for no longer, and the run ends as pending. */
  suspend(): void;
  /** Something was journaled from outside (a person's command): look again. */
  wake(): void;
}

/** `opened` resolves when the run's first lines are written. */
export function drive(context: RunContext, opened: Promise<void>): Driver {
  const flights = new Map<string, Promise<void>>();
  const stop = new AbortController();
  /** The call with effects that is running. */
  let change: string | null = null;
  let interruption: Ending | null = null;
  let isLeft = false;
  let isAlone = false;
  let wakeUp: () => void = () => undefined;

  const interrupt = (ending: Ending): void => {
    interruption ??= ending;
    stop.abort();
    wakeUp();
  };

  const leave = (): void => {
    isLeft = true;
    stop.abort();
    wakeUp();
  };

  const suspend = (): void => {
    isAlone = true;
    wakeUp();
  };

  const start = (effect: Effect): void => {
    const flight = perform(effect, context, stop.signal)
      .catch((error: unknown) => {
        interrupt({ kind: "error", sentence: errorText(error) });
      })
      .then(() => {
        flights.delete(effect.key);
        if (change === effect.key) change = null;
      });
    flights.set(effect.key, flight);
    if (isChange(effect)) change = effect.key;
  };

  /** Starts what may start; an end waits until nothing else is in flight. */
  const startNext = (): void => {
    const effects = next(context.state(), context.clock.now(), (name) => toTraits(context, name));
    for (const effect of effects) {
      // A later call that a person answered first may be running when an earlier one is answered.
      if (flights.has(effect.key) || (isChange(effect) && change !== null)) continue;
      if (effect.kind !== "end") start(effect);
      else if (flights.size === 0) start(effect);
      else interrupt(effect.ending);
    }
  };

  /** The baseline alone keeps no run from waiting for a person: a resume begins it anew. */
  const isIdle = (): boolean => {
    if (flights.size === 0) return true;
    return [...flights.keys()].every((key) => key === "baseline") && pendingApprovals(context.state()).length > 0;
  };

  const waitForChange = async (): Promise<void> => {
    const timer = new AbortController();
    const woken = new Promise<void>((resolve) => (wakeUp = resolve));
    const wall = context.clock.sleep(Math.min(timeToNextDeadline(context), 2 ** 31 - 1), timer.signal);
    await Promise.race([...flights.values(), woken, wall]);
    timer.abort();
  };

  const drain = async (): Promise<void> => {
    const done = new AbortController();
    await Promise.race([Promise.all(flights.values()), context.clock.sleep(drainMs, done.signal)]);
    done.abort();
  };

  const loop = async (): Promise<RunState> => {
    await opened;
    while (context.state().end === null && !isLeft) {
      if (interruption !== null) {
        await drain();
        return finish(context, interruption);
      }
      await context.emit(...expiredApprovals(context.state(), context.clock.now()));
      if (wallMsLeft(context.state(), context.clock.now()) <= 0) {
        interrupt({ kind: "limit", ...wallLimit(context.state()) });
        continue;
      }
      if (isLeft) continue;
      startNext();
      if (interruption !== null) continue;
      if (isIdle() && (isAlone || !mayWait(context.state()))) {
        if (flights.size === 0) return finish(context, toIdleEnding(context.state()));
        interrupt(toIdleEnding(context.state()));
        continue;
      }
      if (context.state().end === null) await waitForChange();
    }
    await drain();
    return context.state();
  };

  return {
    settled: loop().catch(async (error: unknown) => {
      if (!isLeft) return finishUnjournaled(context, error);
      await drain();
      return context.state();
    }),
    interrupt,
    leave,
    suspend,
    wake: () => wakeUp(),
  };
}

const isChange = (effect: Effect): boolean => effect.kind === "runTool" && effect.ordered;

function toTraits(context: RunContext, name: string): { ordered: boolean } {
  const tool = context.tools.find(name);
  return tool === null ? toolTraits.unknown : toolTraits.of(tool.tags);
}

/** The wall limit while work goes on, the next expiry while only a person is waited for. Milliseconds. */
function timeToNextDeadline(context: RunContext): number {
  const now = context.clock.now();
  const expiries = pendingApprovals(context.state()).map((approval) => Date.parse(approval.expiresAt) - now);
  return Math.max(0, Math.min(wallMsLeft(context.state(), now), ...expiries));
}

/** With nothing in flight only a person moves the run on: somebody has to be there, and something to answer. */
function mayWait(state: RunState): boolean {
  return state.end !== null || (state.spec?.onAsk === "wait" && pendingApprovals(state).length > 0);
}

/** Nothing runs and nobody can be asked: it waits for a person, or it is a mistake of ours, which is never shown as done. */
function toIdleEnding(state: RunState): Ending {
  return pendingApprovals(state).length > 0 ? { kind: "pending" } : { kind: "error", sentence: "the run cannot go on" };
}

async function finish(context: RunContext, ending: Ending): Promise<RunState> {
  if (context.state().end === null) await context.emit(...toEndEvents(context.state(), ending));
  return context.state();
}

/** The journal cannot be written: the run ends in memory, as an error that says so. */
function finishUnjournaled(context: RunContext, error: unknown): RunState {
  const [end] = toEndEvents(context.state(), { kind: "error", sentence: errorText(error) }).slice(-1);
  if (end?.type !== "agent_end") return context.state();
  const { type: _type, ...fields } = end;
  return { ...context.state(), end: fields };
}
