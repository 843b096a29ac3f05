import type { Disposable } from "../runs";

export interface Coalescer extends Disposable {
  /** `act` runs soon, once for all requests since it last ran. */
  request(): void;
}

/** At once where nothing ran for `everyMs`, else when that time is over; never more often. */
export function createCoalescer(act: () => void, everyMs: number): Coalescer {
  let lastAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const run = (): void => {
    timer = null;
    lastAt = Date.now();
    act();
  };
  return {
    request: () => {
      timer ??= setTimeout(run, Math.max(0, lastAt + everyMs - Date.now()));
    },
    dispose: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
