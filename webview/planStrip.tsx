import type { JSX } from "preact";
import type { TranscriptPlanItem } from "../extension/protocol/transcriptEntry";
import { Icon } from "./icons";
import { PlanItems } from "./entries/planItems";

/** The plan as it stands, always in reach. */
export function PlanStrip({ items }: { items: readonly TranscriptPlanItem[] }): JSX.Element | null {
  if (items.length === 0) return null;
  const count = (state: TranscriptPlanItem["state"]): number => items.filter((item) => item.state === state).length;
  const claimed = count("claimed");
  return (
    <details class="plan-strip">
      <summary>
        <Icon name="chevron" tone="quiet" />
        <span class="strip-title">Plan</span>
        <span class="strip-marks" aria-hidden="true">
          {items.slice(0, 12).map(({ id, state }) => (
            <Icon
              key={id}
              name={state}
              tone={state === "verified" ? "good" : state === "claimed" ? "claim" : "quiet"}
            />
          ))}
        </span>
        <span class="quiet">
          {count("verified")} of {items.length} verified
          {claimed > 0 && <span class="strip-claimed">, {claimed} claimed</span>}
        </span>
      </summary>
      <PlanItems items={items} />
    </details>
  );
}
