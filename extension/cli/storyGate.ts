import { createContractIndex } from "../core/contract/contractIndex";
import type { ContractClass, VerificationPlan } from "../core/contract/verificationPlan";
import type { CheckResult } from "../core/gate/checkResult";
import type { BaselineOfCheck } from "../core/gate/evidence/frozenTests";
import type { Event, RunKind } from "../core/journal/event";
import { escapeLines, escapeShort, escapeText } from "./escapeText";
import { asking, bad, good, plain, quiet, type StoryLine } from "./storyLine";

const mostReasonLines = 12;

/** What a run of this kind will be judged by; nothing judges one that is not gated. */
export function tellPlan(plan: VerificationPlan, { isGated, kind }: { isGated: boolean; kind: RunKind }): StoryLine[] {
  const structural =
    plan.require.length === 0 ? [] : [quiet(`  and the structural checks: ${plan.require.join(", ")}`)];
  if (plan.checks.length > 0) return [...tellCommands(plan), ...structural];
  if (!isGated) return tellWarnings(plan);
  const nothing =
    kind === "question"
      ? plain("A question run: no command is checked")
      : asking("No check was found: done will rest on structural checks alone; write one in donegate.yaml");
  return [nothing, ...structural, ...tellWarnings(plan)];
}

/** `verify: off`, in the words of the run that starts and of the plan that is looked at. */
export const verificationIsOff = asking(
  "Verification is off in donegate.yaml: nothing is checked, nothing decides about done, and nothing is shown verified",
);

/** `allowed`: paths whose change a person allowed beforehand. A name with a typo in it would allow nothing, unseen. */
export function tellNeedlessPermissions(plan: VerificationPlan, allowed: readonly string[]): StoryLine[] {
  if (allowed.length === 0) return [];
  const index = createContractIndex(plan);
  return allowed
    .filter((path) => !changeable.has(index.classify(path)?.class))
    .map((path) =>
      asking(
        `  Warning: --allow-contract-change ${escapeShort(path, 300)} allows nothing: it is no part of the contract`,
      ),
    );
}

/** What a person can allow to be changed; a hidden folder stays closed, and a new test needs no permission. */
const changeable: ReadonlySet<ContractClass | undefined> = new Set<ContractClass>(["frozen", "projection", "trap"]);

export function tellCommands(plan: VerificationPlan): StoryLine[] {
  const { checks, digest } = plan;
  if (checks.length === 0) return tellWarnings(plan);
  const commands = checks.map(({ name, run, provenance }) =>
    plain(`  - ${escapeText(name)}: ${toCommand(run)} (${escapeText(provenance)})`),
  );
  return [plain(`Checks, frozen as ${digest.slice(0, 12)}:`), ...commands, ...tellWarnings(plan)];
}

function tellWarnings({ warnings }: VerificationPlan): StoryLine[] {
  return warnings.map((warning) => asking(`  Warning: ${escapeShort(warning, 400)}`));
}

function toCommand(run: readonly string[] | string): string {
  if (typeof run === "string") return escapeShort(run, 200);
  return escapeShort(run.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : JSON.stringify(word))).join(" "), 200);
}

export function tellCheck(check: CheckResult): StoryLine {
  const { name, verdict, exitCode, tests, durationMs, provenance } = check;
  const canary = check.canary === "inconclusive" ? ", canary inconclusive" : "";
  const counted = tests === null ? "" : `, ${tests.run} run, ${tests.failed} failed, ${tests.skipped} skipped`;
  const code = exitCode === null ? "" : `, exit code ${exitCode}`;
  const time = durationMs === 0 ? "" : `, ${Math.round(durationMs / 100) / 10} s`;
  const text = `    ${escapeText(name)}: ${verdict}${code}${counted}${canary}${time} (${escapeText(provenance)})`;
  return verdict === "pass" ? good(text) : verdict === "not-applicable" ? quiet(text) : bad(text);
}

/** Tests that were red before the first edit; a baseline that is green, or that the gate can do without, is no news. */
export function tellBaseline({ name, tests, why }: BaselineOfCheck): readonly StoryLine[] {
  if (tests === null)
    return [quiet(`    ${escapeText(name)}: its tests before the first edit are not known: ${escapeShort(why, 200)}`)];
  if (tests.red.length === 0) return [];
  const some = tests.red
    .slice(0, 5)
    .map((id) => escapeShort(id, 120))
    .join("; ");
  const more = tests.red.length > 5 ? `; and ${tests.red.length - 5} more` : "";
  return [
    asking(
      `    ${escapeText(name)}: ${tests.red.length} of ${tests.ran.length} tests are red before the first edit: ${some}${more}`,
    ),
  ];
}

export function tellAttempt(event: Event<"verification_end">): readonly StoryLine[] {
  if (event.passed) return [good(`Attempt ${event.attempt}: verified`)];
  if (event.cancelled) return [quiet(`Attempt ${event.attempt}: stopped before it was judged`)];
  if (event.unavailable !== null) {
    const { check, why } = event.unavailable;
    return [bad(`The check ${escapeText(check)} could not run (no attempt is used): ${escapeShort(why, 500)}`)];
  }
  const [first = "", ...rest] = escapeLines(event.reason, mostReasonLines);
  return [bad(`Attempt ${event.attempt}: not verified: ${first}`), ...rest.map((line) => bad(`    ${line}`))];
}
