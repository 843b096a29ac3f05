// What the trees of the shadow repository hold: their differences, their files, and all of one written to a folder.
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { FileChange } from "../core/ports/snapshots";
import { splitNul } from "./gitSnapshotsIndex";
import { SnapshotFailure, type ShadowRepository } from "./shadowRepository";

export const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Through an index of its own, which is gone afterwards. */
export async function writeFiles(
  shadow: ShadowRepository,
  tree: string,
  { folder, limit, signal }: { folder: string; limit: number; signal: AbortSignal },
): Promise<void> {
  assertTree(tree);
  const index = `${shadow.index}-${tree.slice(0, 12)}-${randomBytes(4).toString("hex")}`;
  const call = { index, signal, withUserObjects: true };
  try {
    const read = await shadow.attempt(["read-tree", tree], call);
    if (read.exitCode !== 0) throw unknownTree(tree);
    const files = splitNul(await shadow.git(["ls-files", "-z"], call)).length;
    if (files > limit) throw new SnapshotFailure(`it holds ${files} files, more than ${limit}`);
    await shadow.git(["checkout-index", "--all", "--force", `--prefix=${folder}/`], call);
  } finally {
    for (const path of [index, `${index}.lock`]) await rm(path, { force: true });
  }
}

const kinds: Readonly<Record<string, FileChange["kind"]>> = { A: "added", D: "deleted", M: "modified", T: "modified" };

/** Byte paths. */
export async function readChanges(
  shadow: ShadowRepository,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<FileChange[]> {
  for (const tree of [from, to]) assertTree(tree);
  const answer = await shadow.attempt(["diff-tree", "-r", "-z", "--no-renames", "--raw", from, to], { signal });
  if (answer.exitCode !== 0) throw unknownTree([from, to].join(" or "));
  const fields = splitNul(answer.stdout);
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const kind = kinds[fields[at]?.at(-1) ?? ""];
    if (kind === undefined) throw new SnapshotFailure(`git answered an unknown change: ${fields[at]}`);
    changes.push({ path: fields[at + 1] ?? "", kind });
  }
  return changes;
}

/** Listings of trees by name; a tree never changes, so neither does its listing. */
export type Folders = Map<string, ReadonlyMap<string, { type: string; object: string }>>;
const maxFolders = 500;

/** By listing the folders: a path may hold anything, and git's own `tree:path` would read some of it as syntax. */
export async function findObject(
  shadow: ShadowRepository,
  folders: Folders,
  tree: string,
  bytePath: string,
): Promise<string | null> {
  assertTree(tree);
  const segments = bytePath.split("/");
  let object = tree;
  for (const [at, segment] of segments.entries()) {
    const found = (await listFolder(shadow, folders, object)).get(segment);
    if (found?.type !== (at === segments.length - 1 ? "blob" : "tree")) return null;
    object = found.object;
  }
  return object;
}

async function listFolder(shadow: ShadowRepository, folders: Folders, tree: string) {
  const known = folders.get(tree);
  if (known !== undefined) return known;
  const answer = await shadow.attempt(["ls-tree", "-z", tree]);
  if (answer.exitCode !== 0) throw unknownTree(tree);
  const folder = new Map(
    splitNul(answer.stdout).map((row) => {
      const [, type = "", object = ""] = row.slice(0, row.indexOf("\t")).split(" ");
      return [row.slice(row.indexOf("\t") + 1), { type, object }] as const;
    }),
  );
  if (folders.size >= maxFolders) folders.clear();
  folders.set(tree, folder);
  return folder;
}

function assertTree(tree: string): void {
  if (!/^[0-9a-f]{40}$/.test(tree)) throw unknownTree(tree);
}

function unknownTree(tree: string): SnapshotFailure {
  return new SnapshotFailure(`there is no snapshot ${tree}`);
}
