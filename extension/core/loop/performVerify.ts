// One passage of the gate: picture the tree, judge it, journal what came of it.
import { decideGate, type GateDecision } from "../gate/gate";
import type { CheckResult } from "../gate/checkResult";
import { judgeUntilSettled, pictureTree } from "./judgeUntilSettled";
import type { RunContext } from "./runContext";

export async function performVerify(context: RunContext, signal: AbortSignal): Promise<void> {
  const attempt = context.state().attempts + 1;
  await context.workspace?.endLeftOvers(context.state().processes);
  const unsaved = (await context.workspace?.editors?.settle()) ?? [];
  const tree = await pictureTree(context, signal);
  await context.emit({ type: "verification_start", attempt, tree: tree.digest });
  const judged = await judgeUntilSettled(context, tree, signal);
  const decision = signal.aborted ? null : decideGate(judged.results, null);
  await context.emit({
    type: "verification_end",
    attempt,
    tree: judged.tree,
    treeAfter: judged.treeAfter,
    changedDuring: judged.changedDuring,
    ...(unsaved.length === 0 ? {} : { unsaved }),
    cancelled: decision === null,
    ...toOutcome(decision, judged.results, unsaved),
  });
}

function toOutcome(decision: GateDecision | null, results: readonly CheckResult[], unsaved: readonly string[]) {
  const verdicts = results.map((check) => `${check.name}: ${check.verdict}`).join(", ");
  const words = unsaved.length === 0 ? verdicts : `${verdicts}; not judged, unsaved: ${unsaved.join(", ")}`;
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
