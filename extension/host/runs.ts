// What every view and command of the editor works with: the runs of the open folders, as folded from their journals.
// There is no second state: a view shows a projection of `RunEntry.state`, a person's action goes in through `send`.
import type { CommandExplanation } from "../core/agents/explainCommand";
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
  /** ISO 8601. */
  readonly startedAt: string;
  readonly mode: RunMode;
  /** While `whole` is false only what its first and last line tell: goal, root, how it ended. Nothing is known verified then. */
  readonly state: RunState;
  readonly whole: boolean;
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
  /** The scripted demo model, whatever the settings say. */
  model?: "demo";
}

export type StartAnswer =
  /** `queued`: another run works on the folder; this one begins when that has ended. */
  { ok: true; id: string; queued: boolean } | StartRefusal;

export interface StartRefusal {
  ok: false;
  code:
    | "restricted"
    | "folder"
    | "config"
    | "not-accepted"
    | "model"
    | "key"
    | "busy"
    | "held"
    | "journal"
    | "nothing-to-do";
  /** Says what to do about it. */
  message: string;
  /** Where the person has to look: a place in donegate.yaml. Both numbers are 1-based. */
  at?: { path: string; line: number; column: number };
}

/** Something a person should be told that no row shows. `queued-left`: `startLeft` or `dropLeft` answers it. */
export interface RunNotice {
  kind: "queued-refused" | "queued-left" | "taken-over" | "survivors" | "torn";
  id: string;
  message: string;
}

export interface Runs extends Disposable {
  /**
   * Reads the histories of the open folders; once, whoever calls. A view calls it when it becomes visible. Commands and
   * runs that wait do it by themselves; before that `entries` is empty.
   */
  load(): Promise<void>;
  /** Newest first. Histories are read by first and last line only until `open` is called on one. */
  entries(): readonly RunEntry[];
  find(id: string): RunEntry | null;
  /** The run a person means when none is named: the live one, else one that waits, else the newest. Null: there is none. */
  current(): RunEntry | null;
  /** Reads a history's whole journal so that its entry has its state. Never touches the file. */
  open(id: string): Promise<RunEntry | null>;
  /** What was folded into the entry's state, oldest first; empty for an unknown run and for one whose entry is not `whole`. */
  events(id: string): readonly JournaledEvent[];
  /** The whole of an output that the journal keeps beside itself (`tool_end.blob`); null when it is gone. */
  readOutput(id: string, reference: string): Promise<string | null>;
  /** Called after each change of an entry, coalesced to at most ten times a second per run; never while nothing changed. */
  onDidChange(listener: (entry: RunEntry) => void): Disposable;
  /** Text deltas, progress, countdowns of live runs. */
  onSignal(listener: (id: string, signal: Signal) => void): Disposable;
  onNotice(listener: (notice: RunNotice) => void): Disposable;
  start(wish: RunWish): Promise<StartAnswer>;
  /** Starts what another window left in the queue, named by a notice; it waits again when the folder is busy. */
  startLeft(id: string): Promise<StartAnswer>;
  /** Takes it off the queue. */
  dropLeft(id: string): Promise<void>;
  /** Goes on with a paused run or, with a message, with an ended one. */
  resume(id: string, message?: string): Promise<StartAnswer>;
  /**
   * A person's command. On a paused run an answer to an approval resumes it first; a stop ends it. On a run that another
   * window holds it is refused with a reason that says so.
   */
  send(id: string, command: Command): Promise<CommandAnswer>;
  /** Stops the holder of a run that is watched and goes on with it here. */
  takeOver(id: string): Promise<StartAnswer>;
  /** Runs the checks that the folder's newest run froze, or the folder's own where none froze any, with no agent. */
  verifyNow(folder: string): Promise<VerifyReport>;
  /** What a run that began now on the folder would do with the command. Starts nothing. */
  explainCommand(folder: string, command: string): Promise<ExplainReport>;
  /** Leaves the live runs as they are, so that the next window goes on with them. Ends their commands, releases the locks. */
  leave(): Promise<void>;
}

export type VerifyReport =
  | { ok: true; verdict: string; reason: string; checks: readonly { name: string; verdict: string; reason: string }[] }
  | StartRefusal;

export type ExplainReport =
  | {
      ok: true;
      explained: CommandExplanation;
      /** The donegate.yaml that was counted as accepted, as a run needs it; null when there is none. */
      config: string | null;
    }
  | StartRefusal;
