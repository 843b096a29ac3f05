import { spawn, type ChildProcess } from "node:child_process";
import type { CommandSpec } from "../core/ports/commandRunner";
import { commandVariable } from "./commandEnvironment";
import type { OutputChannel } from "./outputChannel";
import { endProcesses } from "./processGroup";
import { readStartTimeOfChild } from "./processTable";

/** A file to start and its arguments, as they are. */
export interface Program {
  file: string;
  args: readonly string[];
}

/** A process that exists, and what has to be known about it. */
export interface CommandProcess {
  child: ChildProcess;
  /** Also the number of its group. */
  pid: number;
  /** The value of the variable by which it and its children are told from other commands. */
  mark: string;
  channel: OutputChannel;
}

/** How a started process came to its end; `stopped` when we ended it. */
export interface CommandEnding {
  stopped: "timeout" | "cancelled" | null;
  exitCode: number | null;
  signal: string | null;
  survivors: readonly number[];
  error: string | null;
}

/** The longest time a timer can hold; it fires at once for more. */
const longestTimeoutMs = 2_147_483_647;
const collectMs = 200;

/** Starts a program as the leader of its own group, without terminal and input. Never rejects. */
export async function startProcess(
  program: Program,
  channel: OutputChannel,
  settings: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<{ ok: true; child: ChildProcess; pid: number } | { ok: false; message: string }> {
  try {
    const stdio: ["ignore", number | "pipe", number | "pipe"] = ["ignore", ...channel.targets];
    const child = spawn(program.file, program.args, { ...settings, stdio, detached: true, windowsHide: true });
    return child.pid === undefined
      ? { ok: false, message: await failureOf(child, program.file) }
      : { ok: true, child, pid: child.pid };
  } catch (error: unknown) {
    // Some failures (a zero byte, an argument list too long) are thrown, others come as an event.
    return { ok: false, message: explain(error, program.file) };
  } finally {
    channel.closeTargets();
  }
}

/** From the started process to its end, whichever comes first: exit, timeout, cancellation. Never rejects. */
export async function followProcess(
  command: CommandProcess,
  spec: CommandSpec,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<CommandEnding> {
  const { child, pid, mark, channel } = command;
  const exited = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    child.once("exit", (exitCode, exitSignal) => resolve({ exitCode, signal: exitSignal }));
  });
  const stop = createStop(spec.timeoutMs, signal);
  const reading = recordStart(pid, spec).then((error) => {
    if (error !== null) stop.because("cancelled", error);
    channel.read(child, onText);
  });
  const first = await Promise.race([exited, stop.requested]);
  stop.dispose();
  if ("exitCode" in first) {
    await reading;
    return { stopped: null, ...first, survivors: [], error: null };
  }
  const pair = `${commandVariable}=${mark}`;
  const survivors = await endProcesses({ groups: [pid], isMarked: (environment) => environment.includes(pair) });
  await reading;
  const end = await Promise.race([exited, after(collectMs)]);
  // Whatever code a program chose while it was being ended says nothing about its work.
  return { stopped: first.reason, exitCode: null, signal: end?.signal ?? null, survivors, error: first.error };
}

interface StopRequest {
  reason: "timeout" | "cancelled";
  error: string | null;
}

function createStop(timeoutMs: number, signal: AbortSignal) {
  let because: (reason: StopRequest["reason"], error: string | null) => void = () => {};
  const requested = new Promise<StopRequest>((resolve) => {
    because = (reason, error) => resolve({ reason, error });
  });
  const timer = setTimeout(() => because("timeout", null), Math.min(timeoutMs, longestTimeoutMs));
  const cancel = () => because("cancelled", null);
  signal.addEventListener("abort", cancel, { once: true });
  const dispose = () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  };
  return { requested, because, dispose };
}

/** Answers why the start could not be recorded, else null. */
async function recordStart(pid: number, spec: CommandSpec): Promise<string | null> {
  // Read before anything is awaited: a process that is gone by then has no start time any more.
  const startedAt = readStartTimeOfChild(pid);
  try {
    await spec.onStarted?.({ pid, startedAt });
    return null;
  } catch (error: unknown) {
    return `ended, because its start could not be recorded: ${toMessage(error)}`;
  }
}

/** A child without a pid has an error event on its way. */
function failureOf(child: ChildProcess, file: string): Promise<string> {
  return new Promise((resolve) => child.once("error", (error) => resolve(explain(error, file))));
}

function explain(error: unknown, file: string): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT") return `the program was not found: ${file}`;
  if (code === "EACCES") return `the program may not be executed: ${file}`;
  return `the program could not be started: ${file}: ${toMessage(error)}`;
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function after(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}
