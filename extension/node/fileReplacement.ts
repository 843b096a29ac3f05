import { constants, type Stats } from "node:fs";
import { access, link, lstat, mkdir, open, readFile, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { failed, type FileFailure } from "./fileFailure";
import { toTemporaryName, type PendingStep } from "./pendingWrites";

/** What a change of a file leans on. */
export interface Surroundings {
  /** Null when the file cannot be read. */
  digestOf: (path: string) => Promise<string | null>;
  /** Runs a step in which a killed process would leave something behind. */
  around: <T>(step: PendingStep, act: () => Promise<T>) => Promise<T>;
}

/** Answers null when it is done. Throws what the system says. */
export async function writeFile(
  path: string,
  bytes: Uint8Array,
  expected: string | null,
  surroundings: Surroundings,
): Promise<FileFailure | null> {
  const { digestOf } = surroundings;
  const found = await look(path);
  const refusal =
    found === null ? refuseAbsent(path, expected) : await refuseReplacing(path, found, expected, digestOf);
  if (refusal) return refusal;
  return withTemporary(path, surroundings, async (temporary) => {
    await fill(temporary, bytes, found);
    if (found === null) return placeNew(temporary, path);
    // Once more, as late as can be: somebody else may have written while we did.
    const changed = await refuseReplacing(path, await look(path), expected, digestOf);
    if (changed) return changed;
    await rename(temporary, path);
    return null;
  });
}

export async function deleteFile(
  path: string,
  expected: string,
  { digestOf }: Surroundings,
): Promise<FileFailure | null> {
  const refusal = await refuseOther(path, await look(path), expected, digestOf);
  if (refusal) return refusal;
  await unlink(path);
  return null;
}

export async function moveFile(
  from: string,
  to: string,
  expected: string,
  surroundings: Surroundings,
): Promise<FileFailure | null> {
  const found = await look(from);
  const refusal = await refuseOther(from, found, expected, surroundings.digestOf);
  if (refusal || found === null) return refusal;
  const target = await look(to);
  if (target !== null && from !== to && isSameName(found, target)) {
    await rename(from, to);
    return null;
  }
  if (target !== null) return failed("exists", `${to} exists already`);
  return inParentOf(to, () =>
    surroundings.around({ kind: "move", from, to }, async () => {
      const taken = await placeMoved(from, to, found, surroundings);
      if (taken) return taken;
      await unlink(from);
      return null;
    }),
  );
}

async function look(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error: unknown) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return null;
    throw error;
  }
}

function refuseAbsent(path: string, expected: string | null): FileFailure | null {
  return expected === null ? null : failed("changed", `${path} does not exist any more`);
}

async function refuseReplacing(
  path: string,
  found: Stats | null,
  expected: string | null,
  digestOf: Surroundings["digestOf"],
): Promise<FileFailure | null> {
  if (found === null) return refuseAbsent(path, expected);
  const kind = refuseKind(path, found);
  if (kind) return kind;
  if (expected === null) return failed("exists", `${path} exists already`);
  if (found.nlink > 1)
    return failed("linked", `${path} has ${found.nlink} hard links: writing it would cut or change the others`);
  // A rename asks the folder for permission, not the file: a file set to read-only is to stay as it is.
  if ((found.mode & 0o222) === 0) return failed("read-only", `${path} is set to read-only`);
  await access(path, constants.W_OK);
  return (await digestOf(path)) === expected ? null : failed("changed", `${path} is not what it was when it was read`);
}

async function refuseOther(
  path: string,
  found: Stats | null,
  expected: string,
  digestOf: Surroundings["digestOf"],
): Promise<FileFailure | null> {
  if (found === null) return failed("not-found", `${path} does not exist`);
  const kind = refuseKind(path, found);
  if (kind) return kind;
  return (await digestOf(path)) === expected ? null : failed("changed", `${path} is not what it was when it was read`);
}

