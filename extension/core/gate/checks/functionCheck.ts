// A verifier function of an embedding program, judged as a check: only an object with `ok: true` passes.
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
  const timer = clock.sleep(timeoutMs, both).then((): Answer => {
    if (signal.aborted) return { verdict: "fail", reason: "the verification was cancelled" };
    return { verdict: "timeout", reason: `the verifier gave no answer within ${timeoutMs} ms` };
  });
  try {
    return await Promise.race([callVerifier(verifier, evidence, both), timer]);
  } finally {
    deadline.abort();
  }
}

async function callVerifier(verifier: Verifier, evidence: GateEvidence, signal: AbortSignal): Promise<Answer> {
  try {
    return readAnswer(await verifier(evidence, signal));
  } catch (error: unknown) {
    return { verdict: "fail", reason: `the verifier threw: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function readAnswer(answer: unknown): Answer {
  if (typeof answer !== "object" || answer === null || !("ok" in answer) || typeof answer.ok !== "boolean") {
    const got = answer === null ? "null" : Array.isArray(answer) ? "an array" : typeof answer;
    return {
      verdict: "fail",
      reason: `the verifier has to answer { ok: boolean, reason?: string }, it answered ${got}`,
    };
  }
  if (answer.ok) return { verdict: "pass", reason: "" };
  const reason = "reason" in answer && typeof answer.reason === "string" && answer.reason !== "" ? answer.reason : null;
  return { verdict: "fail", reason: reason ?? "the verifier gave no reason" };
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}
