import { execFile } from "node:child_process";
import { win32 } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { listProcesses, readEnvironment, type ProcessRow } from "./processTable";

/** Which processes are meant: those of the groups, those that carry the mark, and the children of both. */
export interface ProcessSet {
  groups: readonly number[];
  /** Judges a process by the `NAME=value` pairs it was started with; asked on Linux only. */
  isMarked(environment: readonly string[]): boolean;
}

type Signal = "SIGTERM" | "SIGKILL";

const graceMs = 500;
const killWaitMs = 1_000;
const taskkillMs = 900;
const pollMs = 25;
/** A process that has no environment at all looks like one that is just being started, so the doubt has an end. */
const mostDoubts = 2;

/**
 * TERM, then KILL after half a second, until none is left; answers the pids that are still there after 1.5 s.
 * Never touches this process or one of its ancestors. Never rejects.
 */
export async function endProcesses(set: ProcessSet): Promise<readonly number[]> {
  if (process.platform === "win32") return endTrees(set.groups);
  const known = new Set<number>();
  const afterTerm = await signalUntilGone(set, known, "SIGTERM", graceMs);
  return afterTerm.length === 0 ? [] : signalUntilGone(set, known, "SIGKILL", killWaitMs);
}

/** Signals each process once as it is found, those born meanwhile too, and waits. */
async function signalUntilGone(
  set: ProcessSet,
  known: Set<number>,
  signal: Signal,
  waitMs: number,
): Promise<readonly number[]> {
  const deadline = performance.now() + waitMs;
  const signalled = new Set<number>();
  let doubts = 0;
  for (;;) {
    const { pids, groups, isUnsure } = await findMembers(set, known);
    doubts = pids.length === 0 && isUnsure ? doubts + 1 : 0;
    const isSettled = pids.length === 0 && (doubts === 0 || doubts > mostDoubts);
    if (isSettled || performance.now() > deadline) return pids;
    // The whole group at one blow first, so that none can fork in between.
    if (signalled.size === 0) groups.forEach((group) => send(-group, signal));
    for (const pid of pids) {
      if (!signalled.has(pid)) send(pid, signal);
      signalled.add(pid);
    }
    await delay(pollMs);
  }
}

interface Members {
  pids: readonly number[];
  /** The groups that hold none of the spared processes. */
  groups: readonly number[];
  /** A process that is replacing its program shows no environment for a moment: it may carry the mark. */
  isUnsure: boolean;
}

/** `known` grows: whoever was found once stays a member when its parent, by which it was found, is gone. */
async function findMembers(set: ProcessSet, known: Set<number>): Promise<Members> {
  const rows = await listProcesses().catch(() => null);
  // Without a process table the groups themselves are all that can be asked.
  if (rows === null) return { pids: set.groups.filter(isGroupAlive), groups: set.groups, isUnsure: false };
  const spared = ancestors(rows);
  const members = new Set(known);
  let isUnsure = false;
  for (const row of rows) {
    const environment = readEnvironment(row.pid);
    if (set.groups.includes(row.group) || set.isMarked(environment)) members.add(row.pid);
    else isUnsure ||= row.alive && !isOfKernel(row) && isEmpty(environment);
  }
  addDescendants(rows, members, spared);
  const found = rows.filter((row) => members.has(row.pid) && row.alive && !spared.has(row.pid));
  found.forEach((row) => known.add(row.pid));
  const sparedGroups = new Set(rows.filter((row) => spared.has(row.pid)).map((row) => row.group));
  const aliveGroups = new Set(found.map((row) => row.group));
  return {
    pids: found.map((row) => row.pid),
    groups: set.groups.filter((group) => aliveGroups.has(group) && !sparedGroups.has(group)),
    isUnsure: isUnsure && process.platform === "linux",
  };
}

/** Threads of the kernel never have an environment. */
const isOfKernel = (row: ProcessRow): boolean => row.pid === 2 || row.parent === 2;

/** Read, and nothing in it; what may not be read belongs to somebody else. */
const isEmpty = (environment: readonly string[]): boolean => environment.length === 1 && environment[0] === "";

function ancestors(rows: readonly ProcessRow[]): Set<number> {
  const parents = new Map(rows.map((row) => [row.pid, row.parent]));
  const found = new Set<number>();
  for (let pid: number | undefined = process.pid; pid !== undefined && !found.has(pid); pid = parents.get(pid)) {
    found.add(pid);
  }
  return found;
}

/** A child that left the group and dropped its environment is still a child. */
function addDescendants(rows: readonly ProcessRow[], members: Set<number>, spared: ReadonlySet<number>): void {
  let size;
  do {
    size = members.size;
    for (const row of rows) {
      if (members.has(row.parent) && !spared.has(row.parent)) members.add(row.pid);
    }
  } while (members.size > size);
}

/** True while a process of the group lives. */
export function isGroupAlive(group: number): boolean {
  return process.platform === "win32" ? isThere(group) : isThere(-group);
}

/** True while there is a process under this number, or a group under its negative. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error: unknown) {
    // EPERM: there is one, and it is not ours.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function send(pid: number, signal: Signal): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or not ours to end: the next look at the table tells which.
  }
}

/** Windows has no groups: `taskkill` ends each process with all that it started. Answers what is still there. */
export async function endTrees(
  pids: readonly number[],
  taskkill: string = toTaskkill(process.env),
): Promise<readonly number[]> {
  await Promise.all(
    pids.map(
      (pid) =>
        new Promise<void>((done) => {
          const options = { windowsHide: true, timeout: taskkillMs };
          execFile(taskkill, ["/PID", String(pid), "/T", "/F"], options, () => done());
        }),
    ),
  );
  const deadline = performance.now() + taskkillMs;
  while (pids.some(isThere) && performance.now() < deadline) await delay(pollMs);
  return pids.filter(isThere);
}

/** By its full path: Windows looks in the working folder first, which the run can write to. */
export function toTaskkill(environment: NodeJS.ProcessEnv): string {
  return win32.join(
    environment["SystemRoot"] ?? environment["SYSTEMROOT"] ?? "C:\\Windows",
    "System32",
    "taskkill.exe",
  );
}
