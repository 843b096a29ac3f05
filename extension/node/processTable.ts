import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  /** False for a zombie: it has ended and only waits to be collected. */
  alive: boolean;
}

/** Linux counts start times in hundredths of a second for user space, whatever the kernel's own tick is. */
const ticksPerSecond = 100;

/** Every process of this machine that may be seen. Rejects when the system would not say. */
export async function listProcesses(): Promise<ProcessRow[]> {
  if (process.platform === "linux") return listFromProc();
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="]);
  return stdout.split("\n").flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (pid === undefined || state === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), alive: !state.startsWith("Z") }];
  });
}

function listFromProc(): ProcessRow[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const fields = readStat(Number(name));
    if (!fields) return [];
    const [state, parent, group] = fields;
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), alive: state !== "Z" && state !== "X" }];
  });
}

/** Whether a process runs; one that has ended and only waits to be collected does not, one that is stopped does. */
export async function isRunning(pid: number): Promise<boolean> {
  if (!answersSignals(pid)) return false;
  if (process.platform === "win32") return true;
  if (process.platform === "linux") {
    const state = readStat(pid)?.[0];
    // Where it may not be looked at, that it can be signalled has to do.
    return state !== "Z" && state !== "X";
  }
  const { stdout } = await promisify(execFile)("ps", ["-o", "stat=", "-p", String(pid)]).catch(
    // ps exits with 1 when there is no such process.
    () => ({ stdout: "Z" }),
  );
  return !stdout.trim().startsWith("Z");
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error: unknown) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * When a process started, milliseconds since 1970, or null when there is no such process or nobody can say.
 * Not exact: the clock may have been set since, so compare with `isSameStart`.
 */
export async function readStartTime(pid: number): Promise<number | null> {
  if (process.platform === "linux") return readStartTimeFromProc(pid);
  if (process.platform === "win32") return null;
  try {
    const { stdout } = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)], {
      env: { ...process.env, LC_ALL: "C" },
    });
    const startedAt = Date.parse(stdout.trim());
    return Number.isNaN(startedAt) ? null : startedAt;
  } catch {
    // ps exits with 1 when there is no such process.
    return null;
  }
}

/** The start time of a child that was spawned in this very turn of the event loop, so it cannot have been collected yet. */
export function readStartTimeOfChild(pid: number): number {
  return (process.platform === "linux" ? readStartTimeFromProc(pid) : null) ?? Date.now();
}

/** Two seconds of slack: `ps` answers whole seconds and a clock that is set moves Linux's boot time. */
export function isSameStart(one: number, other: number): boolean {
  return Math.abs(one - other) <= 2_000;
}

function readStartTimeFromProc(pid: number): number | null {
  const ticks = Number(readStat(pid)?.[19]);
  const bootSeconds = Number(/^btime (\d+)$/m.exec(readProcFile("/proc/stat") ?? "")?.[1]);
  const startedAt = bootSeconds * 1_000 + (ticks * 1_000) / ticksPerSecond;
  return Number.isNaN(startedAt) ? null : startedAt;
}

/** The fields of `/proc/PID/stat` from the state on; the name before them may hold spaces and parentheses. */
function readStat(pid: number): string[] | null {
  const text = readProcFile(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** `NAME=value` pairs a process was started with; empty when they may not be seen. Linux only. */
export function readEnvironment(pid: number): readonly string[] {
  if (process.platform !== "linux") return [];
  return readProcFile(`/proc/${pid}/environ`)?.split("\0") ?? [];
}

function readProcFile(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process has ended since it was listed, or it belongs to somebody else.
    return null;
  }
}
