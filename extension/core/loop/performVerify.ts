// One passage of the gate: structural checks first, then the frozen commands, then what an embedding program verifies.
import { decideGate, type GateDecision } from "../gate/gate";
import { runFunctionCheck } from "../gate/checks/functionCheck";
import type { CheckResult } from "../gate/checkResult";
import type { RunContext } from "./runContext";
import { runFrozenCheck } from "./runFrozenCheck";
import { runStructuralChecks } from "./structuralChecks";
import { toGateEvidence } from "./gateEvidence";

export async function performVerify(context: RunContext, signal: AbortSignal): Promise<void> {
  const attempt = context.state().attempts + 1;
  await context.workspace?.endLeftOvers(context.state().processes);
  const tree = await pictureTree(context, signal);
  await context.emit({ type: "verification_start", attempt, tree: tree.digest });
  const results = tree.failure === null ? await runAllChecks(context, tree.digest, signal) : [tree.failure];
  const treeAfter = tree.digest === null ? null : (await pictureTree(context, signal)).digest;
  const decision = signal.aborted ? null : decideGate(results, null);
  await context.emit({
    type: "verification_end",
    attempt,
    tree: tree.digest,
    treeAfter,
    cancelled: decision === null,
    ...toOutcome(decision, results),
  });
}

async function pictureTree(
  context: RunContext,
  signal: AbortSignal,
): Promise<{ digest: string | null; failure: CheckResult | null }> {
  if (context.workspace === null) return { digest: null, failure: null };
  const picture = await context.workspace.snapshots.take(signal);
  if (picture.ok) return { digest: picture.tree, failure: null };
  return { digest: null, failure: unavailableCheck("snapshot", picture.message) };
}

/** Runs the checks one after the other and journals each. A failed structural check leaves the commands unrun. */
async function runAllChecks(
  context: RunContext,
  tree: string | null,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const { attempts } = context.state();
  const results: CheckResult[] = [];
  const record = async (check: CheckResult): Promise<void> => {
    results.push(check);
    await context.emit({ type: "check_end", check, attempt: attempts + 1, callId: null });
  };
  for (const check of await runStructuralChecks(context, tree, signal)) await record(check);
  const structureHolds = results.every((check) => check.verdict === "pass" || check.verdict === "not-applicable");
  for (const run of [...commandRuns(context, tree, structureHolds), ...functionRuns(context, tree, structureHolds)]) {
    if (signal.aborted) break;
    await record(await run(signal));
  }
  return results;
}

type CheckRun = (signal: AbortSignal) => Promise<CheckResult>;

function commandRuns(context: RunContext, tree: string | null, structureHolds: boolean): CheckRun[] {
  const { plan, spec, answered } = context.state();
  const { workspace } = context;
  if (plan === null || workspace === null || spec?.completion?.commands !== true) return [];
  return plan.checks.map((check) => (signal) => {
    if (structureHolds)
      return runFrozenCheck(context, workspace, { name: check.name, plan, tree, callId: null }, signal);
    const known = answered.find((result) => result.name === check.name && result.tree === tree && tree !== null);
    return Promise.resolve(known ?? notRun(check.name, check.provenance, tree));
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

function toOutcome(decision: GateDecision | null, results: readonly CheckResult[]) {
  const words = results.map((check) => `${check.name}: ${check.verdict}`).join(", ");
  const base = { passed: false, charged: false, reason: "", unavailable: null, summary: words };
  if (decision === null) return { ...base, summary: "cancelled" };
  switch (decision.kind) {
    case "pass":
      return { ...base, passed: true, charged: true };
    case "fail":
    case "review":
      return { ...base, charged: true, reason: decision.reason };
    case "unavailable":
      return { ...base, reason: decision.why, unavailable: { check: decision.check, why: decision.why } };
  }
}

function notRun(name: string, provenance: string, tree: string | null): CheckResult {
  return { ...unavailableCheck(name, "not run"), verdict: "not-run", provenance, tree };
}

function unavailableCheck(name: string, reason: string): CheckResult {
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
