// One sentence for a screen reader about a piece of the transcript.
import type { TranscriptEntry } from "../extension/protocol/transcriptEntry";

const longestSentence = 240;

export function describeEntry(entry: TranscriptEntry): string {
  return shorten(toSentence(entry));
}

function toSentence(entry: TranscriptEntry): string {
  switch (entry.kind) {
    case "goal":
      return `Goal: ${entry.goal}`;
    case "frozen":
      return `Frozen before the first edit: ${entry.checks.length} checks`;
    case "say":
      return entry.isFinal ? `Agent claims to be finished: ${entry.text.text}` : `Agent: ${entry.text.text}`;
    case "call":
      return describeCall(entry);
    case "plan":
      return `Plan: ${entry.items.map(({ text, state }) => `${text}, ${state}`).join("; ")}`;
    case "approval":
      return `Approval ${entry.approval.id} ${entry.approval.status}: ${entry.approval.reason}`;
    case "gate":
      return `Gate, attempt ${entry.attempt}: ${gateWords[entry.state]}. ${entry.summary}`;
    case "retry":
      return `The model did not answer, trying again: ${entry.message}`;
    case "message":
      return `${entry.by}: ${entry.text}`;
    case "note":
      return entry.text;
    case "end":
      return `Run ended, ${entry.status}: ${entry.stoppedBy}`;
  }
}

export const gateWords = {
  running: "checking",
  passed: "verified",
  failed: "not verified",
  unavailable: "could not be checked",
  cancelled: "stopped before it was judged",
} as const;

export const callWords = {
  running: "running",
  waiting: "waiting for you",
  ok: "done",
  error: "failed",
  denied: "denied",
  cancelled: "not run",
  interrupted: "interrupted, outcome unknown",
} as const;

function describeCall({ tool, brief, state, denial, approval }: Extract<TranscriptEntry, { kind: "call" }>): string {
  if (denial !== null) return `Denied: ${tool} ${brief}. ${denial.reason}`;
  if (state === "waiting")
    return `${approval?.id ?? ""} waits for your answer: ${tool} ${brief}. ${approval?.reason ?? ""}`;
  return `${tool} ${brief}: ${callWords[state]}`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= longestSentence ? line : `${line.slice(0, longestSentence - 1)}…`;
}
