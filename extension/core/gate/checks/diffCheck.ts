import { findSecrets } from "../../journal/redact";
import type { RunKind } from "../../journal/event";
import type { FileChange } from "../../ports/snapshots";
import type { CheckResult } from "../checkResult";
import { structuralResult } from "./structuralResult";

export interface DiffEvidence {
  kind: RunKind;
  /** Net changes between the start of the run and now that are the run's own. */
  changes: readonly FileChange[];
  /** Successful calls of mutating tools that change no files; only those with a receipt count. */
  effects: readonly { tool: string; backed: boolean }[];
  /** Texts of added and modified files; `before` is null where there was none. Binary files are left out. */
  texts: readonly { path: string; before: string | null; after: string }[];
  /** In an `auto` run a backed answer stands for an effect. */
  backedAnswer?: boolean;
  tree: string | null;
}

/** Did the run do something that lasts, and did it leave a secret behind? */
export function diffCheck(evidence: DiffEvidence): CheckResult {
  const { kind, tree } = evidence;
  if (kind === "question") return structuralResult("diff", "not-applicable", "", tree);
  const problems = [missingEffect(evidence), secretsAdded(evidence.texts)].filter((problem) => problem !== null);
  return structuralResult("diff", problems.length === 0 ? "pass" : "fail", problems.join("; "), tree);
}

function missingEffect({ kind, changes, effects, backedAnswer }: DiffEvidence): string | null {
  if (changes.length > 0 || effects.some((effect) => effect.backed)) return null;
  if (kind === "auto" && backedAnswer === true) return null;
  const unbacked = [...new Set(effects.map((effect) => effect.tool))];
  if (unbacked.length > 0)
    return `nothing in the workspace has changed, and the effect of ${unbacked.join(", ")} could not be read back`;
  return "nothing has changed: no file differs from the start of the run and no other effect is on record";
}

function secretsAdded(texts: DiffEvidence["texts"]): string | null {
  const found = texts.flatMap(({ path, before, after }) => {
    const old = new Set((before ?? "").split("\n"));
    const lines = after.split("\n");
    return findSecrets(after)
      .filter(({ line }) => before === null || !old.has(lines[line - 1] ?? ""))
      .map(({ line, kind, masked }) => `${path}:${line} (${kind} ${masked})`);
  });
  return found.length === 0 ? null : `added content holds a secret: ${found.join(", ")}. Take it out of the file`;
}
