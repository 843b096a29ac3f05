// A live run: events out, commands in. Whoever shows or drives a run (editor, CLI, embedding program) holds one of these.
import { errorText } from "../errorText";
import type { Event, JournaledEvent } from "../journal/event";
import { fold } from "../journal/fold";
import type { RunState } from "../journal/runState";
import type { Command, CommandAnswer } from "./command";
import { decideCommand } from "./decideCommand";
import { drive } from "./drive";
import type { RunContext } from "./runContext";
import type { Signal } from "./signal";

export interface RunListener {
  onEvent?(event: JournaledEvent, state: RunState): void;
  onSignal?(signal: Signal): void;
}

export interface AgentRun {
  /** The newest state; a new object after each event. */
  state(): RunState;
  /** Listeners are called in the order of the journal, after the line is written; one that throws is taken off. Answers how to stop listening. */
  subscribe(listener: RunListener): () => void;
  /** A person's command. `ok` means that it is journaled; otherwise nothing happened and `reason` says why. */
  send(command: Command): Promise<CommandAnswer>;
  /**
   * Stops driving the run here: what is in flight is stopped and nothing more is written, so that the journal ends as
   * after a crash and a resume goes on with what waited still waiting. Resolves within two seconds. Never rejects.
   */
  leave(): Promise<void>;
  /** The person went away: the run goes on with what needs nobody, then ends as pending with what waits still waiting. */
  suspend(): void;
  /** Resolves when the run has ended, was left or, with nobody to ask, waits for a person. Never rejects. */
  readonly settled: Promise<RunState>;
}

const endedReason = (end: NonNullable<RunState["end"]>): string => `the run has ended (${end.status})`;
const leftReason = "the run is not driven here any more";

/** Writes one event as the next journal line and answers it as written. Rejects when it cannot be written. */
export type AppendEvent = (event: Event) => Promise<JournaledEvent>;

export type ContextParts = Omit<RunContext, "state" | "emit" | "emitDecided" | "show">;

/** Starts or goes on with a run: `opening` is what is journaled first (`agent_start`, or `agent_resume` and what came with it). */
export function startRun(
  initial: RunState,
  opening: readonly Event[],
  append: AppendEvent,
  parts: ContextParts,
  listener?: RunListener,
): AgentRun {
  let state = initial;
  let writing: Promise<void> = Promise.resolve();
  let isLeft = false;
  const listeners = new Set<RunListener>(listener === undefined ? [] : [listener]);

  const writeAll = async (events: readonly Event[]): Promise<void> => {
    for (const event of events) {
      if (state.end !== null && event.type !== "agent_resume") throw new Error(endedReason(state.end));
      const journaled = await append(event);
      state = fold(state, journaled);
      tell((listener) => listener.onEvent?.(journaled, state));
    }
  };
  /** One that throws is gone: it is taken off, and the run goes on. */
  const tell = (call: (listener: RunListener) => void): void => {
    for (const listener of listeners) {
      try {
        call(listener);
      } catch {
        listeners.delete(listener);
      }
    }
  };
  /** One line after the other, whoever emits; after a failed write nothing more is written. */
  const emitDecided = (decide: (now: RunState) => readonly Event[]): Promise<void> => {
    // An effect may go on only after its line is written, so a line that is not written fails it.
    if (isLeft) return Promise.reject(new Error(leftReason));
    writing = writing.then(() => writeAll(decide(state)));
    writing.catch(() => undefined);
    return writing;
  };
  const emit = (...events: Event[]): Promise<void> => (events.length === 0 ? writing : emitDecided(() => events));
  const context: RunContext = {
    ...parts,
    state: () => state,
    emit,
    emitDecided,
    show: (signal) => tell((listener) => listener.onSignal?.(signal)),
  };

  // The opening is queued now, so that no command can come before it.
  const opened = emit(...opening);
  const driver = drive(context, opened);

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: driver.settled,
    suspend: () => driver.suspend(),
    leave: async () => {
      isLeft = true;
      driver.leave();
      await driver.settled;
      // What was queued before still gets on the disk whole.
      await writing.catch(() => undefined);
    },
    send: async (command) => {
      if (isLeft) return { ok: false, reason: leftReason };
      if (state.end !== null) return { ok: false, reason: endedReason(state.end) };
      if (command.type === "stop" || command.type === "close") {
        driver.interrupt({ kind: command.type === "stop" ? "interrupted" : "closed" });
        await driver.settled;
        return isLeft && state.end === null ? { ok: false, reason: leftReason } : { ok: true };
      }
      return answerInOrder(command);
    },
  };

  /** Decided against the state at the moment of writing, so that two answers to one approval cannot both count. */
  function answerInOrder(command: Exclude<Command, { type: "stop" | "close" }>): Promise<CommandAnswer> {
    const answered = writing.then(async (): Promise<CommandAnswer> => {
      if (isLeft) return { ok: false, reason: leftReason };
      if (state.end !== null) return { ok: false, reason: endedReason(state.end) };
      const decided = decideCommand(state, command, parts.clock.now());
      if (!decided.ok) return decided;
      await writeAll(decided.events);
      return { ok: true };
    });
    writing = answered.then(() => undefined);
    writing.catch(() => undefined);
    return answered.then(
      (answer) => {
        driver.wake();
        return answer;
      },
      (error: unknown) => ({ ok: false, reason: errorText(error) }),
    );
  }
}
