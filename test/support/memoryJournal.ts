import { createHash, createHmac, randomBytes } from "node:crypto";
import type { JournalStore } from "../../extension/core/ports/journalStore";

/** What outlives a process: several MemoryJournals over one disk are several processes on one journal. */
export class MemoryJournalDisk {
  bytes: Buffer = Buffer.alloc(0);
  key: Buffer | null = null;
  /** Null before the journal is begun, and when it is taken away. */
  head: string | null = null;
  readonly blobs = new Map<string, string>();
  readonly tails: Buffer[] = [];
  holder: { store: MemoryJournal; pid: number; since: string } | null = null;

  get text(): string {
    return this.bytes.toString("utf8");
  }
}

/** A journal in memory, as strict as the one on the disk. */
export class MemoryJournal implements JournalStore {
  readonly location = "memory:journal";
  /** How many appends still succeed. */
  appendsLeft = Infinity;
  /** Appends that had to be on the disk before they resolved. */
  durableAppends = 0;
  private broken: Error | null = null;

  constructor(readonly disk: MemoryJournalDisk = new MemoryJournalDisk()) {}

  async append(text: string, durable: boolean, head?: string): Promise<void> {
    if (!text.endsWith("\n")) throw new Error("a journal is written in whole lines");
    if (this.broken !== null) throw this.broken;
    if (this.disk.bytes.length > 0 && this.disk.bytes.at(-1) !== 10)
      throw new Error("the journal has a torn end that has to be set aside first");
    if (this.appendsLeft === 0) {
      this.broken = new Error("the journal cannot be written: the disk is full");
      throw this.broken;
    }
    this.appendsLeft -= 1;
    this.makeKey();
    this.disk.bytes = Buffer.concat([this.disk.bytes, Buffer.from(text, "utf8")]);
    if (durable) this.durableAppends += 1;
    if (head !== undefined) this.disk.head = head;
  }

  async readHead(): Promise<string | null> {
    return this.disk.head;
  }

  async read(): Promise<Uint8Array> {
    return Uint8Array.from(this.disk.bytes);
  }

  async setAsideTail(bytes: number): Promise<string> {
    const size = this.disk.bytes.length;
    if (!Number.isInteger(bytes) || bytes < 1 || bytes > size)
      throw new Error(`a journal of ${size} bytes has no tail of ${bytes}`);
    this.disk.tails.push(this.disk.bytes.subarray(size - bytes));
    this.disk.bytes = this.disk.bytes.subarray(0, size - bytes);
    return `memory:torn-${this.disk.tails.length}`;
  }

  async putBlob(text: string): Promise<string> {
    const reference = createHash("sha256").update(text, "utf8").digest("hex");
    this.disk.blobs.set(reference, text);
    return reference;
  }

  async getBlob(reference: string): Promise<string | null> {
    return this.disk.blobs.get(reference) ?? null;
  }

  async seal(text: string): Promise<string | null> {
    this.makeKey();
    return this.disk.key === null ? null : createHmac("sha256", this.disk.key).update(text, "utf8").digest("hex");
  }

  async lock(): Promise<{ ok: true } | { ok: false; pid: number; since: string }> {
    const { holder } = this.disk;
    if (holder !== null && holder.store !== this) return { ok: false, pid: holder.pid, since: holder.since };
    this.disk.holder ??= { store: this, pid: process.pid, since: "2026-01-01T00:00:00.000Z" };
    return { ok: true };
  }

  async close(): Promise<void> {
    this.broken ??= new Error("the journal is closed");
    if (this.disk.holder?.store === this) this.disk.holder = null;
  }

  private makeKey(): void {
    if (this.disk.bytes.length > 0) return;
    this.disk.key ??= randomBytes(32);
    this.disk.head ??= "";
  }
}
