import type { CheckResult, CheckVerdict } from "../checkResult";

/** A result of a check that runs nothing. */
export function structuralResult(
  name: string,
  verdict: CheckVerdict,
  reason: string,
  tree: string | null = null,
): CheckResult {
  return {
    name,
    verdict,
    exitCode: null,
    durationMs: 0,
    tests: null,
    evidence: "structural",
    tree,
    provenance: "structural",
    reason,
  };
}
