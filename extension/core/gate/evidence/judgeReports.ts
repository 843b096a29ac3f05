// From what the runners reported to a verdict. Pure: the exit code can only be confirmed, never replaced.
import type { TestCase, TestReport } from "../../contract/runners/testReport";
import type { CheckVerdict, Evidence } from "../checkResult";
import type { FrozenTests } from "./frozenTests";

export interface RunnerReport {
  /** The runner's name. */
  runner: string;
  report: TestReport;
  /** None is no failure: the report is an option of the project. */
  mayBeMissing: boolean;
}

export interface ReportEvidence {
  exitCode: number;
  reports: readonly RunnerReport[];
  /** Null: nothing is known about the tests before the first edit. */
  frozen: FrozenTests | null;
  /** Ids that the frozen configuration says may be red. */
  knownRed: readonly string[];
  /** False where tests lie in a hidden folder: their names stay out of the reason then. */
  showNames: boolean;
}

export interface ReportJudgement {
  verdict: CheckVerdict;
  reason: string;
  evidence: Evidence;
  tests: { run: number; failed: number; skipped: number } | null;
  /** Everything that is red was red before the first edit. */
  oldRed: readonly string[];
  /** Whether the end of the output belongs to the reason. */
  showOutput: boolean;
}

export function judgeReports(subject: ReportEvidence): ReportJudgement {
  const { exitCode, reports } = subject;
  const tests = reports.flatMap(({ report }) => (report.whole ? report.tests : []));
  const counted = reports.some(({ report }) => report.whole) ? countTests(tests) : null;
  const base: ReportJudgement = {
    verdict: "fail",
    reason: "",
    evidence: counted === null ? "exit-code" : "report",
    tests: counted,
    oldRed: [],
    showOutput: false,
  };
  const red = idsOf(tests, "failed");
  const torn = reports.find(({ report, mayBeMissing }) => !report.whole && !mayBeMissing);
  if (exitCode !== 0 && !(torn === undefined && isKnownRed(red, subject.knownRed))) return judgeRed(subject, base, red);
  if (torn !== undefined && !torn.report.whole) {
    const reason = `exit ${exitCode}, but the report of ${torn.runner} does not show that its tests ran: ${torn.report.why}`;
    return {
      ...base,
      verdict: counted === null ? "no-tests" : "fewer-tests",
      reason,
      evidence: "none",
      showOutput: true,
    };
  }
  const news = red.filter((id) => !subject.knownRed.includes(id));
  if (news.length > 0) {
    const reason = `exit ${exitCode}, but ${count(news.length, "test")} failed: ${nameSome(news, subject.showNames)}`;
    return { ...base, reason, showOutput: true };
  }
  return judgeCover(subject, base, tests);
}

function judgeRed(
  { exitCode, frozen, showNames }: ReportEvidence,
  base: ReportJudgement,
  red: readonly string[],
): ReportJudgement {
  const oldRed = frozen !== null && red.length > 0 && red.every((id) => frozen.red.includes(id)) ? red : [];
  const some = red.length === 0 ? "" : `; failed: ${nameSome(red, showNames)}`;
  const old = oldRed.length === 0 ? "" : " (red before this run as well)";
  return { ...base, reason: `failed (exit ${exitCode}${some}${old})`, oldRed, showOutput: true };
}

function isKnownRed(red: readonly string[], known: readonly string[]): boolean {
  return red.length > 0 && red.every((id) => known.includes(id));
}

/** What ran before the first edit has to run now. */
function judgeCover(
  { frozen, reports, showNames }: ReportEvidence,
  base: ReportJudgement,
  tests: readonly TestCase[],
): ReportJudgement {
  const ran = tests.filter((test) => test.outcome !== "skipped").map((test) => test.id);
  if (reports.some(({ report }) => report.whole) && ran.length === 0) {
    const skipped = base.tests?.skipped ?? 0;
    return { ...base, verdict: "no-tests", reason: `no tests ran (${skipped} skipped)` };
  }
  const missing = frozen === null ? [] : notCovered(frozen.ran, ran);
  if (missing.length === 0) return { ...base, verdict: "pass" };
  const skips = new Set(idsOf(tests, "skipped").map(toForm));
  const skipped = missing.filter((id) => skips.has(toForm(id)));
  if (skipped.length > 0) {
    const reason = `${count(skipped.length, "test")} that ran before the first edit ${skipped.length === 1 ? "is" : "are"} skipped now: ${nameSome(skipped, showNames)}`;
    return { ...base, verdict: "new-skips", reason };
  }
  const reason = `${count(missing.length, "test")} that ran before the first edit did not run now: ${nameSome(missing, showNames)}`;
  return { ...base, verdict: "fewer-tests", reason };
}

/** As many of each form as before: ids may hold times, addresses and random values, which no second execution repeats. */
function notCovered(frozen: readonly string[], ran: readonly string[]): string[] {
  const exact = new Set(ran);
  const left = new Map<string, number>();
  for (const id of ran) left.set(toForm(id), (left.get(toForm(id)) ?? 0) + 1);
  for (const id of frozen) if (exact.has(id)) left.set(toForm(id), (left.get(toForm(id)) ?? 0) - 1);
  return frozen.filter((id) => {
    if (exact.has(id)) return false;
    const spare = left.get(toForm(id)) ?? 0;
    left.set(toForm(id), spare - 1);
    return spare <= 0;
  });
}

function toForm(id: string): string {
  return id
    .replace(/0x[0-9a-f]{6,}/gi, "0x#")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "#")
    .replace(/\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/g, "#")
    .replace(/\d{9,}/g, "#");
}

function countTests(tests: readonly TestCase[]): NonNullable<ReportJudgement["tests"]> {
  const failed = idsOf(tests, "failed").length;
  const skipped = idsOf(tests, "skipped").length;
  return { run: tests.length - skipped, failed, skipped };
}

function idsOf(tests: readonly TestCase[], outcome: TestCase["outcome"]): string[] {
  return tests.filter((test) => test.outcome === outcome).map((test) => test.id);
}

const count = (many: number, what: string): string => `${many} ${what}${many === 1 ? "" : "s"}`;

function nameSome(ids: readonly string[], showNames: boolean): string {
  if (!showNames) return "(names of hidden tests left out)";
  const named = ids.slice(0, 8).join("; ");
  return ids.length > 8 ? `${named}; and ${ids.length - 8} more` : named;
}
