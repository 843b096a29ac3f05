// The rows behind every view: one entry a run, replaced on each change, told at most ten times a second per run.
import type { Disposable, RunEntry } from "./runs";

const gapMs = 100;

export class RunEntries implements Disposable {
  readonly #entries = new Map<string, RunEntry>();
  readonly #listeners = new Set<(entry: RunEntry) => void>();
  readonly #lastTold = new Map<string, number>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  /** `onError` hears what a listener threw: one broken view must not stop the others. */
  constructor(private readonly onError: (error: unknown) => void) {}

  all(): readonly RunEntry[] {
    return [...this.#entries.values()].sort((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
  }

  find(id: string): RunEntry | null {
    return this.#entries.get(id) ?? null;
  }

  set(entry: RunEntry): void {
    this.#entries.set(entry.id, entry);
    this.#tellSoon(entry.id);
  }

  /** Nothing happens when there is no such entry. */
  change(id: string, change: Partial<RunEntry>): void {
    const entry = this.#entries.get(id);
    if (entry !== undefined) this.set({ ...entry, ...change });
  }

  listen(listener: (entry: RunEntry) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#listeners.clear();
  }

  #tellSoon(id: string): void {
    if (this.#timers.has(id)) return;
    const waitMs = (this.#lastTold.get(id) ?? -Infinity) + gapMs - performance.now();
    if (waitMs <= 0) return this.#tell(id);
    this.#timers.set(
      id,
      setTimeout(() => this.#tell(id), waitMs),
    );
  }

  #tell(id: string): void {
    this.#timers.delete(id);
    this.#lastTold.set(id, performance.now());
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    for (const listener of [...this.#listeners]) {
      try {
        listener(entry);
      } catch (error: unknown) {
        this.onError(error);
      }
    }
  }
}
