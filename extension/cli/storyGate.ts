import type { VerificationPlan } from "../core/contract/verificationPlan";
import type { CheckResult } from "../core/gate/checkResult";
import type { Event, RunSpec } from "../core/journal/event";
import { escapeLines, escapeShort, escapeText } from "./escapeText";
import { asking, bad, good, plain, quiet, type StoryLine } from "./storyLine";

const mostReasonLines = 12;

/** What a run will be judged by. `spec` is null where there is no run. */
export function tellPlan(plan: VerificationPlan, spec: RunSpec | null): readonly StoryLine[] {
  const structural =
    plan.require.length === 0 ? [] : [quiet(`  and the structural checks: ${plan.require.join(", ")}`)];
  if (plan.checks.length > 0) return [...tellCommands(plan), ...structural];
  if (spec !== null && spec.completion === null) return tellWarnings(plan);
  const nothing =
    spec?.kind === "question"
      ? plain("A question run: no command is checked")
      : asking("No check was found: done will rest on structural checks alone; write one in donegate.yaml");
  return [nothing, ...structural, ...tellWarnings(plan)];
}

export function tellCommands(plan: VerificationPlan): readonly StoryLine[] {
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

export function toCommand(run: readonly string[] | string): string {
  if (typeof run === "string") return escapeShort(run, 200);
  return escapeShort(run.map((word) => (/^[\w./:=@-]+$/.test(word) ? word : JSON.stringify(word))).join(" "), 200);
}

export function tellCheck({ name, verdict, exitCode, durationMs, provenance }: CheckResult): StoryLine {
  const code = exitCode === null ? "" : `, exit code ${exitCode}`;
  const time = durationMs === 0 ? "" : `, ${Math.round(durationMs / 100) / 10} s`;
  const text = `    ${escapeText(name)}: ${verdict}${code}${time} (${escapeText(provenance)})`;
  return verdict === "pass" ? good(text) : verdict === "not-applicable" ? quiet(text) : bad(text);
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
