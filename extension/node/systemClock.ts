import type { Clock } from "../core/ports/clock";

/** The longest time one timer can hold; it fires at once for more. */
const longestTimerMs = 2_147_483_647;

export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    for (let rest = ms; rest > 0 && !signal?.aborted; rest -= longestTimerMs) {
      await sleepOnce(Math.min(rest, longestTimerMs), signal);
    }
  }
}

function sleepOnce(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
}
