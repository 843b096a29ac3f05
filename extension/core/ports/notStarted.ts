import type { CommandExit } from "./commandRunner";

/** What a runner answers for a command that it could not start. */
export function notStarted(error: string): CommandExit {
  return {
    ended: "not-started",
    exitCode: null,
    signal: null,
    output: "",
    fullOutput: null,
    durationMs: 0,
    survivors: [],
    error,
  };
}
