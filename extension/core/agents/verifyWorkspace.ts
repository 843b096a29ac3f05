// The command checks on a workspace as it is now; no agent, no journal.
import { ownConfiguration } from "../contract/freezePlan";
import type { VerificationPlan } from "../contract/verificationPlan";
import type { CheckResult } from "../gate/checkResult";
import { runCommandCheck } from "../gate/checks/commandCheck";
import { decideGate } from "../gate/gate";
import type { OutcomeVerdict } from "../journal/toOutcome";
import type { AgentDefinition } from "./agentDefinition";
import type { CheckPorts } from "./workspacePart";

export interface VerifySubject {
  root: string;
  plan: VerificationPlan;
  completion: AgentDefinition["completion"];
}

export interface VerifyListener {
  onStarted?(check: string): void;
  onResult?(result: CheckResult): void;
}

export interface Judged {
  verdict: OutcomeVerdict;
  reason: string;
  checks: readonly CheckResult[];
  tree: string | null;
  source: VerificationPlan["source"] | null;
}

/** Not ok: no picture of the tree could be taken, so nothing was judged. After an abort the rest is not run. */
export async function verifyWorkspace(
  { root, plan, completion }: VerifySubject,
  ports: CheckPorts,
  listener: VerifyListener,
  signal: AbortSignal,
): Promise<({ ok: true } & Judged) | { ok: false; message: string }> {
  const picture = await ports.snapshots.take(signal);
  if (!picture.ok) return { ok: false, message: `no picture of the workspace could be taken: ${picture.message}` };
  const { tree } = picture;
  const checks: CheckResult[] = [];
  // No run is on its way: what a person now wants checked next time does not spoil the checks that were frozen.
  const contract = plan.contract.filter((entry) => entry.path !== ownConfiguration);
  for (const check of plan.checks) {
    if (signal.aborted) break;
    listener.onStarted?.(check.name);
    const result = await runCommandCheck(
      check,
      { plan: { ...plan, contract }, root, tree, frozen: null, ports },
      signal,
    );
    checks.push(result);
    listener.onResult?.(result);
  }
  return { ok: true, ...toVerdict(checks, completion), checks, tree, source: plan.source };
}

function toVerdict(
  checks: readonly CheckResult[],
  completion: AgentDefinition["completion"],
): Pick<Judged, "verdict" | "reason"> {
  if (completion === null) return { verdict: "none", reason: "verification is off in donegate.yaml" };
  if (checks.length === 0) return { verdict: "none", reason: "no check was found: write one in donegate.yaml" };
  const decision = decideGate(checks, null);
  switch (decision.kind) {
    case "pass":
      return { verdict: "VERIFIED", reason: "" };
    case "fail":
      return { verdict: "FALSE-COMPLETION", reason: decision.reason };
    case "unavailable":
      return { verdict: "NEEDS-REVIEW", reason: `check ${decision.check} could not run: ${decision.why}` };
    case "review":
      return { verdict: "NEEDS-REVIEW", reason: decision.reason };
  }
}
