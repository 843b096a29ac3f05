import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Terminal } from "./cliIo";

/** Long enough for what lies in the terminal's buffer to arrive and be dropped. */
const typedAheadMs = 50;

/** Reads whole lines. From the first question on input is read all the time, so that a line typed ahead answers nothing. */
export function createTerminal(input: NodeJS.ReadStream): Terminal & { close(): void } {
  let waiting: ((line: string | null) => void) | null = null;
  let lines: ReturnType<typeof createInterface> | null = null;
  let closed = false;

  const settle = (line: string | null): void => {
    const resolve = waiting;
    waiting = null;
    resolve?.(line);
  };
  const open = async (): Promise<void> => {
    if (lines !== null) return;
    // Not as a "terminal" of readline's: the system edits the line, and Ctrl-C stays a signal.
    lines = createInterface({ input, terminal: false })
      .on("line", settle)
      .on("close", () => {
        closed = true;
        settle(null);
      });
    await sleep(typedAheadMs);
  };
  const nextLine = (signal?: AbortSignal): Promise<string | null> =>
    new Promise((resolve) => {
      const abort = (): void => settle(null);
      signal?.addEventListener("abort", abort, { once: true });
      waiting = (line) => {
        signal?.removeEventListener("abort", abort);
        resolve(line);
      };
    });

  return {
    get closed() {
      return closed;
    },
    ask: async (prompt, sink, signal) => {
      await open();
      if (closed || signal?.aborted === true) return null;
      sink.write(prompt);
      return nextLine(signal);
    },
    close: () => lines?.close(),
  };
}
