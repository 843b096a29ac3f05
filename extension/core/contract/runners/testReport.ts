export type TestOutcome = "passed" | "failed" | "skipped";

/** One executed or skipped test as its runner names it. */
export interface TestCase {
  /** The same in every execution of the same test. */
  id: string;
  outcome: TestOutcome;
  /** It stands for something else than one test (a file that did not load, a hook): no later execution has to have it. */
  isNoTest?: true;
}

export type TestReport = { whole: true; tests: readonly TestCase[] } | { whole: false; why: string };

/** Several reports of one execution (one a file, one a process) as one: it is whole only when each is. */
export function joinReports(reports: readonly TestReport[]): TestReport {
  const torn = reports.find((report) => !report.whole);
  if (torn !== undefined) return torn;
  if (reports.length === 0) return { whole: false, why: "there is none" };
  return { whole: true, tests: mergeById(reports.flatMap((report) => (report.whole ? report.tests : []))) };
}

const weight: Readonly<Record<TestOutcome, number>> = { failed: 2, passed: 1, skipped: 0 };

/** A test that was reported more than once failed if it did once, and ran if it did once. */
export function mergeById(tests: readonly TestCase[]): TestCase[] {
  const merged = new Map<string, TestCase>();
  for (const test of tests) {
    const known = merged.get(test.id);
    if (known === undefined || weight[test.outcome] > weight[known.outcome]) merged.set(test.id, test);
  }
  return [...merged.values()];
}
