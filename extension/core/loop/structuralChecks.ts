// Gathers what each structural check needs and runs those the plan requires, in the plan's order.
import { diffCheck } from "../gate/checks/diffCheck";
import { todosCheck } from "../gate/checks/todosCheck";
import type { CheckResult, CheckVerdict } from "../gate/checkResult";
import type { StructuralCheck } from "../contract/verificationPlan";
import type { RunContext } from "./runContext";
import { gatherDiff } from "./gatherDiff";
import { judgeReceipts } from "./judgeReceipts";

interface Judged {
  verdict: CheckVerdict;
  reason: string;
}

export async function runStructuralChecks(
  context: RunContext,
  tree: string | null,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const required = context.state().spec?.completion?.require ?? [];
  const results: CheckResult[] = [];
  for (const name of required) {
    const startedAt = context.clock.now();
    const judged = await judge(name, context, tree, signal);
    results.push(toResult(name, judged, tree, context.clock.now() - startedAt));
  }
  if (context.state().spec?.kind === "question") results.push(toResult("answer", judgeAnswer(context), tree, 0));
  return results;
}

async function judge(
  name: StructuralCheck,
  context: RunContext,
  tree: string | null,
  signal: AbortSignal,
): Promise<Judged> {
  const state = context.state();
  switch (name) {
    case "todos":
      return todosCheck(state.ledger, state.work);
    case "diff":
      return judgeDiff(context, tree, signal);
    case "receipts":
      return judgeReceipts(context, tree);
    case "diagnostics":
      return { verdict: "not-applicable", reason: "there are no language services here" };
  }
}

function judgeAnswer(context: RunContext): Judged {
  const answered = (context.state().finalText ?? "").trim() !== "";
  return answered ? { verdict: "pass", reason: "" } : { verdict: "fail", reason: "the question has no answer" };
}

async function judgeDiff(context: RunContext, tree: string | null, signal: AbortSignal): Promise<Judged> {
  const input = await gatherDiff(context, tree, signal);
  return input === null ? { verdict: "unavailable", reason: "the trees could not be compared" } : diffCheck(input);
}

function toResult(name: string, { verdict, reason }: Judged, tree: string | null, durationMs: number): CheckResult {
  return {
    name,
    verdict,
    exitCode: null,
    durationMs,
    tests: null,
    evidence: verdict === "pass" ? "structural" : "none",
    tree,
    provenance: "built-in",
    reason,
  };
}
