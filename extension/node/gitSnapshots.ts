import { lstat } from "node:fs/promises";
import type { FileChange, Snapshots } from "../core/ports/snapshots";
import { addPaths, removePaths } from "./gitSnapshotsIndex";
import { advance, compare, readKnown, storePaths, toUnseen, updateKnown, type Known } from "./gitSnapshotsKnown";
import { toBytePath, toTextPath } from "./gitSnapshotsPaths";
import { hashFiles, toObjectId } from "./gitSnapshotsRecent";
import { GitSnapshotsRules } from "./gitSnapshotsRules";
import { emptyTree, findObject, readChanges, writeFiles, type Folders } from "./gitSnapshotsTrees";
import { walkFiles } from "./gitSnapshotsWalk";
import { ShadowRepository, SnapshotFailure } from "./shadowRepository";
import { findUserRepository, type UserRepository } from "./shadowRepositoryUser";

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

/** Snapshots as git trees in a repository of our own. Links are kept as links; paths that are no UTF-8 as lone surrogates. */
export class GitSnapshots implements Snapshots {
  private readonly rules: GitSnapshotsRules;
  private readonly root: string;
  private turn: Promise<unknown> = Promise.resolve();
  private opened: Promise<{ shadow: ShadowRepository; user: UserRepository | null }> | null = null;
  private known: Known | null = null;
  private readonly folders: Folders = new Map();

  constructor(private readonly options: GitSnapshotsOptions) {
    const { root, store, own = [], outputs = [] } = options;
    this.root = root;
    this.rules = new GitSnapshotsRules({ root, own: [store, ...own], outputs });
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
    const rules = await this.rules.toWalkRules(shadow, user, signal);
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
    await storePaths(shadow, known, changed, { root: this.root, user, signal });
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
