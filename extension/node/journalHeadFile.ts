// The note beside a journal that tells its newest flushed line. One small record, overwritten in place: a process that is
// killed leaves the earlier one or the new one, and a full disk does not matter.
import { constants } from "node:fs";
import { lstat, open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

const recordBytes = 256;

export class JournalHeadFile {
  private readonly path: string;
  private handle: FileHandle | null = null;
  private hasRecord = false;

  constructor(folder: string) {
    this.path = join(folder, "head");
  }

  /** Makes it empty, on the disk: from then on a missing one has been taken away. */
  async create(): Promise<void> {
    const handle = await this.open();
    await handle.truncate(0);
    await handle.sync();
  }

  /** Null when it is gone. */
  async read(): Promise<string | null> {
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
    const handle = await open(this.path, flags).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ELOOP") return null;
      throw error;
    });
    if (handle === null) return null;
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(recordBytes), 0, recordBytes, 0);
      return buffer.toString("utf8", 0, bytesRead).trimEnd();
    } finally {
      await handle.close();
    }
  }

  /** Call it once the line is on the disk: the disk may write this record before anything that was not flushed. */
  async write(text: string): Promise<void> {
    const record = Buffer.alloc(recordBytes, " ");
    if (record.write(`${text}\n`) !== Buffer.byteLength(text) + 1) throw new Error("a journal's head is a short text");
    const handle = await this.open();
    await handle.write(record, 0, recordBytes, 0);
    // An older record that survives a power cut is harmless, none at all would look taken away.
    if (!this.hasRecord) await handle.sync();
    this.hasRecord = true;
  }

  async close(): Promise<void> {
    await this.handle?.close();
    this.handle = null;
  }

  private async open(): Promise<FileHandle> {
    if (this.handle !== null) return this.handle;
    const found = await lstat(this.path).catch(() => null);
    if (found !== null && !found.isFile()) throw new Error(`${this.path} is no file: move it away, then try again`);
    const { O_RDWR, O_CREAT } = constants;
    this.handle = await open(this.path, O_RDWR | O_CREAT | (constants.O_NOFOLLOW ?? 0), 0o600);
    return this.handle;
  }
}
