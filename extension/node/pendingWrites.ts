// What is half done on this disk. A process that is killed in the middle of a write cannot clean up; the next one does.
import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import * as z from "zod";
import { isThere } from "./processGroup";
import { isSameStart, readStartTime } from "./processTable";

const pendingStep = z.discriminatedUnion("kind", [
  /** A file of our own beside the one that is written. */
  z.strictObject({ kind: z.literal("write"), temporary: z.string() }),
  /** The file has its second name and is to lose its first. */
  z.strictObject({ kind: z.literal("move"), from: z.string(), to: z.string() }),
]);

const note = z.strictObject({
  host: z.string(),
  pid: z.number(),
  startedAt: z.number().nullable(),
  step: pendingStep,
});

export type PendingStep = z.infer<typeof pendingStep>;
type Note = z.infer<typeof note>;

const temporaryName = /^\.donegate-[0-9a-f]{16}\.tmp$/;

export function toTemporaryName(): string {
  return `.donegate-${randomBytes(8).toString("hex")}.tmp`;
}

/** Notes in a folder outside every workspace, one for each step that is under way. */
export class PendingWrites {
  #self: Promise<Omit<Note, "step">> | null = null;

  constructor(private readonly folder: string) {}

  /** Runs a step that would leave something behind if this process were killed in it. */
  async around<T>(step: PendingStep, act: () => Promise<T>): Promise<T> {
    const file = join(this.folder, `${randomBytes(8).toString("hex")}.json`);
    this.#self ??= this.#begin();
    await writeFile(file, JSON.stringify({ ...(await this.#self), step } satisfies Note), { flag: "wx" });
    try {
      return await act();
    } finally {
      // A note that stays speaks of nothing that is still there.
      await unlink(file).catch(() => undefined);
    }
  }

  async #begin(): Promise<Omit<Note, "step">> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return { host: hostname(), pid: process.pid, startedAt: await readStartTime(process.pid) };
  }
}

/** Ends what processes that are gone have left half done: their own files go, a move is finished. */
export async function clearPendingWrites(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((entry) => entry.endsWith(".json"))) {
    const file = join(folder, name);
    const found = await readNote(file);
    if (found !== null && (found.host !== hostname() || (await isAlive(found)))) continue;
    if (found !== null) await clear(found.step);
    await unlink(file).catch(() => undefined);
  }
}

/** Null when it was cut short, and then nothing had been done yet. */
async function readNote(file: string): Promise<Note | null> {
  try {
    return note.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}

async function isAlive({ pid, startedAt }: Note): Promise<boolean> {
  if (!isThere(pid)) return false;
  const found = await readStartTime(pid);
  return found === null || startedAt === null || isSameStart(found, startedAt);
}

async function clear(step: PendingStep): Promise<void> {
  if (step.kind === "write") {
    const found = await lstat(step.temporary).catch(() => null);
    if (temporaryName.test(basename(step.temporary)) && found?.isFile() === true) await unlinkIfAllowed(step.temporary);
    return;
  }
  const [from, to] = await Promise.all([step.from, step.to].map((path) => lstat(path).catch(() => null)));
  const isTwice = from?.isFile() === true && to?.ino === from.ino && to.dev === from.dev;
  if (isTwice && step.from !== step.to) await unlinkIfAllowed(step.from);
}

/** The folder may have become read-only since: then it stays, and the next start tries no more. */
async function unlinkIfAllowed(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
