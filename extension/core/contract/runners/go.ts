import { plainRule, type RunnerRule } from "./runnerRule";
import { readGoJson, toGoText } from "./reports/goJson";

export const go: RunnerRule = {
  ...plainRule,
  id: "go",
  words: [["go", "test"]],
  configs: ["go.work"],
  tests: ["**/*_test.go", "**/testdata/**"],
  nothingRan: (output, exitCode) => {
    const lines = [...output.matchAll(/^(?:ok|---|FAIL|\?)\s.*$/gm)].map(([line]) => line);
    const empty = lines.length > 0 && lines.every((line) => /\[no test files\]|\[no tests to run\]/.test(line));
    return exitCode === 0 && empty ? (lines[0] ?? null) : null;
  },
  reporting: {
    // The tool prints its report where it prints everything: only its own command line is asked, so that nothing
    // else of a longer command can print events.
    ask: ({ words }) => {
      if (words.some((word) => /^--?(?:json|c|exec)(?:=|$)/.test(word))) return null;
      return { replace: { words: ["go", "test"], by: ["go", "test", "-json"] } };
    },
    read: ({ output }) => readGoJson(output),
    show: toGoText,
  },
};
