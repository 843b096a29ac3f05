import type { FrozenCheck, VerificationPlan } from "../../contract/verificationPlan";

/** The checks that can tell what they run, and that can run somewhere else than in the workspace. */
export function checksWithBaseline(plan: VerificationPlan): readonly FrozenCheck[] {
  return plan.checks.filter((check) => (check.reports ?? []).length > 0 && !leavesRoot(check));
}

/** A word that goes up would go up from the copy. */
function leavesRoot({ run, cwd }: FrozenCheck): boolean {
  const words = typeof run === "string" ? [run, cwd] : [...run, cwd];
  return words.some((word) => /(?:^|[\s=/'"])\.\.(?:[/\s'"]|$)/.test(word));
}
