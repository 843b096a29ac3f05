// Follows a journal that another process writes. Read as a whole each time, since only then seals and chain count.
import type { RunEngine } from "./runEngine";
import type { Disposable } from "./runs";

const shortestGapMs = 200;

/** Rereads after each change, one at a time, and the slower it is the more seldom: at most a tenth of the time goes into it. */
export function watchJournal(
  engine: Pick<RunEngine, "watch">,
  journal: string,
  reread: () => Promise<void>,
): Disposable {
  let isReading = false;
  let isStale = false;
  let isDisposed = false;
  let timer: NodeJS.Timeout | null = null;

  const read = async (): Promise<void> => {
    timer = null;
    isReading = true;
    isStale = false;
    const startedAt = performance.now();
    await reread();
    const tookMs = performance.now() - startedAt;
    isReading = false;
    if (!isDisposed) timer = setTimeout(rest, Math.max(shortestGapMs, 9 * tookMs));
  };
  const rest = (): void => {
    timer = null;
    if (isStale) void read();
  };
  const watch = engine.watch(journal, () => {
    isStale = true;
    if (!isReading && timer === null && !isDisposed) void read();
  });
  return {
    dispose: () => {
      isDisposed = true;
      if (timer !== null) clearTimeout(timer);
      watch.dispose();
    },
  };
}
