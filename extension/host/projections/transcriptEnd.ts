// A run's last word. Verified is said only where the engine's own verdict says it.
import { toOutcome, type Outcome } from "../../core/journal/toOutcome";
import type { RunStatus } from "../../core/journal/event";
import type { RunState } from "../../core/journal/runState";
import type { EntryOf, Tone, TranscriptEntry } from "../../protocol/transcriptEntry";
import type { Draft } from "./transcriptDrafts";
import { showExact, showLine, showProse } from "./transcriptText";

/** An end that a resume took back is a pause. */
export function toEnd(
  { event, isResumed }: Extract<Draft, { kind: "end" }>,
  state: RunState,
  stale: boolean | null,
): TranscriptEntry {
  const base = { key: `end:${event.seq}`, at: Date.parse(event.ts) };
  if (isResumed) {
    return {
      ...base,
      kind: "note",
      tone: "quiet",
      text: showLine(`Paused (${event.status}): ${event.stoppedBy}`, 400),
    };
  }
  const outcome = toOutcome(state, { journal: null, stale });
  return {
    ...base,
    kind: "end",
    status: event.status,
    tone: toStatusTone(event.status, outcome.verdict),
    verdict: outcome.verdict,
    stoppedBy: showProse(event.stoppedBy),
    reasons: event.reasons.filter((reason) => reason !== event.stoppedBy).map((reason) => showLine(reason, 400)),
    remarks: [...toRemarks(outcome), ...toUnjudged(state)],
    facts: toFacts(outcome),
  };
}

/** Green is for a verdict, not for the agent's word: done without a gate stays plain. */
function toStatusTone(status: RunStatus, verdict: Outcome["verdict"]): Tone {
  if (status === "done") return verdict === "VERIFIED" ? "good" : "plain";
  if (status === "pending" || verdict === "NEEDS-REVIEW") return "ask";
  return status === "interrupted" || status === "closed" ? "quiet" : "bad";
}

function toRemarks({ stale, sealed, review, accepted, amendments }: Outcome): EntryOf<"end">["remarks"] {
  const remarks: (EntryOf<"end">["remarks"][number] | null)[] = [
    review ? { tone: "ask", text: "Only a person can settle this." } : null,
    stale === true ? { tone: "ask", text: "Stale: files were changed after they were judged." } : null,
    sealed ? null : { tone: "bad", text: "Not sealed: part of the journal cannot be vouched for." },
    accepted === null
      ? null
      : { tone: "ask", text: `Accepted by ${showLine(accepted.by, 80)}: ${showLine(accepted.what, 300)}` },
    ...amendments.map(({ path }) => ({ tone: "ask" as const, text: `Contract amended: ${showExact(path)}` })),
  ];
  return remarks.filter((remark) => remark !== null);
}

/** A verdict holds for what is on the disk. */
function toUnjudged({ lastVerification }: RunState): EntryOf<"end">["remarks"] {
  const names = lastVerification?.unsaved ?? [];
  return names.map((name) => ({ tone: "ask" as const, text: `Not judged, since it is not saved: ${showExact(name)}` }));
}

function toFacts({ turns, toolCalls, attempts, tokens, evidence, verdict, cost }: Outcome): EntryOf<"end">["facts"] {
  const facts = [
    { name: "Turns", value: `${turns}` },
    { name: "Tool calls", value: `${toolCalls}` },
    { name: "Attempts", value: `${attempts}` },
    { name: "Tokens", value: `${tokens.input} in, ${tokens.output} out` },
  ];
  if (cost !== null) facts.push({ name: "Cost", value: cost.toFixed(4) });
  return verdict === "VERIFIED" ? [{ name: "Evidence", value: evidence }, ...facts] : facts;
}
