import type { JSX } from "preact";
import type { EntryOf } from "../../extension/protocol/transcriptEntry";
import { plural } from "../format";
import { Icon } from "../icons";
import { Facts } from "./facts";

export function GoalEntry({ entry }: { entry: EntryOf<"goal"> }): JSX.Element {
  return (
    <section class="goal" aria-label="Goal">
      <p class="goal-text" dir="auto">
        {entry.goal}
      </p>
      <details class="told">
        <summary>
          <Icon name="chevron" tone="quiet" />
          How it runs
        </summary>
        <Facts facts={entry.facts} />
      </details>
    </section>
  );
}

/** What decides about done, fixed before the first edit. */
export function FrozenEntry({ entry }: { entry: EntryOf<"frozen"> }): JSX.Element {
  const { checks, structural, warnings, digest } = entry;
  const what = checks.length === 0 ? "No command decides; structural checks only" : plural(checks.length, "check");
  return (
    <details class="told frozen">
      <summary>
        <Icon name="chevron" tone="quiet" />
        <Icon name="gate" tone="quiet" />
        <span>
          Frozen before the first edit: {what} <code class="quiet">{digest}</code>
        </span>
      </summary>
      <ul class="checks">
        {checks.map(({ name, command, provenance }) => (
          <li key={name}>
            <div class="check-line">
              <span class="check-name">{name}</span>
              <code>{command}</code>
              <span class="check-facts">{provenance}</span>
            </div>
          </li>
        ))}
        {structural.length > 0 && <li class="quiet">and structural: {structural.join(", ")}</li>}
        {warnings.map((warning) => (
          <li key={warning} class="tone-ask">
            {warning}
          </li>
        ))}
      </ul>
    </details>
  );
}
