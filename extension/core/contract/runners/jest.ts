import { found, summaryWithout } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { jestCanary } from "./canary";
import { onlyNamed } from "./onlyNamed";
import { readJestJson } from "./reports/jestJson";
import { moduleEndings, scriptTestFiles, spread } from "./scriptTests";

export const jest: RunnerRule = {
  ...plainRule,
  id: "jest",
  words: [["jest"], ["react-scripts", "test"]],
  configs: [
    ...spread("jest.config", [...moduleEndings, "json"]),
    ...spread("babel.config", ["js", "cjs", "mjs", "json", "cts"]),
  ],
  projections: ["package.json"],
  tests: scriptTestFiles,
  nothingRan: (output, exitCode) =>
    found(output, /^No tests found, exiting with code \d/m) ??
    (exitCode === 0 ? summaryWithout(output, /^Tests:\s+(.* total)$/gm, /[1-9]\d* passed/) : null),
  reporting: {
    ask: ({ folder, words, only }) => {
      if (words.some((word) => /^--(?:outputFile|json)(?:=|$)/.test(word))) return null;
      const args = [...onlyNamed(only), "--json", `--outputFile=${folder}/jest-{pid}.json`];
      return {
        node: { programs: ["/jest/bin/jest.js", "/jest-cli/bin/jest.js", "/react-scripts/scripts/test.js"], args },
      };
    },
    read: ({ files, cwd }) => readJestJson(files, "jest", cwd),
    canary: jestCanary,
  },
};
