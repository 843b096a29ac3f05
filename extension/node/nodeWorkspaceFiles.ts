import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { lstat, open, readdir, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { DirectoryEntry, FileBytes, FileResult, WorkspaceFiles } from "../core/ports/workspaceFiles";
import { failed, toFailure, type FileFailure } from "./fileFailure";
import { deleteFile, moveFile, writeFile, type Surroundings } from "./fileReplacement";
import { NodeHasher } from "./nodeHasher";
import type { PendingWrites } from "./pendingWrites";

/** More does not fit one buffer everywhere; a caller that wants less says so. */
const largestFileBytes = 512 * 1024 * 1024;
const scanBytes = 1024 * 1024;

/** Files on this disk. A write goes through a file of its own beside the target, so extended attributes are not kept. */
export class NodeWorkspaceFiles implements WorkspaceFiles {
  private readonly hasher = new NodeHasher();
  private readonly surroundings: Surroundings;

  /** `pending`: where steps are noted that a killed process would leave half done; null: nowhere. */
  constructor(pending: PendingWrites | null = null) {
    this.surroundings = {
      digestOf: (path) => this.digestOf(path),
      around: (step, act) => (pending === null ? act() : pending.around(step, act)),
    };
  }

  async read(path: string, limitBytes: number = largestFileBytes): Promise<FileResult<FileBytes>> {
    try {
      // Non-blocking, or opening a named pipe that nobody writes to would never come back.
      const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const found = await file.stat();
        const refusal = refuseToRead(path, found, limitBytes);
        if (refusal) return refusal;
        const bytes = await readUpTo(file, limitBytes, found.size);
        if (bytes === null) return tooLarge(path, limitBytes);
        const value = { bytes, digest: this.hasher.sha256(bytes), mode: found.mode & 0o7777, links: found.nlink };
        return { ok: true, value };
      } finally {
        await file.close();
      }
    } catch (error: unknown) {
      return toFailure(error, path, "read");
    }
  }

  async scan(
    path: string,
    take: (piece: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<FileResult<{ digest: string; size: number }>> {
    try {
      const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const refusal = refuseToRead(path, await file.stat(), Infinity);
        return refusal ?? (await scanFile(path, file, take, signal));
      } finally {
        await file.close();
      }
    } catch (error: unknown) {
      return toFailure(error, path, "read");
    }
  }

  write(path: string, bytes: Uint8Array, expected: string | null): Promise<FileResult<{ digest: string }>> {
    return guard(path, async () => {
      const failure = await writeFile(path, bytes, expected, this.surroundings);
      return failure ?? { ok: true, value: { digest: this.hasher.sha256(bytes) } };
    });
  }

  delete(path: string, expected: string): Promise<FileResult<null>> {
    return guard(path, async () => {
      const failure = await deleteFile(path, expected, this.surroundings);
      return failure ?? { ok: true, value: null };
    });
  }

  move(from: string, to: string, expected: string): Promise<FileResult<null>> {
    return guard(to, async () => {
      const failure = await moveFile(from, to, expected, this.surroundings);
      return failure ?? { ok: true, value: null };
    });
  }

  async list(path: string, options: Parameters<WorkspaceFiles["list"]>[1]) {
    const entries: DirectoryEntry[] = [];
    const state = { entries, more: false, ...options };
    try {
      await listInto(state, path, "", options.depth);
      return { ok: true as const, value: { entries, more: state.more } };
    } catch (error: unknown) {
      return toFailure(error, path, "list");
    }
  }

  /** Null when it cannot be read: never equal to what is expected. */
  private async digestOf(path: string): Promise<string | null> {
    const found = await this.read(path);
    return found.ok ? found.value.digest : null;
  }
}

async function guard<T>(path: string, act: () => Promise<FileResult<T>>): Promise<FileResult<T>> {
  try {
    return await act();
  } catch (error: unknown) {
    return toFailure(error, path, "write");
  }
}

function refuseToRead(path: string, found: Stats, limitBytes: number): FileFailure | null {
  if (found.isDirectory()) return failed("is-directory", `${path} is a folder`);
  if (!found.isFile()) return failed("not-a-file", `${path} is not a regular file`);
  return found.size > limitBytes ? tooLarge(path, limitBytes) : null;
}

function tooLarge(path: string, limitBytes: number): FileFailure {
  return failed("too-large", `${path} has more than ${limitBytes} bytes`);
}

/** Null when there are more; a size is only a hint, since a file may grow and those of `/proc` say 0. */
async function readUpTo(file: FileHandle, limitBytes: number, size: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const piece = new Uint8Array(Math.max(Math.min(size + 1 - length, 1 << 26), 4_096));
    const { bytesRead } = await file.read(piece, 0, piece.length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
    if (length > limitBytes) return null;
    pieces.push(piece.subarray(0, bytesRead));
  }
  const [only] = pieces;
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces, length);
}

async function scanFile(
  path: string,
  file: FileHandle,
  take: (piece: Uint8Array) => void,
  signal: AbortSignal,
): Promise<FileResult<{ digest: string; size: number }>> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(scanBytes);
  let size = 0;
  for (;;) {
    if (signal.aborted) return failed("failed", `${path} was not read to its end: stopped`);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
    if (bytesRead === 0) return { ok: true, value: { digest: hash.digest("hex"), size } };
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    take(piece);
    size += bytesRead;
  }
}

interface Listing {
  entries: DirectoryEntry[];
  more: boolean;
  limit: number;
  skip: (relativePath: string) => boolean;
}

async function listInto(listing: Listing, folder: string, prefix: string, depth: number): Promise<void> {
  if (depth < 1) return;
  const names = (await readdir(folder)).sort(byCodeUnits);
  for (const name of names) {
    const path = prefix + name;
    if (listing.skip(path)) continue;
    const found = await lstat(join(folder, name)).catch(() => null);
    // Gone since the folder was read.
    if (found === null) continue;
    if (listing.entries.length >= listing.limit) {
      listing.more = true;
      return;
    }
    listing.entries.push({ path, kind: toKind(found), size: found.isFile() ? found.size : 0 });
    if (found.isDirectory()) await listBelow(listing, join(folder, name), path, depth - 1);
    if (listing.more) return;
  }
}

/** A folder below that may not be read is named and stays shut. */
async function listBelow(listing: Listing, folder: string, path: string, depth: number): Promise<void> {
  try {
    await listInto(listing, folder, `${path}/`, depth);
  } catch (error: unknown) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "EACCES" && code !== "EPERM" && code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
}

function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function toKind(found: Stats): DirectoryEntry["kind"] {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "directory";
  return found.isSymbolicLink() ? "link" : "other";
}
