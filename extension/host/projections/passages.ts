// The gate's passages through a run, as its journal tells them.
import type { CheckResult } from "../../core/gate/checkResult";
import type { Event, JournaledEvent } from "../../core/journal/event";

export interface Passage {
  attempt: number;
  checks: readonly CheckResult[];
  /** Null: it goes on, or it was cut off and judged nothing. */
  end: Event<"verification_end"> | null;
}

/** Oldest first. Checks that the agent ran by itself belong to none. */
export function toPassages(events: readonly JournaledEvent[]): Passage[] {
  const passages: Passage[] = [];
  for (const event of events) {
    if (event.type === "verification_start") passages.push({ attempt: event.attempt, checks: [], end: null });
    const open = passages.at(-1);
    if (open === undefined || open.end !== null) continue;
    if (event.type === "check_end" && event.attempt !== null) {
      const others = open.checks.filter(({ name }) => name !== event.check.name);
      passages[passages.length - 1] = { ...open, checks: [...others, event.check] };
    }
    if (event.type === "verification_end" && !event.cancelled) passages[passages.length - 1] = { ...open, end: event };
  }
  return passages;
}
