import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchJournal } from "../../../extension/host/liveRunsWatch";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watched journal whose reading takes `tookMs`. */
function watchSlowly(tookMs: number) {
  let tell: (what: "journal" | "holder") => void = () => undefined;
  const reads: number[] = [];
  const engine = {
    watch: (_journal: string, onChange: typeof tell) => {
      tell = onChange;
      return { dispose: () => undefined };
    },
  };
  const watch = watchJournal(engine, "journal.jsonl", async () => {
    reads.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, tookMs));
  });
  return { watch, reads, tell: (what: "journal" | "holder") => tell(what) };
}

describe("following a journal that is slow to read", () => {
  it("reads what has grown after a pause nine times as long as the reading took", async () => {
    const { reads, tell } = watchSlowly(1_000);
    tell("journal");
    await vi.advanceTimersByTimeAsync(1_500);
    tell("journal");
    await vi.advanceTimersByTimeAsync(8_000);
    expect(reads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reads).toHaveLength(2);
  });

  it("reads at once when the holder has gone, in the pause and while it reads", async () => {
    const { reads, tell } = watchSlowly(1_000);
    tell("journal");
    await vi.advanceTimersByTimeAsync(1_500);
    tell("holder");
    expect(reads).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(500);
    tell("holder");
    await vi.advanceTimersByTimeAsync(600);
    expect(reads).toHaveLength(3);
  });

  it("reads one at a time and never after it was disposed", async () => {
    const { watch, reads, tell } = watchSlowly(1_000);
    tell("holder");
    tell("holder");
    tell("journal");
    expect(reads).toHaveLength(1);
    watch.dispose();
    await vi.advanceTimersByTimeAsync(60_000);
    tell("holder");
    expect(reads).toHaveLength(1);
  });
});
