import { waitingIn } from "../projections/approvalRows";
import type { RequestRef } from "../projections/row";
import type { Disposable, Runs } from "../runs";

/** Calls `announce` once for each request that a person can answer in this window, now and from now on. */
export function announceNew(
  runs: Pick<Runs, "entries" | "onDidChange">,
  announce: (request: RequestRef) => void,
): Disposable {
  const announced = new Set<string>();
  const look = (): void => {
    for (const entry of runs.entries()) {
      if (entry.mode === "watching") continue;
      for (const { id, digest } of waitingIn(entry)) {
        const key = JSON.stringify([entry.id, id, digest]);
        if (announced.has(key)) continue;
        announced.add(key);
        announce({ run: entry.id, id, digest });
      }
    }
  };
  const listening = runs.onDidChange(look);
  look();
  return listening;
}
