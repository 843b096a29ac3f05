// Git notices an edit by size, times and inode, and compares times by the second. A file that changed in the very second
// in which it was recorded could therefore be edited once more, with its size kept and its modification time put back,
// without git seeing it. So we remember what changed that recently and hash it ourselves the next time.
import { createHash } from "node:crypto";
import { lstat, readFile, readlink } from "node:fs/promises";

/** What the index has recorded, by byte path. */
export type RecentFiles = Map<string, { object: string; changedAtSecond: number }>;

const headerBytes = 12;
const entryBytes = 62;
const extendedFlag = 0x4000;
/** All set when the name is longer than they can say. */
const lengthBits = 0x0fff;

/** Entries of an index file whose change time is not before `sinceSecond`. Throws on a version that our settings never write. */
export async function readRecent(index: string, sinceSecond: number): Promise<RecentFiles> {
  const recent: RecentFiles = new Map();
  const bytes = await readFile(index).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  });
  if (bytes === null) return recent;
  const version = bytes.readUInt32BE(4);
  if (version !== 2 && version !== 3) throw new Error(`index version ${version} cannot be read`);
  const count = bytes.readUInt32BE(8);
  for (let entry = 0, at = headerBytes; entry < count; entry++) {
    const flags = bytes.readUInt16BE(at + 60);
    const nameAt = at + entryBytes + ((flags & extendedFlag) === 0 ? 0 : 2);
    const length = flags & lengthBits;
    const nameEnd = length === lengthBits ? bytes.indexOf(0, nameAt) : nameAt + length;
    const changedAtSecond = bytes.readUInt32BE(at);
    if (changedAtSecond >= sinceSecond) {
      const object = bytes.toString("hex", at + 40, at + 60);
      recent.set(bytes.toString("latin1", nameAt, nameEnd), { object, changedAtSecond });
    }
    // Entries are padded with one to eight NUL to a multiple of eight.
    at += (nameEnd - at + 8) & ~7;
  }
  return recent;
}

/** Object ids of what is on the disk now, null for what cannot be read; files that have gone are left out: git sees that. */
export async function hashFiles(root: string, paths: Iterable<string>): Promise<Map<string, string | null>> {
  const base = Buffer.from(root, "utf8").toString("latin1");
  const hashes = new Map<string, string | null>();
  // One after the other: there are few of them, and none is kept in memory.
  for (const path of paths) {
    const object = await hashFile(Buffer.from(`${base}/${path}`, "latin1"));
    if (object !== "gone") hashes.set(path, object);
  }
  return hashes;
}

async function hashFile(path: Buffer): Promise<string | null> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink();
    return toObjectId(isLink ? await readlink(path, { encoding: "buffer" }) : await readFile(path));
  } catch (error: unknown) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    return ["ENOENT", "ENOTDIR", "EISDIR"].includes(code) ? "gone" : null;
  }
}

/** The name git gives to these bytes. */
export function toObjectId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
