// The bare repository in which snapshots are kept. It lies outside the workspace, has its own index and its own
// settings, and reads the person's objects only where that is asked for: writing next to them would refresh their times.
import { randomBytes } from "node:crypto";
import { copyFile, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fixedSettings, isolatedEnvironment, runGit, type GitAnswer } from "./shadowRepositoryGit";
import { fileStamp } from "./shadowRepositoryUser";

/** Why a snapshot could not be taken; the message tells a person what to do. */
export class SnapshotFailure extends Error {}

export interface ShadowOptions {
  /** Absolute; made when it is missing. */
  store: string;
  /** The workspace. */
  root: string;
  program: string;
  /** The person's objects, or null. */
  objects: string | null;
}

export interface ShadowCall {
  input?: string;
  signal?: AbortSignal | undefined;
  /** Instead of this process's own index. */
  index?: string;
  /** Let git see the person's objects. Only for calls that write none. */
  withUserObjects?: boolean;
}

/** No conversion of any kind: a tree holds the bytes that are on the disk. Outranks every .gitattributes in the tree. */
const attributes = "* -text -filter -ident -working-tree-encoding\n";

export class ShadowRepository {
  private readonly environment: Record<string, string | undefined>;

  private constructor(
    private readonly options: ShadowOptions,
    /** Of this instance alone, so that two processes on one workspace do not wait for each other's lock. */
    readonly index: string,
  ) {
    this.environment = { ...isolatedEnvironment(process.env, options.store), GIT_INDEX_FILE: index };
  }

  /** Throws SnapshotFailure. */
  static async open(options: ShadowOptions): Promise<ShadowRepository> {
    const index = join(options.store, `index-${process.pid}-${randomBytes(6).toString("hex")}`);
    const shadow = new ShadowRepository(options, index);
    try {
      await shadow.prepare();
    } catch (error: unknown) {
      throw error instanceof SnapshotFailure
        ? error
        : new SnapshotFailure(explainDisk(error, options.store), { cause: error });
    }
    return shadow;
  }

  private async prepare(): Promise<void> {
    const { store } = this.options;
    if (!(await isFile(join(store, "HEAD")))) await this.create();
    await removeIndexesOfTheDead(store);
    await copyIndex(join(store, "index"), this.index);
  }

  /** Made aside and moved into place, so that nobody ever sees half of it. */
  private async create(): Promise<void> {
    const { store } = this.options;
    const draft = `${store}.new-${process.pid}-${randomBytes(6).toString("hex")}`;
    await mkdir(draft, { recursive: true, mode: 0o700 });
    try {
      const made = await this.start(
        [...fixedSettings, "init", "-q", "--bare", "--template=", draft],
        dirname(store),
        {},
      );
      if (made.exitCode !== 0) throw this.explain(made);
      await mkdir(join(draft, "info"), { recursive: true });
      await writeFile(join(draft, "info", "attributes"), attributes);
      await rename(draft, store);
    } catch (error: unknown) {
      await rm(draft, { recursive: true, force: true });
      // Another process was quicker.
      if (await isFile(join(store, "HEAD"))) return;
      throw error;
    }
  }

  /** Runs git on the workspace; answers its standard output. Throws SnapshotFailure unless it exits with 0. */
  async git(args: readonly string[], call: ShadowCall = {}): Promise<Buffer> {
    const answer = await this.attempt(args, call);
    if (answer.ended !== "exited" || answer.exitCode !== 0) throw this.explain(answer);
    return answer.stdout;
  }

  /** The same for a caller that can do something about a failure of git's; all others still throw. */
  async attempt(args: readonly string[], call: ShadowCall = {}): Promise<GitAnswer> {
    const { store, root } = this.options;
    const answer = await this.start(
      [...fixedSettings, `--git-dir=${store}`, `--work-tree=${root}`, ...args],
      store,
      call,
    );
    const isFailure = answer.exitCode !== 0;
    if (answer.ended !== "exited" || (isFailure && isAboutStorage(answer.stderr))) throw this.explain(answer);
    return answer;
  }

