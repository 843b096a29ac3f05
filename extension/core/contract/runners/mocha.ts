import { allZero, found } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { mochaCanary } from "./canary";
import { readJsonLines } from "./reports/jsonLines";
import { scriptTestFiles, spread } from "./scriptTests";

export const mocha: RunnerRule = {
  ...plainRule,
  id: "mocha",
  words: [["mocha"]],
  configs: [...spread(".mocharc", ["js", "cjs", "mjs", "json", "jsonc", "yaml", "yml"]), "test/mocha.opts"],
  projections: ["package.json"],
  tests: scriptTestFiles,
  nothingRan: (output, exitCode) =>
    found(output, /^Error: No test files found/m) ?? (exitCode === 0 ? allZero(output, /^\s*(\d+) passing\b/gm) : null),
  reporting: {
    ask: ({ folder, only }) => ({
      // mocha takes one reporter only: ours shows what its own default shows.
      node: {
        programs: ["/mocha/bin/mocha", "/mocha/bin/mocha.js", "/mocha/bin/_mocha", "/mocha/lib/cli/cli.js"],
        args: [...(only === undefined ? [] : [`--grep=${only}`]), `--reporter=${folder}/mocha.cjs`],
      },
      files: { "mocha.cjs": reporter },
    }),
    read: ({ files, cwd }) => readJsonLines(files, "mocha", cwd),
    canary: mochaCanary,
  },
};

/** Mocha's own folder is found from the program that was started; without it the tests run all the same, unseen. */
const reporter = `"use strict";
const fs = require("node:fs");
const path = require("node:path");
const file = path.join(__dirname, "mocha-" + process.pid + ".jsonl");
const write = (row) => fs.appendFileSync(file, JSON.stringify(row) + "\\n");
module.exports = function Report(runner, options) {
  showAsAlways(runner, options);
  write({ begin: 1 });
  const record = (outcome) => (test) => {
    const hook = test.type === "hook" ? { isNoTest: true } : {};
    write({ file: test.file ?? "", titles: test.titlePath(), outcome, ...hook });
  };
  runner.on("pass", record("passed"));
  runner.on("fail", record("failed"));
  runner.on("pending", record("skipped"));
  runner.once("end", () => write({ end: 1 }));
};
function showAsAlways(runner, options) {
  let folder = path.dirname(fs.realpathSync(process.argv[1]));
  while (path.basename(folder) !== "mocha" && folder !== path.dirname(folder)) folder = path.dirname(folder);
  try {
    const loaded = require(path.join(folder, "lib", "reporters", "spec.js"));
    const Spec = loaded.Spec ?? loaded.default ?? loaded;
    new Spec(runner, options);
  } catch (error) {
    console.log("no reporter to show the tests with: " + error.message);
  }
}
`;
