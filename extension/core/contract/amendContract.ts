import { classify, isGlobEntry } from "./contractIndex";
import { comparisonForm, normalizePath } from "./contractPaths";
import type { ContractPorts } from "./contractPorts";
import { observeEntry } from "./observeEntry";
import type { ContractEntry, VerificationPlan } from "./verificationPlan";
import { withDigest } from "./withDigest";

export interface Amendment {
  plan: VerificationPlan;
  /** The contract's own spelling of the path. */
  path: string;
  /** What now stands for the path; null when nothing does. */
  entry: ContractEntry | null;
  before: string | null;
  after: string | null;
}

/**
 * Takes the disk's present state of one path into the plan, after a person approved its change.
 * A deleted file becomes a name that must stay absent; a created one is frozen. A path outside the contract, or a new test, changes nothing.
 */
export async function amendContract(
  plan: VerificationPlan,
  path: string,
  ports: ContractPorts,
  root: string,
): Promise<Amendment> {
  const found = classify(path, plan);
  const own = plan.contract.find((entry) => !isGlobEntry(entry) && comparisonForm(entry.path) === comparisonForm(path));
  const name = own?.path ?? normalizePath(path);
  const unchanged: Amendment = {
    plan,
    path: name,
    entry: own ?? null,
    before: own?.digest ?? null,
    after: own?.digest ?? null,
  };
  if (found === null || found.class === "new-test" || found.class === "hidden") return unchanged;
  const as = found.class === "projection" ? "projection" : "frozen";
  const seen = await observeEntry(name, as, ports, root);
  // Unreadable: the old entry stands, so that the next comparison says so.
  if (seen.state === "unreadable") return unchanged;
  const entry: ContractEntry =
    seen.state === "absent"
      ? { path: name, class: "trap", digest: null, mode: null, links: null }
      : { path: name, class: as, digest: seen.digest, mode: seen.mode, links: seen.links };
  const contract = [...plan.contract.filter((other) => other.path !== name), entry];
  return {
    plan: withDigest({ ...plan, contract }, ports.hasher),
    path: name,
    entry,
    before: own?.digest ?? null,
    after: entry.digest,
  };
}
