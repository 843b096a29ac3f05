// Turns events into journal lines: numbered, timed, chained, redacted, sealed where a lie would matter.
import type { Clock } from "../ports/clock";
import type { Hasher } from "../ports/hasher";
import type { JournalStore } from "../ports/journalStore";
import { encodeLine } from "./codec";
import type { Event, EventType, JournaledEvent } from "./event";
import { sealedTypes } from "./envelope";
import { encodeHead } from "./journalHead";
import { toIsoTime } from "./isoTime";
import { redactEvent, type SecretValue } from "./redact";

export interface JournalWriterOptions {
  run: string;
  store: JournalStore;
  clock: Clock;
  hasher: Hasher;
  /** Values of secret-named variables; known shapes are found without them. */
  secrets: readonly SecretValue[];
  /** Where the chain goes on: hash of the last line (null: a new journal) and the next number. */
  head: { lastHash: string | null; nextSeq: number };
}

/** Flushed to the disk before the run goes on: what happens next must not outlive the line that announces or decides it. */
const durableTypes: ReadonlySet<EventType> = new Set<EventType>([
  "agent_start",
  "plan_frozen",
  "tool_start",
  "process_started",
  "approval_requested",
  "approval_resolved",
  "contract_amended",
  "human_message",
  "verification_end",
  "human_accepted",
  "agent_end",
]);

/** Answers the event as the run folds it: unredacted, since the run goes on with the real values. */
export function createJournalWriter(options: JournalWriterOptions): (event: Event) => Promise<JournaledEvent> {
  let { lastHash, nextSeq } = options.head;
  return async (event) => {
    const envelope = { v: 1 as const, seq: nextSeq, ts: toIsoTime(options.clock.now()), run: options.run };
    const { event: redacted, spans } = redactEvent(event, options.secrets);
    const body = spans.length === 0 ? redacted : { ...redacted, redacted: spans };
    const sealOf = (text: string): Promise<string | null> => options.store.seal(text);
    const seal = sealedTypes.has(event.type) ? sealOf : null;
    const line = await encodeLine({ envelope, prev: lastHash, event: body, hasher: options.hasher, seal });
    const durable = durableTypes.has(event.type);
    const head = durable ? await encodeHead({ seq: nextSeq, hash: line.hash }, sealOf) : null;
    await options.store.append(`${line.text}\n`, durable, head ?? undefined);
    lastHash = line.hash;
    nextSeq += 1;
    return { ...envelope, prev: line.prev, ...event };
  };
}
