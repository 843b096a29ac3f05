// What is known of the shadow repository's index, so that a picture costs what has changed since the last one.
import { addPaths, findMissing, listEntries, removePaths, splitNul } from "./gitSnapshotsIndex";
import { readRecent, type RecentFiles } from "./gitSnapshotsRecent";
import { emptyTree, readChanges } from "./gitSnapshotsTrees";
import type { Walk } from "./gitSnapshotsWalk";
import type { ShadowRepository } from "./shadowRepository";
import { countIndexEntries, type UserRepository } from "./shadowRepositoryUser";

/** What the index holds. */
export interface Known {
  /** Null before the first tree. */
  tree: string | null;
  /** Byte paths of all entries. */
  files: Set<string>;
  /** Entries so young that git may miss their next edit. */
  recent: RecentFiles;
  /** When the last picture was begun, less a second. */
  sinceSecond: number;
  /** Of the index file when `tree` was written from it. */
  stamp: string | null;
}

/** Below this it is quicker to store bytes than to ask whether the person's repository has them. */
const fewPaths = 1_000;

/** What an earlier process left in the index. Entries whose bytes have gone are dropped, so that they are stored anew. */
export async function readKnown(shadow: ShadowRepository, signal: AbortSignal): Promise<Known> {
  const entries = await listEntries(shadow, signal);
  // Before anything is written to the index and makes it younger.
  const sinceSecond = await shadow.indexSecond();
  const recent = await readRecent(shadow.index, sinceSecond);
  const missing = (await findMissing(shadow, entries, signal)).map((entry) => entry.path);
  await removePaths(shadow, missing, signal);
  const files = new Set(entries.map((entry) => entry.path));
  for (const path of missing) files.delete(path);
  return { tree: null, files, recent, sinceSecond, stamp: null };
}

/** Stores what has changed in files the index has; answers those git could not store. */
export async function updateKnown(shadow: ShadowRepository, known: Known, signal: AbortSignal): Promise<string[]> {
  if (known.files.size === 0) return [];
  const answer = await shadow.attempt(["add", "-u", "--ignore-errors"], { signal });
  return answer.exitCode === 0 ? [] : splitNul(await shadow.git(["diff-files", "--name-only", "-z"], { signal }));
}

async function isMostlyCommitted(user: UserRepository | null, paths: readonly string[]): Promise<boolean> {
  if (user === null || user.objects === null || paths.length <= fewPaths) return false;
  return (await countIndexEntries(user.index)) * 2 > paths.length;
}

export function compare(walk: Walk, known: Known): { added: string[]; gone: string[] } {
  const added = walk.files.filter((path) => !known.files.has(path));
  if (walk.files.length - added.length === known.files.size) return { added, gone: [] };
  const present = new Set(walk.files);
  return { added, gone: [...known.files].filter((path) => !present.has(path)) };
}

/** Recent files whose bytes are not those that the index has. */
export function toUnseen(known: Known, hashes: ReadonlyMap<string, string | null>): string[] {
  return [...hashes].flatMap(([path, object]) => {
    const recorded = known.recent.get(path);
    return recorded === undefined || recorded.object === object ? [] : [path];
  });
}

/** Writes the tree and learns from it, not from what was meant to be in it, which files there are. */
export async function advance(
  shadow: ShadowRepository,
  known: Known,
  sinceSecond: number,
  signal: AbortSignal,
): Promise<void> {
  if (known.tree !== null && known.stamp === (await shadow.indexStamp())) return;
  const [written, recent] = await Promise.all([
    writeTree(shadow, signal),
    readRecent(shadow.index, Math.min(sinceSecond, known.sinceSecond)),
  ]);
  if (known.tree === null) known.files.clear();
  for (const { path, kind } of await readChanges(shadow, known.tree ?? emptyTree, written, signal)) {
    if (kind === "deleted") known.files.delete(path);
    else known.files.add(path);
  }
  Object.assign(known, { tree: written, recent, stamp: await shadow.indexStamp() });
}

/** Some blobs are only in the person's repository, which git must not see while it writes. */
async function writeTree(shadow: ShadowRepository, signal: AbortSignal): Promise<string> {
  return (await shadow.git(["write-tree", "--missing-ok"], { signal })).toString("latin1").trim();
}

/** Many paths in a committed work tree: hash first, then store only what the person's repository does not have. */
export async function storePaths(
  shadow: ShadowRepository,
  known: Known,
  paths: readonly string[],
  { root, user, signal }: { root: string; user: UserRepository | null; signal: AbortSignal },
): Promise<void> {
  if (!(await isMostlyCommitted(user, paths))) return addPaths(shadow, paths, { root, hashOnly: false, signal });
  await addPaths(shadow, paths, { root, hashOnly: true, signal });
  const list = async () => {
    const entries = await listEntries(shadow, signal);
    return { entries, missing: (await findMissing(shadow, entries, signal)).map((entry) => entry.path) };
  };
  const [{ entries, missing }, tree] = await Promise.all([list(), writeTree(shadow, signal)]);
  known.files = new Set(entries.map((entry) => entry.path));
  known.tree = tree;
  await removePaths(shadow, missing, signal);
  await addPaths(shadow, missing, { root, hashOnly: false, signal });
}
