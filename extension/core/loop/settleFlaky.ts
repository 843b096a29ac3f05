import type { CheckResult } from "../gate/checkResult";

/**
 * Where an earlier answer for the same tree disagrees, the check runs twice more: both green make a pass that is shown as
 * flaky, anything else is no pass. `rerun` runs the check once more.
 */
export async function settleFlaky(
  result: CheckResult,
  earlier: readonly CheckResult[],
  rerun: () => Promise<CheckResult>,
  signal: AbortSignal,
): Promise<CheckResult> {
  const known = earlier.find((check) => check.name === result.name && check.tree === result.tree);
  if (result.tree === null || known === undefined || !disagree(known, result)) return result;
  const again: CheckResult[] = [];
  for (let time = 0; time < 2 && !signal.aborted; time += 1) again.push(await rerun());
  const [first, second] = again;
  if (first === undefined || second === undefined)
    return { ...result, verdict: "not-run", reason: `${result.name}: stopped before it ended` };
  if (first.verdict === "pass" && second.verdict === "pass") return { ...second, flaky: true };
  const red = again.find((check) => check.verdict !== "pass") ?? result;
  if (!judged.has(red.verdict)) return red;
  const words = [known, result, ...again].map((check) => check.verdict).join(", ");
  return { ...red, verdict: "flaky", reason: `${result.name}: flaky on the same tree (${words})\n${red.reason}` };
}

const judged: ReadonlySet<CheckResult["verdict"]> = new Set(["pass", "fail", "flaky"]);

/** Only answers that judged the work can disagree about it. */
function disagree(first: CheckResult, second: CheckResult): boolean {
  if (!judged.has(first.verdict) || !judged.has(second.verdict)) return false;
  return (first.verdict === "pass") !== (second.verdict === "pass");
}
