import * as z from "zod";
import { relativePath } from "../../contractPaths";
import { joinReports, mergeById, type TestCase, type TestReport } from "../testReport";

const row = z.union([
  z.strictObject({ begin: z.literal(1) }),
  z.strictObject({ end: z.literal(1) }),
  z.strictObject({
    file: z.string(),
    titles: z.array(z.string()).min(1),
    outcome: z.enum(["passed", "failed", "skipped"]),
    isNoTest: z.literal(true).exactOptional(),
  }),
]);

/** Reports of our own reporters: a row a test between a first and a last one, a file a process. */
export function readJsonLines(
  files: readonly { name: string; text: string }[],
  prefix: string,
  cwd: string,
): TestReport {
  const own = files.filter(({ name }) => name.startsWith(`${prefix}-`) && name.endsWith(".jsonl"));
  return joinReports(own.map(({ text }) => readOne(text, cwd)));
}

function readOne(text: string, cwd: string): TestReport {
  const lines = text.split("\n");
  if (lines.pop() !== "") return torn;
  const rows = lines.map(parseRow);
  const first = rows[0];
  const last = rows.at(-1);
  if (rows.length < 2 || first === null || last === null) return torn;
  if (first === undefined || last === undefined || !("begin" in first) || !("end" in last)) return torn;
  const tests: TestCase[] = [];
  for (const entry of rows.slice(1, -1)) {
    if (entry === null || !("titles" in entry)) return torn;
    const { file, titles, ...rest } = entry;
    tests.push({ id: toTestId(file, titles, cwd), ...rest });
  }
  return { whole: true, tests: mergeById(tests) };
}

const torn: TestReport = { whole: false, why: "it has no proper end" };

function parseRow(line: string): z.infer<typeof row> | null {
  try {
    return row.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null; // a torn line, which the caller calls by its name
  }
}

/** File and titles in one line, the same on every machine. */
export function toTestId(file: string, titles: readonly string[], cwd: string): string {
  const path = file.replace(/^file:\/\//, "").replaceAll("\\", "/");
  return [path === "" ? "" : relativePath(cwd, path), ...titles].join(" > ");
}
