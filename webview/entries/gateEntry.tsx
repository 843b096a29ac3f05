// A passage of the gate: what was judged, what it found, what the agent was told.
import type { JSX } from "preact";
import type { EntryOf } from "../../extension/protocol/transcriptEntry";
import { gateWords } from "../describeEntry";
import { Icon, type IconName } from "../icons";
import { usePage } from "../page";
import { Output } from "../prose";
import { CheckList } from "./checkList";

type Gate = EntryOf<"gate">;

const looks: Readonly<Record<Gate["state"], { icon: IconName; tone: string }>> = {
  running: { icon: "running", tone: "busy" },
  passed: { icon: "verified", tone: "good" },
  failed: { icon: "error", tone: "bad" },
  unavailable: { icon: "interrupted", tone: "ask" },
  cancelled: { icon: "none", tone: "quiet" },
};

export function GateEntry({ entry }: { entry: Gate }): JSX.Element {
  const page = usePage();
  const { attempt, maxAttempts, state, summary, checks, receipts, told } = entry;
  const { icon, tone } = looks[state];
  return (
    <section class={`card gate edge-${tone}`} aria-label={`Gate, attempt ${attempt}: ${gateWords[state]}`}>
      <header>
        <Icon name={icon} tone={tone} />
        <h2>{toHeading(state)}</h2>
        <span class="quiet">
          {maxAttempts === null ? `Attempt ${attempt}` : `Attempt ${attempt} of ${maxAttempts}`}
        </span>
      </header>
      {state === "unavailable" && <p class="reason">{summary}</p>}
      {checks.length > 0 && <CheckList checks={checks} />}
      {state === "running" && page.runningCheck !== null && <p class="progress">{page.runningCheck}…</p>}
      {receipts.length > 0 && <Receipts receipts={receipts} />}
      {told.text !== "" && (
        <details class="told">
          <summary>
            <Icon name="chevron" tone="quiet" />
            What the agent was told
          </summary>
          <Output cut={told} label="What the agent was told" />
        </details>
      )}
    </section>
  );
}

function toHeading(state: Gate["state"]): string {
  const words = gateWords[state];
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function Receipts({ receipts }: { receipts: Gate["receipts"] }): JSX.Element {
  const unbacked = receipts.filter(({ tone }) => tone !== "good").length;
  return (
    <details class="told" open={unbacked > 0}>
      <summary>
        <Icon name="chevron" tone="quiet" />
        Receipts: {receipts.length - unbacked} of {receipts.length} backed
      </summary>
      <ul class="checks">
        {receipts.map((receipt, at) => (
          <li key={at}>
            <div class="check-line">
              <Icon
                name={receipt.tone === "good" ? "ok" : receipt.tone === "bad" ? "error" : "waiting"}
                tone={receipt.tone}
              />
              <span class="check-name">{receipt.deliverable}</span>
              <span class={`verdict tone-${receipt.tone}`}>{receipt.verdict}</span>
              <span class="check-facts">{receipt.evidence}</span>
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
