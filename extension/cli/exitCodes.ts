import type { RunStatus } from "../core/journal/event";

/** Part of the contract with scripts (design 4.2). */
export const exitCodes = { done: 0, error: 1, incomplete: 2, pending: 3, stopped: 4, usage: 64 } as const;

const byStatus: Readonly<Record<RunStatus, number>> = {
  done: exitCodes.done,
  error: exitCodes.error,
  incomplete: exitCodes.incomplete,
  pending: exitCodes.pending,
  interrupted: exitCodes.stopped,
  timeout: exitCodes.stopped,
  closed: exitCodes.stopped,
};

/** A run without an end is an error: nothing vouches for it. */
export function toExitCode(status: RunStatus | null): number {
  return status === null ? exitCodes.error : byStatus[status];
}

/** Why a command did not do what it was asked to. `message` says what to do about it. */
export interface Refusal {
  ok: false;
  exitCode: number;
  message: string;
  /** What `--json` prints, where there is more to say than the message. */
  report?: object;
}

export const refuse = (message: string, exitCode: number = exitCodes.error): Refusal => ({
  ok: false,
  exitCode,
  message,
});
