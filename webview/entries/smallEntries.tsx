import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { EntryOf } from "../../extension/protocol/transcriptEntry";
import { Icon } from "../icons";
import { usePage } from "../page";
import { PlanItems } from "./planItems";

export function PlanEntry({ entry }: { entry: EntryOf<"plan"> }): JSX.Element {
  return (
    <div class="plan-entry" role="group" aria-label="Plan">
      <PlanItems items={entry.items} />
      {entry.unchanged > 0 && <p class="hint">{entry.unchanged} unchanged</p>}
    </div>
  );
}

export function MessageEntry({ entry }: { entry: EntryOf<"message"> }): JSX.Element {
  return (
    <section class="message" aria-label={`Message of ${entry.by}`}>
      <p class="message-by">
        <Icon name="person" tone="quiet" />
        {entry.by}
        {entry.isQueued && <span class="chip">queued until this turn has ended</span>}
      </p>
      <p class="message-text" dir="auto">
        {entry.text}
      </p>
    </section>
  );
}

export function NoteEntry({ entry }: { entry: EntryOf<"note"> }): JSX.Element {
  const icon = entry.tone === "bad" ? "error" : entry.tone === "ask" ? "interrupted" : "none";
  return (
    <p class={`note is-${entry.tone}`}>
      <Icon name={icon} tone={entry.tone} />
      <span>{entry.text}</span>
    </p>
  );
}

export function RetryEntry({ entry }: { entry: EntryOf<"retry"> }): JSX.Element {
  const { attempt, message, until } = entry;
  return (
    <p class="note is-ask">
      <Icon name="interrupted" tone={until === null ? "quiet" : "ask"} />
      <span>
        {message}{" "}
        <span class="quiet">
          Try {attempt}. {until !== null && <Countdown until={until} />}
        </span>
      </span>
    </p>
  );
}

/** Out of the live region: a number that changes every second is no news. */
function Countdown({ until }: { until: number }): JSX.Element {
  const page = usePage();
  const [, tick] = useState(0);
  const seconds = Math.ceil((until - page.now()) / 1_000);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 500);
    return () => clearInterval(timer);
  }, [until]);
  return <span aria-live="off">{seconds > 0 ? `Next try in ${seconds} s.` : "Trying again…"}</span>;
}
