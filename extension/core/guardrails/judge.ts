// One call in, one verdict out. Everything that cannot be decided is denied, and only for that call.
import type { Clock } from "../ports/clock";
import { askGuardrail } from "./askGuardrail";
import { composeVerdicts } from "./composeVerdicts";
import type { ToolDefault } from "./composeVerdicts";
import { freezeCall } from "./freezeCall";
import { parseAnswer } from "./guardrailAnswer";
import { findFailedProof } from "./selfProof";
import { deny } from "./verdict";
import type { GuardedCall, Guardrail, RuleSet, Verdict } from "./verdict";

export interface JudgeOptions {
  /** Synchronous rules of the engine, built-in ones first. */
  ruleSets: readonly RuleSet[];
  /** Functions of an embedding program, asked at the same time; their order decides whose denial is told. */
  guardrails: readonly Guardrail[];
  clock: Clock;
  /** For each guardrail function. */
  deadlineMs: number;
}

/** Never rejects. An aborted `signal` denies. */
export type Judge = (call: GuardedCall, toolDefault: ToolDefault, signal: AbortSignal) => Promise<Verdict>;

export function createJudge(options: JudgeOptions): Judge {
  let broken = findFailedProof(options.ruleSets.filter((set) => set.prepare === undefined));
  const unproven = new Set(options.ruleSets.filter((set) => set.prepare !== undefined));
  return async (call, toolDefault, signal) => {
    const frozen = frozenOrNull(call);
    if (frozen === null) return deny("call", "the call's arguments are not plain data");
    for (const set of await setsInUse(options.ruleSets, frozen)) {
      if (unproven.delete(set)) broken ??= findFailedProof([set]);
    }
    if (broken !== null) return deny("self-proof", `the guard could not prove itself (${broken}), so nothing may run`);
    const ruled = options.ruleSets.flatMap((rules) => verdictsOf(rules, frozen));
    const answers = options.guardrails.map((guardrail) => askGuardrail(guardrail, frozen, signal, options));
    const verdict = composeVerdicts([...ruled, ...(await Promise.all(answers))], toolDefault);
    return signal.aborted && verdict.decision !== "deny" ? deny("stopped", "the run was stopped") : verdict;
  };
}

/** Those that had something to load for this call, loaded. One that fails to load answers for itself in its verdicts. */
async function setsInUse(ruleSets: readonly RuleSet[], call: GuardedCall): Promise<readonly RuleSet[]> {
  const used: RuleSet[] = [];
  for (const set of ruleSets) if ((await set.prepare?.(call)) === true) used.push(set);
  return used;
}

function frozenOrNull(call: GuardedCall): GuardedCall | null {
  try {
    return freezeCall(call);
  } catch {
    // Functions, proxies and the like: nothing a model's JSON can hold.
    return null;
  }
}

function verdictsOf(rules: RuleSet, call: GuardedCall): readonly Verdict[] {
  try {
    return rules.verdicts(call).map((verdict) => {
      const parsed = parseAnswer(rules.id, verdict);
      const named: Verdict = typeof verdict.rule === "string" ? { ...parsed, rule: verdict.rule } : parsed;
      const byDefault = verdict.decision === "allow" && verdict.byDefault === true && named.decision === "allow";
      return byDefault ? { ...named, byDefault } : named;
    });
  } catch {
    return [deny(rules.id, `the rules ${rules.id} failed on this call`)];
  }
}
