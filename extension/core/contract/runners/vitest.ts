import { found, summaryWithout } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { vitestCanary } from "./canary";
import { onlyNamed } from "./onlyNamed";
import { readJestJson } from "./reports/jestJson";
import { moduleEndings, scriptTestFiles, spread } from "./scriptTests";

export const vitest: RunnerRule = {
  ...plainRule,
  id: "vitest",
  words: [["vitest"]],
  configs: ["vitest.config", "vitest.workspace", "vitest.projects", "vite.config"].flatMap((stem) =>
    spread(stem, stem === "vitest.workspace" ? [...moduleEndings, "json"] : moduleEndings),
  ),
  projections: ["package.json"],
  tests: scriptTestFiles,
  nothingRan: (output, exitCode) =>
    found(output, /^\s*No test files found, exiting with code \d/m) ??
    found(output, /^\s*Tests\s+no tests$/m) ??
    (exitCode === 0 ? summaryWithout(output, /^\s*Tests\s+(.*\(\d+\))$/gm, /\d+ passed/) : null),
  reporting: {
    ask: ({ folder, words, only }) => {
      if (words.some((word) => word.startsWith("--outputFile"))) return null;
      const shown = words.some((word) => word.startsWith("--reporter")) ? [] : ["--reporter=default"];
      const args = [...shown, ...onlyNamed(only), "--reporter=json", `--outputFile.json=${folder}/vitest-{pid}.json`];
      return { node: { programs: ["/vitest/vitest.mjs"], args } };
    },
    read: ({ files, cwd }) => readJestJson(files, "vitest", cwd),
    canary: vitestCanary,
  },
};
