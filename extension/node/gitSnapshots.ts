import { randomBytes } from "node:crypto";
import { lstat, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import picomatch from "picomatch/posix";
import { buildFolders, cacheFolders } from "../core/contract/builtInOutputs";
import type { FileChange, Snapshots } from "../core/ports/snapshots";
import { addPaths, findMissing, listEntries, removePaths, splitNul } from "./gitSnapshotsIndex";
import { toBytePath, toTextPath } from "./gitSnapshotsPaths";
import { hashFiles, readRecent, toObjectId, type RecentFiles } from "./gitSnapshotsRecent";
import { walkFiles, type Walk, type WalkRules } from "./gitSnapshotsWalk";
import { ShadowRepository, SnapshotFailure } from "./shadowRepository";
import { countIndexEntries, fileStamp, findUserRepository, type UserRepository } from "./shadowRepositoryUser";

export interface GitSnapshotsOptions {
  /** Absolute real path of the workspace. */
  root: string;
  /** Absolute path of the shadow repository, outside the workspace. */
  store: string;
  /** Globs, relative to the root, of what checks may write without changing the work. */
  outputs?: readonly string[];
  /** Absolute paths of the harness's own files and folders that may lie in the workspace: a journal, the state folder. */
  own?: readonly string[];
  /** Name or path of git. */
  program?: string;
}

type Picture = Awaited<ReturnType<Snapshots["take"]>>;

/** What the index holds. */
interface Known {
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

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const cacheNames: ReadonlySet<string> = new Set(cacheFolders);
const buildNames: ReadonlySet<string> = new Set(buildFolders);
/** Below this it is quicker to store bytes than to ask whether the person's repository has them. */
const fewPaths = 1_000;

/** Snapshots as git trees in a repository of our own. Links are kept as links; paths that are no UTF-8 as lone surrogates. */
export class GitSnapshots implements Snapshots {
  /** Of byte paths. */
  private readonly outputs: (path: string) => boolean;
  private readonly own: ReadonlySet<string>;
  private readonly root: string;
  private turn: Promise<unknown> = Promise.resolve();
  private opened: Promise<{ shadow: ShadowRepository; user: UserRepository | null }> | null = null;
  private known: Known | null = null;
  private readonly folders: Folders = new Map();
  private tracked: { stamp: string | null; folders: ReadonlySet<string> | null } | null = null;

  constructor(private readonly options: GitSnapshotsOptions) {
    this.root = options.root;
    const globs = options.outputs ?? [];
    const matches = picomatch([...globs], { dot: true });
    this.outputs = globs.length === 0 ? () => false : (path) => matches(toTextPath(path));
    this.own = new Set(
      [options.store, ...(options.own ?? [])].map((path) => toBytePath(toRelative(options.root, path))),
    );
  }

  take(signal: AbortSignal): Promise<Picture> {
    // One at a time: they share an index.
    const picture = this.turn.then(() => this.takeInTurn(signal));
    this.turn = picture.catch(() => undefined);
    return picture;
  }

  private async takeInTurn(signal: AbortSignal): Promise<Picture> {
    try {
      return await this.takeNow(signal);
    } catch (error: unknown) {
      await this.forget();
      if (error instanceof SnapshotFailure) return { ok: false, message: error.message };
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      return {
        ok: false,
        message: `the workspace ${this.root} could not be read (${code}). Make it readable, then try again`,
      };
    }
  }

  /** After a failure the index is ahead of what we know of it, and the store may have gone: the next one starts anew. */
  private async forget(): Promise<void> {
    const opened = this.opened;
    this.known = null;
    this.opened = null;
    await opened?.then(({ shadow }) => shadow.discardIndex()).catch(() => undefined);
  }

  private async takeNow(signal: AbortSignal): Promise<Picture> {
    if (signal.aborted) throw new SnapshotFailure("the snapshot was stopped");
    const sinceSecond = Math.floor(Date.now() / 1000) - 1;
    const { shadow, user } = await this.open();
    const known = (this.known ??= await readKnown(shadow, signal));
    const isFirst = known.tree === null;
    const rules = await this.toRules(shadow, user, signal);
    const [walk, stubborn, hashes] = await Promise.all([
      walkFiles(this.root, rules, signal),
      updateKnown(shadow, known, signal),
      hashFiles(this.root, known.recent.keys()),
    ]);
    if (signal.aborted) throw new SnapshotFailure("the snapshot was stopped");
    const { added, gone } = compare(walk, known);
    const goneNow = new Set(gone);
    const changed = [...added, ...stubborn.filter((path) => !goneNow.has(path))].sort();
    await removePaths(shadow, gone, signal);
    await this.store(shadow, known, user, changed, signal);
    await advance(shadow, known, sinceSecond, signal);
    const unseen = toUnseen(known, hashes);
    if (unseen.length > 0) {
      await removePaths(shadow, unseen, signal);
      await addPaths(shadow, unseen, { root: this.root, hashOnly: false, signal });
      await advance(shadow, known, sinceSecond, signal);
    }
    // All others have just been hashed, in a later second than the one in which they changed.
    known.recent = new Map([...known.recent].filter(([, { changedAtSecond }]) => changedAtSecond >= sinceSecond));
    known.sinceSecond = sinceSecond;
    if (isFirst) await shadow.publishIndex(sinceSecond);
    const lost = await this.findLost([...changed, ...unseen].filter((path) => !known.files.has(path)));
    return { ok: true, tree: known.tree ?? emptyTree, notCovered: [...walk.leftOut, ...lost].map(toTextPath).sort() };
  }

  private open(): Promise<{ shadow: ShadowRepository; user: UserRepository | null }> {
    const { root, store, program = "git" } = this.options;
    this.opened ??= (async () => {
      const user = await findUserRepository(root);
      return { user, shadow: await ShadowRepository.open({ root, store, program, objects: user?.objects ?? null }) };
    })();
    // A failure is not remembered: what was missing may be there the next time.
    this.opened.catch(() => (this.opened = null));
    return this.opened;
  }

  private async toRules(
    shadow: ShadowRepository,
    user: UserRepository | null,
    signal: AbortSignal,
  ): Promise<WalkRules> {
    const stamp = user === null ? null : await fileStamp(user.index);
    if (this.tracked?.stamp !== stamp || this.tracked === null) {
      const folders =
        user === null || stamp === null ? new Set<string>() : await findTrackedBuildFolders(shadow, user, signal);
      this.tracked = { stamp, folders };
    }
    const { folders } = this.tracked;
    return {
      own: this.own,
      isOutput: this.outputs,
      isOutputFolder: (path, name) => cacheNames.has(name) || (buildNames.has(name) && folders?.has(path) === false),
    };
  }

  /** Many paths in a committed work tree: hash first, then store only what the person's repository does not have. */
  private async store(
    shadow: ShadowRepository,
    known: Known,
    user: UserRepository | null,
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const { root } = this;
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

  /** Files that git would not take (unreadable, or under a name it refuses), without those that have just gone. */
  private async findLost(paths: string[]): Promise<string[]> {
    const base = toBytePath(this.root);
    const there = await Promise.all(
      paths.map((path) =>
        lstat(Buffer.from(`${base}/${path}`, "latin1")).then(
          () => true,
          (error: unknown) => (error as NodeJS.ErrnoException).code !== "ENOENT",
        ),
      ),
    );
    return paths.filter((_path, at) => there[at]);
  }

  async diff(from: string, to: string): Promise<FileChange[]> {
    const { shadow } = await this.open();
    const changes = await readChanges(shadow, from, to);
    return changes
      .map(({ path, kind }) => ({ path: toTextPath(path), kind }))
      .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  }

  async materialise(
    tree: string,
    folder: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ ok: true } | { ok: false; message: string }> {
    try {
      const { shadow } = await this.open();
      await writeFiles(shadow, tree, { folder, limit, signal });
      return { ok: true };
    } catch (error: unknown) {
      if (error instanceof SnapshotFailure) return { ok: false, message: error.message };
      throw error;
    }
  }

  /** A link's bytes are its target. Rejects when the tree is unknown or the bytes are not those that were recorded. */
  async read(tree: string, path: string): Promise<Uint8Array | null> {
    const { shadow } = await this.open();
    const object = await findObject(shadow, this.folders, tree, toBytePath(path));
    if (object === null) return null;
    const bytes = await shadow.git(["cat-file", "blob", object], { withUserObjects: true });
    // The person's objects lie in the workspace, where a run can write.
    if (toObjectId(bytes) !== object)
      throw new SnapshotFailure(`the bytes of ${path} in snapshot ${tree} have been changed since`);
    return bytes;
  }
}

/** What an earlier process left in the index. Entries whose bytes have gone are dropped, so that they are stored anew. */
async function readKnown(shadow: ShadowRepository, signal: AbortSignal): Promise<Known> {
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
async function updateKnown(shadow: ShadowRepository, known: Known, signal: AbortSignal): Promise<string[]> {
  if (known.files.size === 0) return [];
  const answer = await shadow.attempt(["add", "-u", "--ignore-errors"], { signal });
  return answer.exitCode === 0 ? [] : splitNul(await shadow.git(["diff-files", "--name-only", "-z"], { signal }));
}

async function isMostlyCommitted(user: UserRepository | null, paths: readonly string[]): Promise<boolean> {
  if (user === null || user.objects === null || paths.length <= fewPaths) return false;
  return (await countIndexEntries(user.index)) * 2 > paths.length;
}

function compare(walk: Walk, known: Known): { added: string[]; gone: string[] } {
  const added = walk.files.filter((path) => !known.files.has(path));
  if (walk.files.length - added.length === known.files.size) return { added, gone: [] };
  const present = new Set(walk.files);
  return { added, gone: [...known.files].filter((path) => !present.has(path)) };
}

/** Recent files whose bytes are not those that the index has. */
function toUnseen(known: Known, hashes: ReadonlyMap<string, string | null>): string[] {
  return [...hashes].flatMap(([path, object]) => {
    const recorded = known.recent.get(path);
    return recorded === undefined || recorded.object === object ? [] : [path];
  });
}

/** Writes the tree and learns from it, not from what was meant to be in it, which files there are. */
async function advance(
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

/** Through an index of its own, which is gone afterwards. */
async function writeFiles(
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
async function readChanges(
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
type Folders = Map<string, ReadonlyMap<string, { type: string; object: string }>>;
const maxFolders = 500;

/** By listing the folders: a path may hold anything, and git's own `tree:path` would read some of it as syntax. */
async function findObject(
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

/** Folders with the name of a build folder that hold files the person tracks. Null when the person's index could not be read. */
async function findTrackedBuildFolders(
  shadow: ShadowRepository,
  user: UserRepository,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const globs = buildFolders.map((name) => `:(glob)**/${name}/**`);
  const answer = await shadow.attempt(["ls-files", "-z", "--full-name", "--", ...globs], {
    index: user.index,
    withUserObjects: true,
    signal,
  });
  if (answer.exitCode !== 0) return null;
  const prefix = toBytePath(user.prefix);
  const paths = splitNul(answer.stdout).flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []));
  return new Set(paths.flatMap(buildFoldersAbove));
}

function buildFoldersAbove(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.flatMap((name, at) => (buildNames.has(name) ? [segments.slice(0, at + 1).join("/")] : []));
}

function toRelative(root: string, path: string): string {
  return relative(root, join(path)).split(sep).join("/");
}
