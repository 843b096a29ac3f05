// The folder beside a journal: blobs, key, torn ends. Only its owner may look into it.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { chmod, lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

const keyBytes = 32;

/** Makes the folder when it is missing. Rejects when something else is in its place. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const found = await lstat(path);
  if (!found.isDirectory()) throw new Error(`${path} is not a folder: move it away, then try again`);
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) await chmod(path, 0o700);
}

/** Exists on the disk when this resolves. False when the file was there already. */
async function writeNewFile(path: string, bytes: Uint8Array): Promise<boolean> {
  const handle = await open(path, "wx", 0o600).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return null;
    throw error;
  });
  if (handle === null) return false;
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return true;
}

/** A new name survives a power cut only once its folder has been flushed. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders, and flushes names by itself.
  if (process.platform === "win32") return;
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function makeKey(folder: string): Promise<void> {
  if (await writeNewFile(join(folder, "key"), randomBytes(keyBytes))) await syncFolder(folder);
}

/** Null when it is gone, cut, a link, somebody else's, or open to others. */
export async function readKey(folder: string): Promise<Uint8Array | null> {
  const path = join(folder, "key");
  try {
    const found = await lstat(path);
    if (!found.isFile() || found.size !== keyBytes) return null;
    const isPrivate = process.platform === "win32" || ((found.mode & 0o077) === 0 && found.uid === process.getuid?.());
    return isPrivate ? await readFile(path) : null;
  } catch (error: unknown) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return null;
  }
}

/** Named by its content, so writing it twice is the same as once. */
export async function writeBlob(folder: string, text: string): Promise<string> {
  const blobs = join(folder, "blobs");
  await makeFolder(blobs);
  const bytes = Buffer.from(text, "utf8");
  const reference = createHash("sha256").update(bytes).digest("hex");
  const draft = join(blobs, `.${randomUUID()}`);
  try {
    await writeNewFile(draft, bytes);
    await rename(draft, join(blobs, reference));
  } finally {
    await rm(draft, { force: true });
  }
  return reference;
}

/** Null when it is gone or no longer what it was. */
export async function readBlob(folder: string, reference: string): Promise<string | null> {
  if (!/^[0-9a-f]{64}$/.test(reference)) return null;
  const bytes = await readFile(join(folder, "blobs", reference)).catch(() => null);
  if (bytes === null || createHash("sha256").update(bytes).digest("hex") !== reference) return null;
  return bytes.toString("utf8");
}

/** The first free `torn-<n>`. */
export async function keepTail(folder: string, bytes: Uint8Array): Promise<string> {
  for (let n = 1; ; n++) {
    const path = join(folder, `torn-${n}`);
    if (!(await writeNewFile(path, bytes))) continue;
    await syncFolder(folder);
    return path;
  }
}
