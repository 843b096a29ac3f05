// Every check of one passage over one tree: structural ones first, then the frozen commands, then functions.
import { runFunctionCheck } from "../gate/checks/functionCheck";
import type { CheckResult } from "../gate/checkResult";
import { toGateEvidence } from "./gateEvidence";
import type { RunContext } from "./runContext";
import { runFrozenCheck } from "./runFrozenCheck";
import { settleFlaky } from "./settleFlaky";
import { runStructuralChecks } from "./structuralChecks";

/** Runs the checks one after the other and journals each. A failed structural check leaves the commands unrun. */
export async function runAllChecks(
  context: RunContext,
  tree: string | null,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const record = async (check: CheckResult): Promise<void> => {
    results.push(check);
    await recordChecks(context, [check]);
  };
  for (const check of await runStructuralChecks(context, tree, signal)) await record(check);
  const structureHolds = allHold(results);
  for (const run of [...commandRuns(context, tree, structureHolds), ...functionRuns(context, tree, structureHolds)]) {
    if (signal.aborted) break;
    await record(await run(signal));
  }
  return results;
}

/** The newest result of a check is the one that is shown. */
export async function recordChecks(context: RunContext, checks: readonly CheckResult[]): Promise<void> {
  const attempt = context.state().attempts + 1;
  for (const check of checks) await context.emit({ type: "check_end", check, attempt, callId: null });
}

type CheckRun = (signal: AbortSignal) => Promise<CheckResult>;

function commandRuns(context: RunContext, tree: string | null, structureHolds: boolean): CheckRun[] {
  const { plan, spec, answered } = context.state();
  const { workspace } = context;
  if (plan === null || workspace === null || spec?.completion?.commands !== true) return [];
  return plan.checks.map((check) => async (signal) => {
    const run = (): Promise<CheckResult> =>
      runFrozenCheck(context, workspace, { name: check.name, plan, tree, callId: null }, signal);
    if (structureHolds) return settleFlaky(await run(), answered, run, signal);
    const known = answered.find((result) => result.name === check.name && result.tree === tree && tree !== null);
    return known ?? notRun(check.name, check.provenance, tree);
  });
}

function functionRuns(context: RunContext, tree: string | null, structureHolds: boolean): CheckRun[] {
  const names = context.state().spec?.completion?.functions ?? [];
  return names.map((name) => (signal) => {
    const verifier = context.verifiers[name];
    if (verifier === undefined) return Promise.resolve(unavailableCheck(name, "this verifier is not there any more"));
    if (!structureHolds) return Promise.resolve(notRun(name, "completion.verify", tree));
    const options = { clock: context.clock, timeoutMs: context.verifierTimeoutMs, tree };
    return runFunctionCheck(name, verifier, toGateEvidence(context.state()), options, signal);
  });
}

export const allHold = (results: readonly CheckResult[]): boolean =>
  results.every((check) => check.verdict === "pass" || check.verdict === "not-applicable");

function notRun(name: string, provenance: string, tree: string | null): CheckResult {
  return { ...unavailableCheck(name, "not run"), verdict: "not-run", provenance, tree };
}

/** Not a verdict on the work: the check could not be made. */
export function unavailableCheck(name: string, reason: string): CheckResult {
  return {
    name,
    verdict: "unavailable",
    exitCode: null,
    durationMs: 0,
    tests: null,
    evidence: "none",
    tree: null,
    provenance: "built-in",
    reason,
  };
}