function refuseKind(path: string, found: Stats): FileFailure | null {
  if (found.isSymbolicLink()) return failed("linked", `${path} is a symbolic link`);
  if (found.isDirectory()) return failed("is-directory", `${path} is a folder`);
  return found.isFile() ? null : failed("not-a-file", `${path} is not a regular file`);
}

/** Makes the folders above a file, and takes those it made away again when the act comes to nothing. */
async function inParentOf(path: string, act: () => Promise<FileFailure | null>): Promise<FileFailure | null> {
  const parent = dirname(path);
  const topMade = await makeFolders(parent);
  let isDone = false;
  try {
    const failure = await act();
    isDone = failure === null;
    return failure;
  } finally {
    if (!isDone && topMade !== undefined) await removeFolders(parent, topMade);
  }
}

async function makeFolders(folder: string): Promise<string | undefined> {
  try {
    return await mkdir(folder, { recursive: true });
  } catch (error: unknown) {
    // A file where a folder should be; "exists" would be told of the wrong path.
    if (hasCode(error, "EEXIST")) throw Object.assign(new Error("not a folder", { cause: error }), { code: "ENOTDIR" });
    throw error;
  }
}

async function removeFolders(folder: string, top: string): Promise<void> {
  for (let at = folder; at.length >= top.length; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      // Somebody else has put something into it: it stays, and so do those above.
      return;
    }
  }
}

/** Lends a name beside the file for new bytes, and takes away what is left under it. */
function withTemporary(
  path: string,
  { around }: Surroundings,
  act: (temporary: string) => Promise<FileFailure | null>,
): Promise<FileFailure | null> {
  const temporary = join(dirname(path), toTemporaryName());
  return inParentOf(path, () =>
    around({ kind: "write", temporary }, async () => {
      try {
        return await act(temporary);
      } finally {
        await removeIfThere(temporary);
      }
    }),
  );
}

/** The new bytes on the disk, with the mode the target has or will have. */
async function fill(temporary: string, bytes: Uint8Array, replaced: Stats | null): Promise<void> {
  const file = await open(temporary, "wx", replaced === null ? 0o666 : 0o600);
  try {
    await file.writeFile(bytes);
    if (replaced !== null) {
      await keepOwner(file, replaced);
      await file.chmod(replaced.mode & 0o7777);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/** An editor that runs as root must not take a person's file away; for everybody else the owner is the same anyway. */
async function keepOwner(file: Awaited<ReturnType<typeof open>>, replaced: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid === replaced.uid && own.gid === replaced.gid) return;
  try {
    await file.chown(replaced.uid, replaced.gid);
  } catch (error: unknown) {
    if (!hasCode(error, "EPERM", "EINVAL", "ENOSYS")) throw error;
  }
}

/** A second name for the finished file is the one step that never overwrites; the first name goes with the clean-up. */
async function placeNew(temporary: string, path: string): Promise<FileFailure | null> {
  try {
    await link(temporary, path);
    return null;
  } catch (error: unknown) {
    if (hasCode(error, "EEXIST")) return failed("exists", `${path} exists already`);
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
  }
  // A disk without hard links: an empty file of our own keeps the place until the full one takes it.
  await (await open(path, "wx")).close();
  await rename(temporary, path);
  return null;
}

async function placeMoved(
  from: string,
  to: string,
  found: Stats,
  surroundings: Surroundings,
): Promise<FileFailure | null> {
  try {
    await link(from, to);
    return null;
  } catch (error: unknown) {
    if (hasCode(error, "EEXIST")) return failed("exists", `${to} exists already`);
    if (!hasCode(error, "EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")) throw error;
  }
  return withTemporary(to, surroundings, async (copy) => {
    await fill(copy, await readFile(from), found);
    return placeNew(copy, to);
  });
}

/** Two spellings of one name on a disk that ignores case; a hard link would count as two. */
function isSameName(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.nlink === 1;
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error: unknown) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? "");
}
