import type { CheckResult } from "../checkResult";
import { runCanary, type CanarySubject } from "./runCanary";

/** A pass on a report counts only while a test that must fail is not reported as passed. Stop takes the pass away. */
export async function withCanary(
  result: CheckResult,
  subject: CanarySubject,
  signal: AbortSignal,
): Promise<CheckResult> {
  if (result.verdict !== "pass" || result.evidence !== "report") return result;
  const answer = await askCanary(subject, signal);
  if (signal.aborted) return { ...result, verdict: "not-run", reason: `${result.name}: stopped before it ended` };
  if (answer === null) return result;
  if (answer !== "fooled") return { ...result, canary: answer };
  const reason = `${result.name}: a test that must fail was reported as passed: what the tests load makes its runner or its assertions pass anything`;
  return { ...result, verdict: "tampered", reason };
}

async function askCanary(subject: CanarySubject, signal: AbortSignal): ReturnType<typeof runCanary> {
  try {
    return await runCanary(subject, signal);
  } catch {
    return "inconclusive"; // without room for a copy there is no verdict, and it says so
  }
}
