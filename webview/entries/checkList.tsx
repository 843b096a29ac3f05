import type { JSX } from "preact";
import type { TranscriptCheck } from "../../extension/protocol/transcriptEntry";
import { formatDuration } from "../format";
import { Icon, type IconName } from "../icons";
import { Output } from "../prose";

const icons: Readonly<Record<TranscriptCheck["tone"], IconName>> = {
  good: "ok",
  bad: "error",
  ask: "interrupted",
  quiet: "none",
  plain: "none",
};

/** Each check with its verdict; what a failed one printed stands open. */
export function CheckList({ checks }: { checks: readonly TranscriptCheck[] }): JSX.Element {
  return (
    <ul class="checks">
      {checks.map((check, at) => (
        <li key={`${check.name}:${at}`}>
          <div class="check-line">
            <Icon name={icons[check.tone]} tone={check.tone} />
            <span class="check-name">{check.name}</span>
            <span class={`verdict tone-${check.tone}`}>{check.verdict}</span>
            <span class="check-facts">{toFacts(check)}</span>
          </div>
          {check.output.text !== "" && <Output cut={check.output} label={`Output of the check ${check.name}`} />}
        </li>
      ))}
    </ul>
  );
}

function toFacts({ exitCode, durationMs, tests, provenance }: TranscriptCheck): string {
  const facts = [
    tests === null ? "" : `${tests.run} run, ${tests.failed} failed, ${tests.skipped} skipped`,
    exitCode === null ? "" : `exit ${exitCode}`,
    durationMs < 50 ? "" : formatDuration(durationMs),
    provenance,
  ];
  return facts.filter((fact) => fact !== "").join(" · ");
}
