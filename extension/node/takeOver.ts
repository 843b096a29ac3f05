// How one process asks another for a run: a file beside the lock, which the holder looks for. The holder lets go by
// releasing its lock; a holder that has died holds nothing.
import { access, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FileJournalStore } from "./fileJournalStore";

const lookMs = 300;
const askMs = 100;
const longestWaitMs = 10_000;

/** Waits until nobody holds the journal. The request is taken away again, whatever comes of it. */
export async function askHolderToLeave(
  journal: string,
  waitMs: number = longestWaitMs,
): Promise<{ ok: true } | { ok: false; message: string }> {
  const store = new FileJournalStore({ file: journal });
  let holder = await store.holder();
  if (holder === null) return { ok: true };
  const request = requestIn(store.folder);
  await writeFile(request, JSON.stringify({ pid: process.pid }), { mode: 0o600 });
  try {
    for (let waited = 0; waited < waitMs; waited += askMs) {
      await sleep(askMs);
      holder = await store.holder();
      if (holder === null) return { ok: true };
    }
  } finally {
    await rm(request, { force: true });
  }
  const seconds = Math.round(waitMs / 1000);
  return {
    ok: false,
    message: `process ${holder.pid} has not let the run go within ${seconds} s: stop it there (close its window, or Ctrl+C in its terminal), then try again`,
  };
}

/** For the holder: calls back once when somebody asks. Answers how to stop looking. */
export function onAskedToLeave(journal: string, listener: () => void): () => void {
  const request = requestIn(new FileJournalStore({ file: journal }).folder);
  const timer = setInterval(() => {
    access(request).then(
      () => {
        clearInterval(timer);
        listener();
      },
      // Nobody asks.
      () => undefined,
    );
  }, lookMs);
  timer.unref();
  return () => clearInterval(timer);
}

const requestIn = (folder: string): string => join(folder, "takeover");

/** A request that its author could not take away (it was killed) must not end the next holder. Call it with the lock taken. */
export async function forgetRequest(journal: string): Promise<void> {
  await rm(requestIn(new FileJournalStore({ file: journal }).folder), { force: true });
}
