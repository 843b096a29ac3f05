// Runs that wait for their folder. They lie on the disk beside its journals, so that a reload does not lose them.
import type { RunWish } from "./runs";

export interface QueuedRun {
  id: string;
  /** Absolute real path of the folder. */
  root: string;
  wish: RunWish;
}

export interface QueueStore {
  put(queued: QueuedRun): Promise<void>;
  /** Oldest first. `isLeft`: the window that queued it is gone. */
  list(root: string): Promise<readonly (QueuedRun & { isLeft: boolean })[]>;
  /** Takes it off the queue. False: somebody else has taken it. */
  take(queued: Pick<QueuedRun, "id" | "root">): Promise<boolean>;
}

/** The queue of one window: it begins by itself only what was queued here. What another window left, a person decides. */
export class QueuedRuns {
  readonly #own = new Set<string>();
  readonly #left = new Map<string, QueuedRun>();

  constructor(private readonly store: QueueStore) {}

  async add(queued: QueuedRun): Promise<void> {
    this.#own.add(queued.id);
    await this.store.put(queued);
  }

  /** The oldest one of this window, taken off the queue; null: none waits. */
  async next(root: string): Promise<QueuedRun | null> {
    for (const queued of await this.store.list(root)) {
      if (this.#own.has(queued.id) && (await this.store.take(queued))) return queued;
    }
    return null;
  }

  /** What other windows have left since this was asked last. */
  async newlyLeft(root: string): Promise<readonly QueuedRun[]> {
    const left = (await this.store.list(root)).filter(({ id, isLeft }) => isLeft && !this.#own.has(id));
    const unknown = left.filter(({ id }) => !this.#left.has(id));
    for (const queued of unknown) this.#left.set(queued.id, queued);
    return unknown;
  }

  /** A left one, taken off the queue; null: it is not there any more. */
  async takeLeft(id: string): Promise<QueuedRun | null> {
    const queued = this.#left.get(id);
    return queued !== undefined && (await this.store.take(queued)) ? queued : null;
  }
}
