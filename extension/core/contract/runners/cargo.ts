import { allZero, found } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { readJunitXml } from "./reports/junitXml";
import { joinReports } from "./testReport";

const cargoFiles = {
  configs: [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"],
  projections: ["Cargo.toml"],
  tests: ["tests/**", "**/tests/**"],
};
const noManifest = (output: string): string | null => found(output, /^error: could not find `Cargo\.toml` in .*$/m);

/** Stable cargo has no structured report: the exit code decides, and what it prints can only take a pass away. */
export const cargo: RunnerRule = {
  ...plainRule,
  ...cargoFiles,
  id: "cargo",
  words: [
    ["cargo", "test"],
    ["cargo", "t"],
  ],
  nothingRan: (output, exitCode) => {
    if (exitCode !== 0) return null;
    const started = [...output.matchAll(/^running \d+ tests?$/gm)].length;
    const finished = [...output.matchAll(/^test result: /gm)].length;
    if (finished < started) return "a test program ended without a test result";
    return allZero(output, /^test result: \w+\. (\d+) passed;.*$/gm);
  },
  couldNotRun: noManifest,
};

/** Its JUnit file is an option of the project: where the project has it, it lies below `target/nextest`. */
export const nextest: RunnerRule = {
  ...plainRule,
  ...cargoFiles,
  id: "nextest",
  words: [["cargo", "nextest", "run"]],
  configs: [...cargoFiles.configs, ".config/nextest.toml"],
  nothingRan: (output, exitCode) =>
    found(output, /^\s*(?:error: )?no tests to run.*$/m) ??
    (exitCode === 0 ? allZero(output, /^\s*Summary \[.*\] +(\d+) tests? run:.*$/gm) : null),
  couldNotRun: noManifest,
  reporting: {
    ask: () => ({ leaves: ["target/nextest/*/*.xml"], mayLeaveNone: true }),
    read: ({ files }) =>
      joinReports(files.filter(({ name }) => name.includes("target/nextest/")).map(({ text }) => readJunitXml(text))),
  },
};
