/** One run's journal file and the folder beside it (blobs, lock, key). Whole lines in, whole text out. */
export interface JournalStore {
  /** Where a person finds the journal. */
  readonly location: string;
  /**
   * Appends text that ends in a newline. With `durable` it resolves only once the bytes are on the disk.
   * `head`, a short text, replaces the earlier one beside the journal once they are, never before: a crash in between
   * leaves the earlier one. Rejects when something could not be written: the run has to stop then.
   */
  append(text: string, durable: boolean, head?: string): Promise<void>;
  /** The newest head; empty before the first one, null when it is gone. Read it before the journal, which may be growing. */
  readHead(): Promise<string | null>;
  /** The whole journal as bytes; empty when there is none yet. */
  read(): Promise<Uint8Array>;
  /** Moves the last `bytes` bytes (a torn tail) to a side file and cuts the journal there; answers the side file's path. */
  setAsideTail(bytes: number): Promise<string>;
  /** Keeps a large text beside the journal; answers a reference for `getBlob`. */
  putBlob(text: string): Promise<string>;
  /** The text behind a reference, or null when it is gone. */
  getBlob(reference: string): Promise<string | null>;
  /** Keyed hash over a line. Null when the key is gone, unreadable or not ours. */
  seal(text: string): Promise<string | null>;
  /**
   * Takes the lock of this run for this process. `{ok: false}` names the holder (pid, since when).
   * The lock of a process that has ended is taken over.
   */
  lock(): Promise<{ ok: true } | { ok: false; pid: number; since: string }>;
  /** Flushes and releases lock and file handle. Idempotent. */
  close(): Promise<void>;
}
