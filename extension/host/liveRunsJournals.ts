// The runs that this window does not drive, as their journals tell them; the journal of one that another window drives is followed.
import type { JournaledEvent } from "../core/journal/event";
import type { RunEntries } from "./liveRunsEntries";
import { modeOf } from "./liveRunsOpening";
import { watchJournal } from "./liveRunsWatch";
import type { FoundRun, RunEngine } from "./runEngine";
import type { Disposable, RunMode } from "./runs";
import { toText } from "./startRefusals";

export class RunJournals implements Disposable {
  /** What was folded into the entries that are whole. */
  readonly #events = new Map<string, readonly JournaledEvent[]>();
  readonly #watches = new Map<string, Disposable>();
  #isDisposed = false;

  /** `isDriven`: this window drives it and knows better than the disk. */
  constructor(
    private readonly engine: RunEngine,
    private readonly entries: RunEntries,
    private readonly isDriven: (id: string) => boolean,
  ) {}

  events(id: string): readonly JournaledEvent[] {
    return this.#events.get(id) ?? [];
  }

  /** From now on this window drives it: its events are told, not read. */
  hold(id: string, events: readonly JournaledEvent[]): void {
    this.#stopWatching(id);
    this.#events.set(id, events);
  }

  /** A journal that was found on the disk; what has been read whole is known better. */
  async take(found: FoundRun): Promise<void> {
    const { id, root, journal, startedAt, state, holder, isOpen } = found;
    if (this.isDriven(id)) return;
    const known = this.entries.find(id);
    if (known !== null && !isOpen && known.state.seq === state.seq) return;
    if (known?.whole !== true) {
      const mode = holder === null ? modeOf(state, "paused") : "watching";
      this.entries.set({
        ...{ id, root, journal, startedAt, mode, state, holder },
        ...{ whole: false, problem: null, stale: null },
      });
    }
    if (isOpen || known?.whole === true) await this.reread(id);
  }

  async reread(id: string): Promise<void> {
    const entry = this.entries.find(id);
    if (entry === null || this.isDriven(id)) return;
    const read = await this.engine.read(entry.journal).catch((error: unknown) => ({
      ...{ state: entry.state, events: [], holder: null },
      problem: `its journal cannot be read: ${toText(error)}`,
    }));
    if (this.isDriven(id) || this.#isDisposed) return;
    const { state, events, holder, problem } = read;
    const rest: RunMode = problem === null ? modeOf(state, "paused") : "unreadable";
    const mode = holder === null ? rest : "watching";
    const isSame = entry.whole && entry.state.seq === state.seq && entry.mode === mode && entry.problem === problem;
    if (!isSame || entry.holder?.since !== holder?.since) {
      this.#events.set(id, events);
      this.entries.change(id, { state, holder, problem, whole: true, mode });
    }
    if (holder !== null) this.watch(id);
    // A run that was let go may be taken up again by somebody else.
    else if (mode !== "paused") this.#stopWatching(id);
  }

  watch(id: string): void {
    const entry = this.entries.find(id);
    if (entry === null || this.#watches.has(id) || this.#isDisposed) return;
    this.#watches.set(
      id,
      watchJournal(this.engine, entry.journal, () => this.reread(id)),
    );
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const watch of this.#watches.values()) watch.dispose();
    this.#watches.clear();
  }

  #stopWatching(id: string): void {
    this.#watches.get(id)?.dispose();
    this.#watches.delete(id);
  }
}
