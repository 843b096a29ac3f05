import * as z from "zod";
import { joinReports, mergeById, type TestCase, type TestOutcome, type TestReport } from "../testReport";
import { toTestId } from "./jsonLines";

const document = z.object({
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string().optional(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

const outcomes: Readonly<Record<string, TestOutcome>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  pending: "skipped",
  todo: "skipped",
  disabled: "skipped",
};

/** The JSON that jest and vitest write. Its word `success` is not read: it is true for no tests at all. */
export function readJestJson(
  files: readonly { name: string; text: string }[],
  prefix: string,
  cwd: string,
): TestReport {
  const own = files.filter(({ name }) => name.startsWith(`${prefix}-`) && name.endsWith(".json"));
  return joinReports(own.map(({ text }) => readOne(text, cwd)));
}

function readOne(text: string, cwd: string): TestReport {
  const parsed = parse(text);
  if (parsed === null) return { whole: false, why: "it is not the JSON that this runner writes" };
  const tests: TestCase[] = [];
  for (const { name, status, assertionResults } of parsed.testResults) {
    for (const { ancestorTitles, title, status: state } of assertionResults) {
      const outcome = outcomes[state];
      // `focused` and words to come: what is not known to have passed has not.
      tests.push({ id: toTestId(name, [...ancestorTitles, title], cwd), outcome: outcome ?? "failed" });
    }
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed"))
      tests.push({ id: toTestId(name, ["(file)"], cwd), outcome: "failed", isNoTest: true });
  }
  return { whole: true, tests: mergeById(tests) };
}

function parse(text: string): z.infer<typeof document> | null {
  try {
    return document.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // torn or overwritten, which the caller calls by its name
  }
}
