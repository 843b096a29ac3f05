import { allZero, found } from "./outputWords";
import { plainRule, type ReportSubject, type RunnerRule } from "./runnerRule";
import { nodeCanary } from "./canary";
import { readJsonLines } from "./reports/jsonLines";
import { quoteWord } from "./quoteWord";
import { scriptTestFiles } from "./scriptTests";

export const nodeTest: RunnerRule = {
  ...plainRule,
  id: "node-test",
  words: [["node", "--test"]],
  configs: ["node.config.json"],
  projections: ["package.json"],
  tests: [...scriptTestFiles, "**/test.{js,mjs,cjs}", "**/test-*.{js,mjs,cjs}", "**/*[-_]test.{js,mjs,cjs}"],
  nothingRan: (output, exitCode) =>
    allZero(output, /^(?:#|ℹ) tests (\d+)$/gm) ??
    (exitCode === 0 ? allZero(output, /^(?:#|ℹ) pass (\d+)$/gm) : found(output, /^Could not find '.*'$/m)),
  reporting: {
    ask: (subject) => ({ env: { NODE_OPTIONS: toOptions(subject) }, files: { "nodeTest.mjs": reporter } }),
    read: ({ files, cwd }) => readJsonLines(files, "node-test", cwd),
    canary: nodeCanary,
  },
};

/**
 * Reporters and destinations of the environment come before those of the command line and have to be as many:
 * the person's own single reporter, which may leave out its destination, gets the one it would have had.
 */
function toOptions(subject: ReportSubject): string {
  const reporters = toReporters(subject);
  return subject.only === undefined ? reporters : `${reporters} --test-name-pattern=${subject.only}`;
}

function toReporters({ folder, words }: ReportSubject): string {
  const own = words.filter((word) => /^--test-reporter(?:=|$)/.test(word)).length;
  const ownDestinations = words.filter((word) => /^--test-reporter-destination(?:=|$)/.test(word)).length;
  const toTerminal = "--test-reporter-destination=stdout";
  const ours = [`--test-reporter=${quoteWord(`${folder}/nodeTest.mjs`)}`, toTerminal];
  if (own === 0) return ["--test-reporter=spec", toTerminal, ...ours].join(" ");
  return [...ours, ...(ownDestinations < own ? [toTerminal] : [])].join(" ");
}

/** One file a process: a test that starts another runner must not overwrite this one's report. */
const reporter = `import { appendFileSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
export default async function* report(events) {
  const file = new URL("./node-test-" + process.pid + ".jsonl", import.meta.url);
  const write = (row) => appendFileSync(file, JSON.stringify(row) + "\\n");
  const parents = new Map();
  write({ begin: 1 });
  for await (const { type, data } of events) {
    if (type === "test:start") {
      const path = (parents.get(data.file) ?? []).slice(0, data.nesting);
      parents.set(data.file, [...path, data.name]);
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const titles = [...(parents.get(data.file) ?? []).slice(0, data.nesting), data.name];
    const isSuite = data.details?.type === "suite";
    const isLeft = (data.skip ?? false) !== false || (data.todo ?? false) !== false;
    const outcome = isLeft ? "skipped" : type === "test:pass" ? "passed" : "failed";
    const isFile = isFileItself(data);
    const isOwn = type === "test:fail" && data.details?.error?.failureType !== "subtestsFailed";
    if (isFile && type === "test:pass" && hasTests(data.file))
      write({ file: data.file, titles: ["(ended without any of its tests)"], outcome: "failed", isNoTest: true });
    else if (isFile && type === "test:fail") write({ file: data.file, titles, outcome, isNoTest: true });
    else if (isSuite && isOwn) write({ file: data.file ?? "", titles, outcome, isNoTest: true });
    else if (!isSuite || outcome === "skipped") write({ file: data.file ?? "", titles, outcome });
  }
  write({ end: 1 });
}
/** A file without tests is a test itself. */
function isFileItself({ name, nesting, file }) {
  return nesting === 0 && file !== undefined && resolve(name) === file;
}
/** One that would have some has ended before they were reported. */
function hasTests(file) {
  try {
    return /\\bnode:test\\b/.test(readFileSync(file, "utf8"));
  } catch {
    return false;
  }
}
`;
