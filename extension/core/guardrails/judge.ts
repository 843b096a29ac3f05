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
  const broken = findFailedProof(options.ruleSets);
  if (broken !== null) {
    const verdict = deny("self-proof", `the guard could not prove itself (${broken}), so nothing may run`);
    return () => Promise.resolve(verdict);
  }
  return async (call, toolDefault, signal) => {
    const frozen = frozenOrNull(call);
    if (frozen === null) return deny("call", "the call's arguments are not plain data");
    const ruled = options.ruleSets.flatMap((rules) => verdictsOf(rules, frozen));
    const answers = options.guardrails.map((guardrail) => askGuardrail(guardrail, frozen, signal, options));
    const verdict = composeVerdicts([...ruled, ...(await Promise.all(answers))], toolDefault);
    return signal.aborted && verdict.decision !== "deny" ? deny("stopped", "the run was stopped") : verdict;
  };
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
      return typeof verdict.rule === "string" ? { ...parsed, rule: verdict.rule } : parsed;
    });
  } catch {
    return [deny(rules.id, `the rules ${rules.id} failed on this call`)];
  }
}
