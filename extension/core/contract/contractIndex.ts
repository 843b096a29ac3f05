import { comparisonForm, foldersAbove, isWithin } from "./contractPaths";
import { isGlob, matchAny } from "./globs";
import type { ContractClass, ContractEntry, VerificationPlan } from "./verificationPlan";

/** What a path is, or would become, to the contract. */
export interface Classification {
  class: ContractClass;
  /** The entry that says so: the path's own, a glob's, a hidden folder's, or one below the path when it is a folder. */
  entry: ContractEntry;
}

export interface ContractIndex {
  /** `path` is relative to the root. Null: no part of the contract. Case and Unicode form of the name make no difference. */
  classify(path: string): Classification | null;
}

type Contract = Pick<VerificationPlan, "contract">;

/** For many questions about one plan. */
export function createContractIndex(plan: Contract): ContractIndex {
  const byName = new Map<string, ContractEntry>();
  const folders = new Map<string, ContractEntry>();
  const hidden = plan.contract.filter((entry) => entry.class === "hidden");
  const globs = plan.contract.filter(isGlobEntry);
  for (const entry of plan.contract.filter((candidate) => !isGlobEntry(candidate) && candidate.class !== "hidden")) {
    const form = comparisonForm(entry.path);
    if (entry.class !== "trap" || !byName.has(form)) byName.set(form, entry);
    if (entry.class === "frozen") for (const folder of foldersAbove(form).slice(1)) folders.set(folder, entry);
  }
  const firstGlob = (wanted: ContractClass): ((form: string) => ContractEntry | undefined) => {
    const tests = globs
      .filter((entry) => entry.class === wanted)
      .map((entry) => ({ entry, matches: matchAny([entry.path]) }));
    return (form) => tests.find(({ matches }) => matches(form))?.entry;
  };
  const trap = firstGlob("trap");
  const newTest = firstGlob("new-test");
  return {
    classify(path) {
      const form = comparisonForm(path);
      const entry =
        hidden.find((candidate) => isWithin(form, comparisonForm(candidate.path))) ??
        byName.get(form) ??
        trap(form) ??
        folders.get(form) ??
        newTest(form);
      return entry === undefined ? null : { class: entry.class, entry };
    },
  };
}

/** One question; see `createContractIndex` for many. */
export function classify(path: string, plan: Contract): Classification | null {
  return createContractIndex(plan).classify(path);
}

/** Traps and new tests may be given as globs; everything else is a name, whatever characters it holds. */
export function isGlobEntry(entry: ContractEntry): boolean {
  return entry.class === "new-test" || (entry.class === "trap" && isGlob(entry.path));
}
