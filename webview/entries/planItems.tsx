import type { JSX } from "preact";
import type { TranscriptPlanItem } from "../../extension/protocol/transcriptEntry";
import { Icon } from "../icons";

const words: Readonly<Record<TranscriptPlanItem["state"], { text: string; tone: string }>> = {
  open: { text: "open", tone: "quiet" },
  "in-progress": { text: "in progress", tone: "busy" },
  claimed: { text: "claimed", tone: "claim" },
  verified: { text: "verified", tone: "good" },
  "cancel-requested": { text: "asks to cancel", tone: "ask" },
  cancelled: { text: "cancelled", tone: "quiet" },
};

/** The agent's tick and the gate's word never look alike. */
export function PlanItems({ items }: { items: readonly TranscriptPlanItem[] }): JSX.Element {
  return (
    <ul class="plan-items">
      {items.map(({ id, text, state, reason }) => (
        <li key={id} class={`is-${state}`}>
          <Icon name={state} tone={words[state].tone} />
          <span class="plan-text">
            {text}
            {reason !== "" && <span class="quiet"> — {reason}</span>}
          </span>
          <span class={`plan-state tone-${words[state].tone}`}>{words[state].text}</span>
        </li>
      ))}
    </ul>
  );
}
