// What every view and command of the editor works with: the runs of the open folders, as folded from their journals.
// There is no second state: a view shows a projection of `RunEntry.state`, a person's action goes in through `send`.
import type { JournaledEvent } from "../core/journal/event";
import type { RunState } from "../core/journal/runState";
import type { Command, CommandAnswer } from "../core/loop/command";
import type { Signal } from "../core/loop/signal";

export interface Disposable {
  dispose(): void;
}

/**
 * live: this window drives it. watching: another window holds its lock, this one follows the journal read-only.
 * paused: nobody drives it and it can go on (suspended, interrupted by a reload or a crash). ended: it has its last word.
 * unreadable: its journal cannot be resumed here; `problem` says why.
 */
export type RunMode = "live" | "watching" | "paused" | "ended" | "unreadable";

export interface RunEntry {
  readonly id: string;
  /** Absolute real path of the folder it works on. */
  readonly root: string;
  /** Path of its journal. */
  readonly journal: string;
  readonly mode: RunMode;
  readonly state: RunState;
  readonly problem: string | null;
  /** Who holds the lock while watching. */
  readonly holder: { pid: number; since: string } | null;
  /** True when the tree is no longer the one that was judged. Null: not known, or nothing was judged. */
  readonly stale: boolean | null;
}

export interface RunWish {
  goal: string;
  /** Absolute path of the folder. */
  folder: string;
  kind: "auto" | "edit" | "question";
}

export type StartAnswer =
  | { ok: true; id: string }
  /** `at` is where the person has to look: a place in donegate.yaml. */
  | { ok: false; message: string; at?: { path: string; line: number; column: number } };

export interface Runs extends Disposable {
  /** Newest first. Histories are read by header only until `open` is called on one. */
  entries(): readonly RunEntry[];
  find(id: string): RunEntry | null;
  /** The run a person means when none is named: the live one, else one that waits, else the newest. Null: there is none. */
  current(): RunEntry | null;
  /** Reads a history's whole journal so that its entry has its state. Never touches the file. */
  open(id: string): Promise<RunEntry | null>;
  /** What was folded into the entry's state, oldest first; empty for an unknown run and for a history that is not open. */
  events(id: string): readonly JournaledEvent[];
  /** Called after each change of an entry, coalesced to at most ten times a second per run; never while nothing changed. */
  onDidChange(listener: (entry: RunEntry) => void): Disposable;
  /** Text deltas, progress, countdowns of live runs. */
  onSignal(listener: (id: string, signal: Signal) => void): Disposable;
  start(wish: RunWish): Promise<StartAnswer>;
  /** Goes on with a paused run or, with a message, with an ended one. */
  resume(id: string, message?: string): Promise<StartAnswer>;
  /**
   * A person's command. On a paused run an answer to an approval resumes it first. On a run that another window holds it is
   * refused with a reason that says so.
   */
  send(id: string, command: Command): Promise<CommandAnswer>;
  /** Stops the holder of a run that is watched and goes on with it here. */
  takeOver(id: string): Promise<StartAnswer>;
  /** Runs the frozen checks, or the folder's own where no run froze any, with no agent. */
  verifyNow(folder: string): Promise<VerifyReport>;
}

export type VerifyReport =
  | { ok: true; verdict: string; reason: string; checks: readonly { name: string; verdict: string; reason: string }[] }
  | { ok: false; message: string };
