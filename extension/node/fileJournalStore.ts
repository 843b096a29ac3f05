import { createHmac } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, open, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { JournalStore } from "../core/ports/journalStore";
import { keepTail, makeFolder, makeKey, readBlob, readKey, syncFolder, writeBlob } from "./fileJournalStoreFolder";
import { JournalHeadFile } from "./journalHeadFile";
import { JournalLock, type LockResult } from "./journalLock";

/** What is written through; a whole file handle is one. */
export type JournalHandle = Pick<FileHandle, "write" | "datasync" | "sync" | "truncate" | "stat" | "read" | "close">;

export interface FileJournalOptions {
  /** `journal.jsonl`; its side folder is then `journal.d`. */
  file: string;
  heartbeatMs?: number;
  /** Where bytes go through on their way to the file. */
  wrapHandle?: (handle: FileHandle) => JournalHandle;
}

const newline = 0x0a;

interface Opened {
  handle: JournalHandle;
  key: Uint8Array | null;
}

/** A journal on the disk. Nothing is made before the first append, seal, blob or lock. */
export class FileJournalStore implements JournalStore {
  readonly location: string;
  /** Holds everything that lies beside the journal. */
  readonly folder: string;
  private readonly guard: JournalLock;
  private readonly head: JournalHeadFile;
  private opened: Promise<Opened> | null = null;
  private endsTorn = false;
  /** Bytes of whole lines; what is behind them after a failed write is cut off again. */
  private size = 0;
  private turn: Promise<unknown> = Promise.resolve();
  /** Why nothing more may be written: after a failed write nobody knows what is in the file. */
  private broken: Error | null = null;
  private closed: Promise<void> | null = null;

  constructor(private readonly options: FileJournalOptions) {
    this.location = resolve(options.file);
    this.folder = join(dirname(this.location), `${basename(this.location).replace(/\.jsonl$/, "")}.d`);
    this.head = new JournalHeadFile(this.folder);
    this.guard = new JournalLock(join(this.folder, "lock"), () => this.loseLock(), options.heartbeatMs);
  }

  append(text: string, durable: boolean, head?: string): Promise<void> {
    return this.inTurn(async () => {
      if (!text.endsWith("\n")) throw new Error("a journal is written in whole lines");
      await this.write(async ({ handle }) => {
        const bytes = Buffer.from(text, "utf8");
        await this.writeLine(handle, bytes, durable || head !== undefined);
        this.size += bytes.length;
        if (head !== undefined) await this.head.write(head);
      });
    });
  }

  readHead(): Promise<string | null> {
    return this.turn.then(() => this.head.read());
  }

