import type { JSX } from "preact";
import type { EntryOf } from "../../extension/protocol/transcriptEntry";
import { Icon, type IconName } from "../icons";
import { Facts } from "./facts";

const icons: Readonly<Record<EntryOf<"end">["tone"], IconName>> = {
  good: "verified",
  plain: "claimed",
  quiet: "stop",
  ask: "waiting",
  bad: "error",
};

export function EndEntry({ entry }: { entry: EntryOf<"end"> }): JSX.Element {
  const { status, tone, verdict, stoppedBy, reasons, remarks, facts } = entry;
  return (
    <section class={`card end edge-${tone}`} aria-label={`Run ended: ${status}`}>
      <header>
        <Icon name={icons[tone]} tone={tone} />
        <h2>{status.charAt(0).toUpperCase() + status.slice(1)}</h2>
        {verdict !== "none" && <span class={`chip tone-${tone}`}>{verdict}</span>}
      </header>
      {stoppedBy !== "" && <p class="reason">{stoppedBy}</p>}
      {reasons.map((reason) => (
        <p class="reason" key={reason}>
          {reason}
        </p>
      ))}
      {remarks.map((remark) => (
        <p class={`remark tone-${remark.tone}`} key={remark.text}>
          {remark.text}
        </p>
      ))}
      <Facts facts={facts} />
    </section>
  );
}
