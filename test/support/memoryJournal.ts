import { createHmac } from "node:crypto";
import type { JournalStore } from "../../extension/core/ports/journalStore";

/** A journal in memory with a working seal. Strict: refuses text that is not whole lines, and any append after `close`. */
export class MemoryJournal implements JournalStore {
  readonly location = "memory";
  text = "";
  readonly #blobs = new Map<string, string>();
  #closed = false;

  append(text: string): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("the journal is closed"));
    if (!text.endsWith("\n")) return Promise.reject(new Error("not a whole line"));
    this.text += text;
    return Promise.resolve();
  }

  read(): Promise<Uint8Array> {
    return Promise.resolve(new TextEncoder().encode(this.text));
  }

  setAsideTail(bytes: number): Promise<string> {
    const all = new TextEncoder().encode(this.text);
    this.text = new TextDecoder().decode(all.slice(0, all.length - bytes));
    return Promise.resolve("memory.torn");
  }

  putBlob(text: string): Promise<string> {
    const reference = `blob-${this.#blobs.size + 1}`;
    this.#blobs.set(reference, text);
    return Promise.resolve(reference);
  }

  getBlob(reference: string): Promise<string | null> {
    return Promise.resolve(this.#blobs.get(reference) ?? null);
  }

  seal(text: string): Promise<string | null> {
    return Promise.resolve(createHmac("sha256", "test key").update(text).digest("hex"));
  }

  lock(): Promise<{ ok: true }> {
    return Promise.resolve({ ok: true });
  }

  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }

  /** The journal as it was when so many lines were written: what a crash leaves behind. */
  cutAfter(lines: number): MemoryJournal {
    const cut = new MemoryJournal();
    cut.text = this.text.split("\n").slice(0, lines).join("\n");
    if (cut.text !== "") cut.text += "\n";
    return cut;
  }
}