  async read(): Promise<Uint8Array> {
    await this.turn;
    const handle = await openPlainFile(this.location, constants.O_RDONLY).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    });
    if (handle === null) return new Uint8Array();
    try {
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  }

  setAsideTail(bytes: number): Promise<string> {
    return this.inTurn(async () => {
      const { handle } = await this.open();
      const { size } = await handle.stat();
      if (!Number.isInteger(bytes) || bytes < 1 || bytes > size) {
        throw new Error(`a journal of ${size} bytes has no tail of ${bytes}`);
      }
      let kept = "";
      this.endsTorn = false;
      await this.write(async () => {
        kept = await keepTail(this.folder, await readAt(handle, size - bytes, bytes));
        await handle.truncate(size - bytes);
        await handle.sync();
        this.size = size - bytes;
        this.endsTorn = await hasTornEnd(handle);
      });
      return kept;
    });
  }

  async putBlob(text: string): Promise<string> {
    await makeFolder(this.folder);
    return writeBlob(this.folder, text);
  }

  getBlob(reference: string): Promise<string | null> {
    return readBlob(this.folder, reference);
  }

  async seal(text: string): Promise<string | null> {
    const isThere = this.opened !== null || (await this.hasJournal());
    const key = isThere ? await this.readOwnKey() : (await this.open()).key;
    return key === null ? null : createHmac("sha256", key).update(text, "utf8").digest("hex");
  }

  async lock(): Promise<LockResult> {
    await mkdir(dirname(this.location), { recursive: true, mode: 0o700 });
    await makeFolder(this.folder);
    return this.guard.take();
  }

  /** Who holds the journal, this process included; null when nobody does. Makes and takes nothing. */
  holder(): Promise<{ pid: number; since: string } | null> {
    return this.guard.holder();
  }

  close(): Promise<void> {
    this.closed ??= this.inTurn(async () => {
      const opened = await this.opened?.catch(() => null);
      try {
        if (opened && this.broken === null) await opened.handle.datasync();
      } finally {
        this.broken ??= new Error(`the journal ${this.location} is closed`);
        await opened?.handle.close();
        await this.head.close();
        await this.guard.release();
      }
    });
    return this.closed;
  }

  private async write(act: (opened: Opened) => Promise<void>): Promise<void> {
    if (this.broken !== null) throw this.broken;
    let opened: Opened;
    try {
      opened = await this.open();
    } catch (error: unknown) {
      throw this.breakWith(error);
    }
    // A line after a torn one would be lost together with it.
    if (this.endsTorn) throw new Error(`the journal ${this.location} has a torn end that has to be set aside first`);
    await act(opened).catch((error: unknown) => {
      throw this.breakWith(error);
    });
  }

  /** A line that did not get through whole is taken back: its run stops, and a resume meets no torn end. */
  private async writeLine(handle: JournalHandle, bytes: Uint8Array, durable: boolean): Promise<void> {
    try {
      await writeAll(handle, bytes);
      if (durable) await handle.datasync();
    } catch (error: unknown) {
      // Where that fails too, the next start sets the torn end aside.
      await handle.truncate(this.size).catch(() => undefined);
      throw error;
    }
  }

  private breakWith(error: unknown): Error {
    this.broken = new Error(`the journal ${this.location} cannot be written: ${toReason(error)}`, { cause: error });
    return this.broken;
  }

  private open(): Promise<Opened> {
    this.opened ??= this.openNow();
    return this.opened;
  }

  private async openNow(): Promise<Opened> {
    await mkdir(dirname(this.location), { recursive: true, mode: 0o700 });
    await makeFolder(this.folder);
    const { O_RDWR, O_APPEND, O_CREAT } = constants;
    const handle = await openPlainFile(this.location, O_RDWR | O_APPEND | O_CREAT);
    // Only a journal without a line gets a key: a new key for an old one would make its seals look forged.
    this.size = (await handle.stat()).size;
    if (this.size === 0) {
      await this.head.create();
      await makeKey(this.folder);
      await syncFolder(dirname(this.location));
    }
    this.endsTorn = await hasTornEnd(handle);
    return { handle: this.options.wrapHandle?.(handle) ?? handle, key: await readKey(this.folder) };
  }

  private async hasJournal(): Promise<boolean> {
    const found = await lstat(this.location).catch(() => null);
    return found !== null && found.size > 0;
  }

  /** Without making anything, so that a journal can be read where nothing can be written. */
  private async readOwnKey(): Promise<Uint8Array | null> {
    return this.opened === null ? readKey(this.folder) : (await this.opened).key;
  }

  private loseLock(): void {
    this.broken ??= new Error(`the journal ${this.location} was taken over by another process`);
  }

  private inTurn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.turn.then(act);
    this.turn = result.catch(() => undefined);
    return result;
  }
}

/** Rejects links and everything that is no file: what is written must be where it seems to be. */
async function openPlainFile(path: string, flags: number): Promise<FileHandle> {
  const found = await lstat(path).catch(() => null);
  if (found !== null && !found.isFile())
    throw new Error(`${path} is ${found.isSymbolicLink() ? "a symbolic link" : "no file"}`);
  // The flag is missing on Windows, where the look above has to do.
  return open(path, flags | (constants.O_NOFOLLOW ?? 0), 0o600);
}

async function readAt(handle: JournalHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await handle.read(bytes, 0, length, position);
  if (bytesRead !== length) throw new Error("the journal is shorter than it was");
  return bytes;
}

async function hasTornEnd(handle: JournalHandle): Promise<boolean> {
  const { size } = await handle.stat();
  return size > 0 && (await readAt(handle, size - 1, 1))[0] !== newline;
}

/** The system may take fewer bytes than it is given. */
async function writeAll(handle: JournalHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, bytes.length - at);
    if (bytesWritten === 0) throw new Error("no byte could be written");
    at += bytesWritten;
  }
}

function toReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOSPC") return "the disk is full. Free some space, then resume the run";
  if (code === "EDQUOT") return "your share of the disk is used up. Free some space, then resume the run";
  if (code === "EFBIG") return "the system lets no file grow larger (ulimit -f). Raise the limit, then resume the run";
  return error instanceof Error ? error.message : String(error);
}
