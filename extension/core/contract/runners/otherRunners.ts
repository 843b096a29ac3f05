// Runners that tell nothing but their exit code, and what decides what they do.
import { found } from "./outputWords";
import { plainRule, type RunnerRule } from "./runnerRule";
import { moduleEndings, scriptTestFiles, spread } from "./scriptTests";

export const ava: RunnerRule = {
  ...plainRule,
  id: "ava",
  words: [["ava"]],
  configs: spread("ava.config", ["js", "cjs", "mjs"]),
  projections: ["package.json"],
  tests: scriptTestFiles,
  nothingRan: (output) => found(output, /^\s*[✘✖×] (?:Couldn.t find any files to test|No tests found.*)$/m),
};

export const make: RunnerRule = {
  ...plainRule,
  id: "make",
  words: [["make"], ["gmake"]],
  configs: ["GNUmakefile", "makefile", "Makefile"],
  couldNotRun: (output, exitCode) => {
    const said = output
      .split("\n")
      .filter((line) => line.trim() !== "" && !/^\w*make\S*: (?:Entering|Leaving) directory/.test(line));
    const idle =
      said.length > 0 &&
      said.every((line) => /^\w*make\S*: (?:Nothing to be done for |.* is up to date\.$)/.test(line));
    if (exitCode === 0) return idle ? (said[0] ?? null) : null;
    return found(output, /^\w*make: \*\*\* No rule to make target .*$/m);
  },
};

export const tox: RunnerRule = {
  ...plainRule,
  id: "tox",
  words: [["tox"], ["nox"]],
  configs: ["tox.ini", "tox.toml", "noxfile.py", "pytest.ini"],
  projections: ["pyproject.toml", "setup.cfg", "tox.ini"],
  tests: ["**/test_*.py", "**/*_test.py", "test/**", "tests/**"],
  traps: ["**/conftest.py", "**/sitecustomize.py", "**/usercustomize.py"],
};

export const mix: RunnerRule = {
  ...plainRule,
  id: "mix",
  words: [["mix", "test"]],
  configs: ["mix.exs", ".formatter.exs", "config/test.exs"],
  tests: ["test/**", "apps/*/test/**"],
  nothingRan: (output, exitCode) =>
    exitCode === 0 ? found(output, /^(?:There are no tests to run|0 tests, 0 failures.*)$/m) : null,
};

export const deno: RunnerRule = {
  ...plainRule,
  id: "deno",
  words: [
    ["deno", "test"],
    ["deno", "task"],
  ],
  configs: ["deno.json", "deno.jsonc"],
  tests: ["**/*[._]test.{ts,tsx,mts,js,mjs,jsx}", "**/test.{ts,js,mjs}", ...scriptTestFiles],
  nothingRan: (output, exitCode) => (exitCode === 0 ? found(output, /^ok \| 0 passed.*$/m) : null),
};

export const bun: RunnerRule = {
  ...plainRule,
  id: "bun",
  words: [["bun", "test"]],
  configs: ["bunfig.toml"],
  projections: ["package.json"],
  tests: [...scriptTestFiles, "**/*_{test,spec}.{js,jsx,ts,tsx}"],
  nothingRan: (output, exitCode) => (exitCode === 0 ? found(output, /^ *0 pass$/m) : null),
};

export const linters: readonly RunnerRule[] = [
  { ...plainRule, id: "tsc", words: [["tsc"], ["vue-tsc"]], configs: ["tsconfig.json"] },
  {
    ...plainRule,
    id: "eslint",
    words: [["eslint"]],
    configs: [
      ...spread("eslint.config", moduleEndings),
      ...spread(".eslintrc", ["js", "cjs", "json", "yaml", "yml"]),
      ".eslintrc",
      ".eslintignore",
    ],
    projections: ["package.json"],
  },
  {
    ...plainRule,
    id: "biome",
    words: [["biome"]],
    configs: ["biome.json", "biome.jsonc"],
  },
  {
    ...plainRule,
    id: "ruff",
    words: [["ruff"]],
    configs: ["ruff.toml", ".ruff.toml"],
    projections: ["pyproject.toml"],
  },
  {
    ...plainRule,
    id: "mypy",
    words: [["mypy"]],
    configs: ["mypy.ini", ".mypy.ini"],
    projections: ["pyproject.toml", "setup.cfg"],
  },
  {
    ...plainRule,
    id: "pyright",
    words: [["pyright"]],
    configs: ["pyrightconfig.json"],
    projections: ["pyproject.toml"],
  },
  {
    ...plainRule,
    id: "clippy",
    words: [["cargo", "clippy"]],
    configs: ["clippy.toml", ".clippy.toml"],
    projections: ["Cargo.toml"],
  },
  {
    ...plainRule,
    id: "golangci-lint",
    words: [["golangci-lint"]],
    configs: [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"],
  },
];
