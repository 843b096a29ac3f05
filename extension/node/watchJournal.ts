import { statSync, watch, type FSWatcher } from "node:fs";
import { dirname } from "node:path";
import { FileJournalStore } from "./fileJournalStore";

const pollMs = 500;
/** Asking whether the holder lives costs a process of its own on some systems. */
const pollsPerHolder = 2;

/** Calls back once at the start, and when the journal has another size or another holder. File events come first, polling is the safety net. */
export function watchJournalFile(journal: string, onChange: (what: "journal" | "holder") => void): { dispose(): void } {
  const store = new FileJournalStore({ file: journal });
  let size = sizeOf(journal);
  let holder: string | null | undefined;
  let polls = 0;
  let isDisposed = false;

  const look = (): void => {
    const now = sizeOf(journal);
    if (now === size || isDisposed) return;
    size = now;
    // Who is told of the new size may look before the lock is released, and that must not be the last look.
    holder = undefined;
    onChange("journal");
  };
  const lookAtHolder = async (): Promise<void> => {
    const found = (await store.holder())?.since ?? null;
    const changed = found !== holder;
    holder = found;
    if (changed && !isDisposed) onChange("holder");
  };
  const poll = setInterval(() => {
    look();
    polls += 1;
    if (polls % pollsPerHolder === 0) void lookAtHolder();
  }, pollMs);
  poll.unref();
  void lookAtHolder();
  const events = watchFolder(dirname(journal), look);
  return {
    dispose: () => {
      isDisposed = true;
      clearInterval(poll);
      events?.close();
    },
  };
}

/** Null where the system has no watches left or none at all: polling has to do. */
function watchFolder(folder: string, listener: () => void): FSWatcher | null {
  try {
    const events = watch(folder, { persistent: false }, listener);
    events.on("error", () => events.close());
    return events;
  } catch {
    return null;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