  /** The working folder is never the workspace: on some systems programs are looked for there first. */
  private start(args: readonly string[], cwd: string, call: ShadowCall): Promise<GitAnswer> {
    const { program, objects } = this.options;
    const env = {
      ...this.environment,
      ...(call.index === undefined ? {} : { GIT_INDEX_FILE: call.index }),
      ...(call.withUserObjects === true && objects !== null
        ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: quotePath(objects) }
        : {}),
    };
    return runGit({
      program,
      args,
      cwd,
      env,
      ...(call.input === undefined ? {} : { input: call.input }),
      signal: call.signal,
    });
  }

  /** With the lock that a killed git leaves beside it. */
  async discardIndex(): Promise<void> {
    for (const path of [this.index, `${this.index}.lock`]) await rm(path, { force: true });
  }

  /** Changes whenever the index is written. */
  indexStamp(): Promise<string | null> {
    return fileStamp(this.index);
  }

  /** Of the index file's modification: no entry that is older has to be doubted. 0 when there is none. */
  async indexSecond(): Promise<number> {
    const found = await stat(this.index).catch(() => null);
    return found === null ? 0 : Math.floor(found.mtimeMs / 1000);
  }

  /** Lets the next process start from this index instead of from nothing. `second` is when the oldest entry was looked at. */
  async publishIndex(second: number): Promise<void> {
    const draft = `${this.index}.out`;
    await copyIndex(this.index, draft);
    await utimes(draft, second, second);
    await rename(draft, join(this.options.store, "index"));
  }

  explain({ ended, exitCode, stderr }: GitAnswer): SnapshotFailure {
    const { store, program } = this.options;
    const said = stderr.trim().split("\n").slice(-3).join("; ");
    if (ended === "cancelled") return new SnapshotFailure("the snapshot was stopped");
    if (ended === "missing") {
      return new SnapshotFailure(
        `${program} could not be started (${said}). Install git, make sure it is on PATH, then try again`,
      );
    }
    if (isAboutStorage(stderr)) {
      return new SnapshotFailure(
        `snapshots cannot be written to ${store} (${said}). Free some space or make that folder writable, then try again`,
      );
    }
    return new SnapshotFailure(
      `git could not take the snapshot (exit ${exitCode ?? "unknown"}): ${said}. If this goes on, delete ${store} and try again`,
    );
  }
}

function isAboutStorage(stderr: string): boolean {
  return /No space left|[Dd]isk quota|Read-only file system|insufficient permission for adding|unable to (?:create temporary|write)|Unable to (?:create|write) '?\S*index|File too large/.test(
    stderr,
  );
}

function explainDisk(error: unknown, store: string): string {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  const advice =
    code === "ENOSPC" ? "Free some space" : "Make that folder writable or choose another one with XDG_STATE_HOME";
  return `snapshots cannot be kept in ${store} (${code}). ${advice}, then try again`;
}

/** Whoever copies an index must not make it look newer: git compares its time with that of the files it lists. */
async function copyIndex(from: string, to: string): Promise<void> {
  const source = await stat(from).catch(() => null);
  if (source === null) return;
  await copyFile(from, to);
  const wholeSecond = Math.floor(source.mtimeMs / 1000);
  await utimes(to, wholeSecond, wholeSecond);
}

async function removeIndexesOfTheDead(store: string): Promise<void> {
  for (const name of await readdir(store)) {
    const pid = Number(/^index-(\d+)-/.exec(name)?.[1]);
    if (pid > 0 && !isAlive(pid)) await rm(join(store, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error: unknown) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}

/** Git reads a list of folders there, and a name in quotes as C would. */
function quotePath(path: string): string {
  const separator = process.platform === "win32" ? ";" : ":";
  if (!path.includes(separator) && !path.startsWith('"')) return path;
  return `"${path.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}
