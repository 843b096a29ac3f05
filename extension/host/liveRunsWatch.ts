// Follows a journal that another process writes. Read as a whole each time, since only then seals and chain count.
import type { RunEngine } from "./runEngine";
import type { Disposable } from "./runs";

const shortestGapMs = 200;

/**
 * Rereads after each change, one at a time, and the slower it is the more seldom: at most a tenth of the time goes into
 * it. News of the holder waits for no pause: a person may act on the run as soon as nobody holds it.
 */
export function watchJournal(
  engine: Pick<RunEngine, "watch">,
  journal: string,
  reread: () => Promise<void>,
): Disposable {
  let isReading = false;
  let isStale = false;
  let isUrgent = false;
  let isDisposed = false;
  let timer: NodeJS.Timeout | null = null;

  const read = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    isReading = true;
    isStale = false;
    isUrgent = false;
    const startedAt = performance.now();
    await reread();
    const tookMs = performance.now() - startedAt;
    isReading = false;
    if (isDisposed) return;
    timer = setTimeout(rest, isUrgent ? 0 : Math.max(shortestGapMs, 9 * tookMs));
  };
  const rest = (): void => {
    timer = null;
    if (isStale) void read();
  };
  const watch = engine.watch(journal, (what) => {
    if (isDisposed) return;
    isStale = true;
    isUrgent ||= what === "holder";
    if (!isReading && (timer === null || isUrgent)) void read();
  });
  return {
    dispose: () => {
      isDisposed = true;
      if (timer !== null) clearTimeout(timer);
      watch.dispose();
    },
  };
}
