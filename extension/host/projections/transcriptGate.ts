// A passage of the gate as the transcript shows it: each check with the useful part of its output, receipts, the verdict.
import type { CheckResult, CheckVerdict } from "../../core/gate/checkResult";
import type { Receipt } from "../../core/gate/receipts/receipt";
import type { RunState } from "../../core/journal/runState";
import type { EntryOf, Tone, TranscriptCheck, TranscriptReceipt } from "../../protocol/transcriptEntry";
import type { GateDraft } from "./transcriptDrafts";
import { cutText, showExact, showLine, showProse } from "./transcriptText";

const longestOutput = 1_500;
const longestTold = 4_000;

export function toGate(draft: GateDraft, state: RunState, isMoving: boolean): EntryOf<"gate"> {
  const { event, end } = draft;
  return {
    kind: "gate",
    key: `gate:${event.seq}`,
    at: Date.parse(event.ts),
    attempt: event.attempt,
    maxAttempts: state.spec?.completion?.maxAttempts ?? null,
    state: toState(draft, isMoving),
    summary: toSummary(draft),
    checks: draft.checks.map(toCheck),
    receipts: draft.receipts.map(toReceipt),
    told: cutText(end?.reason ?? "", longestTold, showProse),
  };
}

function toState({ end, isLeft }: GateDraft, isMoving: boolean): EntryOf<"gate">["state"] {
  if (end === null) return isMoving && !isLeft ? "running" : "cancelled";
  if (end.cancelled) return "cancelled";
  if (end.unavailable !== null) return "unavailable";
  return end.passed ? "passed" : "failed";
}

function toSummary({ end }: GateDraft): string {
  if (end === null) return "";
  if (end.unavailable === null) return showLine(end.summary, 300);
  return showLine(`${end.unavailable.check} could not run, so no attempt is used: ${end.unavailable.why}`, 500);
}

/** Anything but a pass is no pass; what was not judged is not shown as a failure either. */
const tones: Readonly<Record<CheckVerdict, Tone>> = {
  pass: "good",
  fail: "bad",
  "no-tests": "bad",
  "fewer-tests": "bad",
  "new-skips": "bad",
  flaky: "bad",
  tampered: "bad",
  unavailable: "ask",
  timeout: "bad",
  "not-run": "quiet",
  "not-applicable": "quiet",
};

export function toCheck(check: CheckResult): TranscriptCheck {
  const { verdict, exitCode, durationMs, tests } = check;
  return {
    name: showExact(check.name),
    ...{ verdict, exitCode, durationMs, tests },
    tone: tones[verdict],
    provenance: showExact(check.provenance),
    // A check that was not run has printed nothing; its verdict says so.
    output: cutText(verdict === "not-run" ? "" : check.reason, longestOutput),
  };
}

function toReceipt({ deliverable, evidence, durable_location, verdict }: Receipt): TranscriptReceipt {
  return {
    deliverable: showLine(deliverable, 300),
    evidence: showLine(durable_location ?? evidence, 300),
    verdict,
    tone: verdict === "BACKED" ? "good" : verdict === "UNBACKED" ? "bad" : "ask",
  };
}
