import { createContractIndex, isGlobEntry } from "./contractIndex";
import type { ContractPorts } from "./contractPorts";
import { mapBounded } from "./mapBounded";
import type { Observation } from "./observation";
import { observeEntry } from "./observeEntry";
import type { ContractClass, ContractEntry, VerificationPlan } from "./verificationPlan";
import { listMatching } from "./workspaceListing";

/** A difference between the contract as frozen and the disk as it is. */
export interface ContractChange {
  path: string;
  class: ContractClass;
  what: "changed" | "created" | "deleted" | "mode" | "linked";
  detail: string;
}

type Contract = Pick<VerificationPlan, "contract">;

/** Sorted by path. What cannot be read counts as changed: an unknown contract is no contract. */
export async function compareContract(plan: Contract, ports: ContractPorts, root: string): Promise<ContractChange[]> {
  const named = plan.contract.filter((entry) => !isGlobEntry(entry));
  const changes = await mapBounded(named, 16, async (entry) =>
    toChange(entry, await observeEntry(entry.path, entry.class, ports, root)),
  );
  const created = await createdTraps(plan, ports, root);
  return [...changes.filter((change) => change !== null), ...created].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function toChange(entry: ContractEntry, seen: Observation): ContractChange | null {
  const change = (what: ContractChange["what"], detail: string): ContractChange => ({
    path: entry.path,
    class: entry.class,
    what,
    detail,
  });
  if (seen.state === "unreadable") {
    if (entry.digest === null) return change("created", seen.message);
    return change("changed", `cannot be read: ${seen.message}`);
  }
  if (seen.state === "absent") return entry.digest === null ? null : change("deleted", "is gone");
  if (entry.digest === null) return change("created", "was absent when the plan was frozen");
  if (seen.digest !== entry.digest) return change("changed", changedDetail[entry.class] ?? "has other bytes");
  if (differs(entry.mode, seen.mode)) return change("mode", `mode ${octal(entry.mode)} became ${octal(seen.mode)}`);
  if (differs(entry.links, seen.links))
    return change("linked", `hard links ${String(entry.links)} became ${String(seen.links)}`);
  return null;
}

const changedDetail: Partial<Record<ContractClass, string>> = {
  projection: "the part that decides about the check has changed",
  hidden: "something in it has changed",
};

function differs(frozen: number | null, now: number | null): boolean {
  return frozen !== null && now !== null && frozen !== now;
}

function octal(mode: number | null): string {
  return mode === null ? "unknown" : mode.toString(8);
}

/** New files that match a glob of names that were to stay absent. */
async function createdTraps(plan: Contract, ports: ContractPorts, root: string): Promise<ContractChange[]> {
  const globs = plan.contract
    .filter((entry) => entry.class === "trap" && isGlobEntry(entry))
    .map((entry) => entry.path);
  const listing = await listMatching(globs, root, ports);
  const incomplete: ContractChange[] =
    listing.incomplete === null ? [] : [{ path: ".", class: "trap", what: "changed", detail: listing.incomplete }];
  const index = createContractIndex(plan);
  const created = listing.paths
    .filter((path) => {
      const known = index.classify(path);
      return known?.class === "trap" && isGlobEntry(known.entry);
    })
    .map((path): ContractChange => ({
      path,
      class: "trap",
      what: "created",
      detail: "was absent when the plan was frozen",
    }));
  return [...incomplete, ...created];
}
