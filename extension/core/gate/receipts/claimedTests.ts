// "Tests pass" against the newest results for the tree that is judged.
import type { CheckResult, CheckVerdict } from "../checkResult";
import { toUnbacked } from "./assertion";
import { clauseBefore, isStated } from "./claimMoods";
import { spell, type Sentence } from "./claimSentences";
import type { Receipt } from "./receipt";

const passing = "(?:pass(?:es|ed)?|succeed(?:s|ed)?|(?:is|are) (?:now )?(?:all )?(?:passing|green)|ran successfully)";
/** "The tests pass a flag…" and "tests passed to the runner" are other sentences. */
const ends =
  "(?=\\s*(?:$|[.,;:!)—–✅✓✔🎉]|-\\s|(?:now|again|locally|and|so|after|too|successfully|cleanly|here|as well)\\b))";
const adverbs = "(?:now |all |still |also )*";
/** Only the whole of the tests: "the new tests pass" and "the unit tests pass" can be true while another one fails. */
const subject =
  "(?<lead>^\\W*|[:,(]\\s*|\\band |\\bthat |\\ball(?: of)?(?: the| my| our)?(?: \\d+)? |\\bthe |\\bfull |\\bentire |\\bwhole )";
const whole = [
  `${subject}(?:tests?(?: suite)?|(?<every>checks)|suite) ${adverbs}${passing}${ends}`,
  `(?<lead>^\\W*)(?:all )?\\d+ tests ${adverbs}${passing}${ends}`,
  `(?<lead>^\\W*)(?:tests?(?: suite)?|(?<every>checks)):\\s*(?:all )?(?:passing|passed|pass|green)${ends}`,
].map((pattern) => new RegExp(pattern, "iu"));

const partOnly =
  /\b(?:except|other than|apart from|besides|most|nearly|almost|about|roughly|some|only|in isolation|individually|alone|before|baseline|previously|initially|at first|so that|so the|make|until|ensures?|ensuring|whether|for the|unrelated|pre-existing|flaky|still fails?|fails?|failing|failed|red)\b/i;

/** One receipt for all claims about tests; none without a result that contradicts them. */
export function auditTests(sentences: readonly Sentence[], checks: readonly CheckResult[]): readonly Receipt[] {
  for (const sentence of sentences) {
    const claimed = claimedScope(sentence);
    const failed = claimed === null ? undefined : judgedBy(claimed, checks).find(({ verdict }) => !silent.has(verdict));
    if (failed !== undefined) return [toReceipt(sentence, failed)];
  }
  return [];
}

type Scope = "tests" | "every check";

function claimedScope(sentence: Sentence): Scope | null {
  const hit = whole.map((pattern) => pattern.exec(sentence.text)).find((match) => match !== null);
  if (hit === undefined || partOnly.test(sentence.text)) return null;
  const start = hit.index + (hit.groups?.["lead"]?.length ?? 0);
  if (/\d+ (?:of|\/)/.test(clauseBefore(sentence.text, start))) return null;
  if (!isStated(sentence, start, hit.index + hit[0].length)) return null;
  return hit.groups?.["every"] === undefined ? "tests" : "every check";
}

/** The checks a claim is about. Where none is known as a test, "tests" means whatever the commands check but style. */
function judgedBy(scope: Scope, checks: readonly CheckResult[]): readonly CheckResult[] {
  const commands = checks.filter(({ name }) => !structural.has(name));
  if (scope === "every check") return commands;
  const tests = commands.filter((check) => check.tests !== null || /test|spec/i.test(check.name));
  return tests.length > 0 ? tests : commands.filter(({ name }) => !otherThanTests.test(name));
}

/** What could not run or was not run contradicts nothing. */
const silent: ReadonlySet<CheckVerdict> = new Set(["pass", "not-run", "not-applicable", "unavailable"]);
const structural = new Set(["todos", "diff", "diagnostics", "receipts"]);
const otherThanTests = /lint|type|tsc|format|prettier|style|build|compile|clippy|mypy|ruff|audit|coverage/i;

function toReceipt(sentence: Sentence, failed: CheckResult): Receipt {
  const why = failed.reason === "" ? "" : `: ${failed.reason.slice(0, 200)}`;
  return toUnbacked({
    deliverable: "tests",
    action: "pass",
    said: spell(sentence),
    instead: `the newest result of ${failed.name} for this tree is ${failed.verdict}${why}`,
    missing: `a pass of ${failed.name} on this tree`,
    postcondition: "fail",
  });
}
