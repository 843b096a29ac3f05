// Frozen checks, run by the gate or by the model through run_tests: the same plan, confinement and journal either way.
import type { VerificationPlan } from "../contract/verificationPlan";
import type { CheckResult } from "../gate/checkResult";
import { withoutAmended } from "../gate/evidence/withoutAmended";
import type { RunContext, WorkspacePart } from "./runContext";

interface CheckRequest {
  name: string;
  plan: VerificationPlan;
  tree: string | null;
  /** The run_tests call that asked for it; null for the gate. */
  callId: string | null;
}

export async function runFrozenCheck(
  context: RunContext,
  workspace: WorkspacePart,
  { name, plan, tree, callId }: CheckRequest,
  signal: AbortSignal,
): Promise<CheckResult> {
  context.show({ type: "check_started", name });
  const onStarted = (process: { pid: number; startedAt: number }): Promise<void> =>
    context.emit({ type: "process_started", callId, ...process });
  const { baseline, amendments } = context.state();
  const known = baseline?.find((entry) => entry.name === name)?.tests ?? null;
  const cwd = plan.checks.find((entry) => entry.name === name)?.cwd ?? ".";
  const amended = amendments.map(({ path }) => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path));
  const frozen = known === null ? null : withoutAmended(known, amended);
  return workspace.runCheck(name, { plan, tree, frozen, canary: callId === null, onStarted }, signal);
}

/** For the model: all frozen checks, or the one named; it cannot choose, edit or soften them. Null: no such check. */
export async function runChecksForCall(
  context: RunContext,
  callId: string,
  name: string | null,
  signal: AbortSignal,
): Promise<readonly CheckResult[] | null> {
  const { workspace } = context;
  const { plan } = context.state();
  if (workspace === null || plan === null) return null;
  const names = plan.checks.map((check) => check.name).filter((known) => name === null || known === name);
  if (name !== null && names.length === 0) return null;
  await workspace.editors?.settle();
  const picture = await workspace.snapshots.take(signal);
  const tree = picture.ok ? picture.tree : null;
  const results: CheckResult[] = [];
  for (const known of names) {
    const check = await runFrozenCheck(context, workspace, { name: known, plan, tree, callId }, signal);
    results.push(check);
    await context.emit({ type: "check_end", check, attempt: null, callId });
  }
  return results;
}
