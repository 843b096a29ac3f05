// The gate decides, where the loop would report done, whether it may. It sees results, never the story.
import { cutReason } from "./checks/cutReason";
import type { CheckResult } from "./checkResult";

export type GateDecision =
  | { kind: "pass" }
  | { kind: "fail"; reason: string }
  /** A check could not run: an environment error, told to the person and not charged as an attempt. */
  | { kind: "unavailable"; check: string; why: string }
  /** Only a person can settle it. */
  | { kind: "review"; reason: string };

/** Only results that passed, or were settled as not applicable when the plan was frozen, let a run through. No result at all passes nothing. */
export function decideGate(results: readonly CheckResult[], needsReview: string | null): GateDecision {
  const unavailable = results.find((result) => result.verdict === "unavailable");
  const failing = results.filter((result) => result.verdict !== "pass" && result.verdict !== "not-applicable");
  const judgedRed = failing.filter((result) => result.verdict !== "unavailable" && result.verdict !== "not-run");
  if (judgedRed.length > 0) return { kind: "fail", reason: cutReason(failing) };
  if (unavailable !== undefined) return { kind: "unavailable", check: unavailable.name, why: unavailable.reason };
  if (failing.length > 0 || results.length === 0)
    return { kind: "fail", reason: cutReason(failing) || "nothing was checked" };
  return needsReview === null ? { kind: "pass" } : { kind: "review", reason: needsReview };
}
