import type { Clock } from "../../extension/core/ports/clock";

interface Sleeper {
  wakeAt: number;
  wake: () => void;
}

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  private readonly sleepers = new Set<Sleeper>();

  constructor(private time = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { wakeAt: this.time + ms, wake };
      this.sleepers.add(sleeper);
      signal?.addEventListener("abort", wake, { once: true });
    });
  }

  /** How many sleeps have not ended: a test that expects no timer left checks for 0. */
  get sleeping(): number {
    return this.sleepers.size;
  }

  /** Moves the time on and wakes, in order, whoever sleeps until then, also those that go to sleep again on the way. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      const next = [...this.sleepers].sort((one, other) => one.wakeAt - other.wakeAt)[0];
      if (next === undefined || next.wakeAt > end) break;
      this.time = Math.max(this.time, next.wakeAt);
      next.wake();
      await settled();
    }
    this.time = end;
    await settled();
  }
}

/** One turn of the event loop: every promise that can go on has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
