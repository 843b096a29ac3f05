import type { CommandView } from "./isolation";

export interface CommandSpec {
  /** An argv is started as it is; text goes to a real shell with `-e -o pipefail`. */
  run: readonly string[] | string;
  /** Absolute. */
  cwd: string;
  /** Added to the runner's own allow-listed base environment. */
  env?: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** What it sees of the machine; the machine as it is when left out. `not-started` where no view can be made. */
  view?: CommandView;
  /** Called once, before any output, when the process exists. Awaited: the process's death is never left unrecorded. */
  onStarted?: (process: { pid: number; startedAt: number }) => Promise<void>;
  /** Folded output as it comes, for views. */
  onOutput?: (text: string) => void;
}

export interface CommandExit {
  /** `not-started`: the program is missing or may not be executed. */
  ended: "exited" | "signalled" | "timeout" | "cancelled" | "not-started";
  /** Null means unknown; never 0 by default. */
  exitCode: number | null;
  signal: string | null;
  /** Both streams in order of arrival, folded (last carriage-return frame, no ANSI), head and tail with a count of what is left out. */
  output: string;
  /** All of the folded output when `output` is not all of it, else null. */
  fullOutput: string | null;
  durationMs: number;
  /** Processes of the group that could not be ended. */
  survivors: readonly number[];
  /** Why it did not start, else null. */
  error: string | null;
}

export interface CommandRunner {
  /** Resolves at exit even when a child keeps the pipe. Never rejects. `signal` ends the whole group. */
  run(spec: CommandSpec, signal: AbortSignal): Promise<CommandExit>;
  /** Ends what earlier runs of this journal left behind (same pid and start time); answers what it could not end. */
  endLeftOvers(processes: readonly { pid: number; startedAt: number }[]): Promise<readonly number[]>;
  /** Absolute real path of a program as `run` would find it from `cwd`, or null. */
  which(program: string, cwd: string): Promise<string | null>;
}
