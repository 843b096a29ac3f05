// The queue of a workspace: one small file for each run that waits, in the folder `queue` beside the runs.
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { isRunning, isSameStart, readStartTime } from "./processTable";
import { workspaceState } from "./statePaths";

const wishShape = z.object({
  goal: z.string(),
  folder: z.string(),
  kind: z.enum(["auto", "edit", "question"]),
  model: z.literal("demo").exactOptional(),
});
const fileShape = z.object({ wish: wishShape, pid: z.int(), startedAt: z.number() });

export interface QueuedWish {
  id: string;
  /** Absolute real path of the folder. */
  root: string;
  wish: z.infer<typeof wishShape>;
}

const ending = ".json";

/** Rejects when it could not be written: then nothing is queued. */
export async function putQueued({ id, root, wish }: QueuedWish): Promise<void> {
  const folder = folderOf(root);
  await mkdir(folder, { recursive: true });
  const startedAt = (await readStartTime(process.pid)) ?? 0;
  const path = join(folder, id + ending);
  await writeFile(`${path}.new`, JSON.stringify({ wish, pid: process.pid, startedAt }));
  await rename(`${path}.new`, path);
}

/** Oldest first, since ids sort by time. `isLeft`: the process that queued it is gone. What is no wish is left out. */
export async function listQueued(root: string): Promise<readonly (QueuedWish & { isLeft: boolean })[]> {
  const folder = folderOf(root);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending)).sort();
  const found = await Promise.all(
    names.map((name) => readQueued(root, join(folder, name), name.slice(0, -ending.length))),
  );
  return found.filter((queued) => queued !== null);
}

/** False: it is gone already, so somebody else has taken it. */
export function takeQueued({ id, root }: Pick<QueuedWish, "id" | "root">): Promise<boolean> {
  return rm(join(folderOf(root), id + ending)).then(
    () => true,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    },
  );
}

async function readQueued(root: string, path: string, id: string): Promise<(QueuedWish & { isLeft: boolean }) | null> {
  const text = await readFile(path, "utf8").catch(() => null);
  const parsed = fileShape.safeParse(text === null ? null : toJson(text));
  if (!parsed.success) return null;
  const { wish, pid, startedAt } = parsed.data;
  return { id, root, wish, isLeft: !(await isTheSame(pid, startedAt)) };
}

async function isTheSame(pid: number, startedAt: number): Promise<boolean> {
  if (!(await isRunning(pid))) return false;
  const found = await readStartTime(pid);
  // Where start times are not told, the number has to do.
  return found === null || startedAt === 0 || isSameStart(found, startedAt);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function folderOf(root: string): string {
  return join(workspaceState(root).folder, "queue");
}
