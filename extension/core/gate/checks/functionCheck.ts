// A verifier function of an embedding program, judged as a check: only an object with `ok: true` passes.
import { errorText } from "../../errorText";
import type { Clock } from "../../ports/clock";
import type { CheckResult } from "../checkResult";
import type { GateEvidence, Verifier } from "../verifier";

interface FunctionCheckOptions {
  clock: Clock;
  timeoutMs: number;
  tree: string | null;
}

export async function runFunctionCheck(
  name: string,
  verifier: Verifier,
  evidence: GateEvidence,
  options: FunctionCheckOptions,
  signal: AbortSignal,
): Promise<CheckResult> {
  const startedAt = options.clock.now();
  const answer = await askVerifier(verifier, deepFreeze(structuredClone(evidence)), options, signal);
  return {
    name,
    verdict: answer.verdict,
    exitCode: null,
    durationMs: options.clock.now() - startedAt,
    tests: null,
    evidence: answer.verdict === "pass" ? "structural" : "none",
    tree: options.tree,
    provenance: "completion.verify",
    reason: answer.reason,
  };
}

type Answer = { verdict: "pass" | "fail" | "timeout"; reason: string };

async function askVerifier(
  verifier: Verifier,
  evidence: GateEvidence,
  { clock, timeoutMs }: FunctionCheckOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const deadline = new AbortController();
  const both = AbortSignal.any([signal, deadline.signal]);
  const late: Answer = { verdict: "timeout", reason: `the verifier gave no answer within ${timeoutMs} ms` };
  const endsAt = clock.now() + timeoutMs;
  const timer = clock.sleep(timeoutMs, both).then((): Answer => {
    return signal.aborted ? { verdict: "fail", reason: "the verification was cancelled" } : late;
  });
  try {
    const answer = await Promise.race([callVerifier(verifier, evidence, both), timer]);
    // One that never gave way to the timer is late all the same.
    return answer.verdict === "pass" && clock.now() > endsAt ? late : answer;
  } finally {
    deadline.abort();
  }
}

async function callVerifier(verifier: Verifier, evidence: GateEvidence, signal: AbortSignal): Promise<Answer> {
  try {
    return readAnswer(await verifier(evidence, signal));
  } catch (error: unknown) {
    return { verdict: "fail", reason: `the verifier threw: ${errorText(error)}` };
  }
}

/** Reads each part once: an object may answer a second look differently. */
function readAnswer(answer: unknown): Answer {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
    return misshapen(answer === null ? "null" : Array.isArray(answer) ? "an array" : typeof answer);
  }
  const { ok, reason } = answer as Record<string, unknown>;
  if (typeof ok !== "boolean") return misshapen("an object without a boolean ok");
  if (ok) return { verdict: "pass", reason: "" };
  return {
    verdict: "fail",
    reason: typeof reason === "string" && reason !== "" ? reason : "the verifier gave no reason",
  };
}

function misshapen(got: string): Answer {
  return { verdict: "fail", reason: `the verifier has to answer { ok: boolean, reason?: string }, it answered ${got}` };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
