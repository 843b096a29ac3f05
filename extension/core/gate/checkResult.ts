/** The only words for how a check ended. Only `pass` passes. */
export type CheckVerdict =
  | "pass"
  | "fail"
  | "no-tests"
  | "fewer-tests"
  | "new-skips"
  | "flaky"
  | "tampered"
  | "unavailable"
  | "timeout"
  | "not-run"
  | "not-applicable";

export type Evidence = "report" | "exit-code" | "structural" | "none";

export interface CheckResult {
  name: string;
  verdict: CheckVerdict;
  exitCode: number | null;
  durationMs: number;
  tests: { run: number; failed: number; skipped: number } | null;
  evidence: Evidence;
  /** Digest of the tree that was judged, null when there is no snapshot. */
  tree: string | null;
  provenance: string;
  /** It passed, after another answer for the same tree. */
  flaky?: true;
  /** Of a pass: a test that must fail did fail (`held`), or could not be asked for. */
  canary?: "held" | "inconclusive";
  /** Ids of the tests it is red through, when all of them were red before the first edit. */
  oldRed?: readonly string[];
  /** Why it did not pass, in words that help to repair it; empty for a pass. */
  reason: string;
}
