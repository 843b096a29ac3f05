import { canonicalJson } from "../journal/canonicalJson";
import type { Hasher } from "../ports/hasher";
import type { VerificationPlan } from "./verificationPlan";

/** Adds the digest over everything else; the order of contract entries does not count, since amendments append. */
export function withDigest(plan: Omit<VerificationPlan, "digest">, hasher: Hasher): VerificationPlan {
  const { checks, require, contract, source, warnings } = plan;
  // Left out where there are none, so that plans without them keep their digest.
  const known = plan.knownRed === undefined || plan.knownRed.length === 0 ? {} : { knownRed: plan.knownRed };
  const sorted = [...contract].sort((a, b) => (a.path < b.path ? -1 : 1));
  const digest = hasher.sha256(canonicalJson({ checks, require, contract: sorted, source, warnings, ...known }));
  return { checks, require, contract, source, ...known, warnings, digest };
}
