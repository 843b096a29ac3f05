// What is known about runners, one row each: a new runner is a new row. Globs and names are relative to the check's folder.
// What a runner prints can only take a pass away: no row ever makes one.

export interface RunnerRule {
  id: string;
  /** Word sequences that give the runner away, in order within one simple command; program names without their folder. */
  words: readonly (readonly string[])[];
  /** Names the runner would read from the check's folder or one above it: frozen where present, a trap where absent. */
  configs: readonly string[];
  /** Shared files of which only a part decides. */
  projections: readonly string[];
  /** Globs of tests and of what tests are made of; a file that matches and is not there yet is a new test. */
  tests: readonly string[];
  /** Globs that must match nothing new, anywhere in the workspace. */
  traps: readonly string[];
  /** What the check gets in its environment. */
  env: Readonly<Record<string, string>>;
  /** Why the output says that nothing was run; null when it does not say so. */
  nothingRan?: (output: string, exitCode: number) => string | null;
  /** Why the output says that the runner itself could not work; null when it does not say so. */
  couldNotRun?: (output: string, exitCode: number) => string | null;
}

const scriptTestFolders = ["test/**", "tests/**", "**/__tests__/**", "**/__snapshots__/**", "**/__mocks__/**"];
const scriptTestFiles = ["**/*.{test,spec}.{js,mjs,cjs,jsx,ts,mts,cts,tsx}", ...scriptTestFolders];
const noModule = { configs: [], projections: [], tests: [], traps: [], env: {} };

function spread(stem: string, endings: readonly string[]): string[] {
  return endings.map((ending) => `${stem}.${ending}`);
}

const moduleEndings = ["js", "mjs", "cjs", "ts", "mts", "cts"];
const viteConfigs = ["vitest.config", "vitest.workspace", "vite.config"].flatMap((stem) => spread(stem, moduleEndings));

export const runnerRules: readonly RunnerRule[] = [
  {
    ...noModule,
    id: "package-script",
    words: [["npm"], ["pnpm"], ["yarn"], ["bun"], ["node", "--run"]],
    configs: [".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "bunfig.toml"],
    projections: ["package.json"],
    env: { npm_config_update_notifier: "false", npm_config_fund: "false" },
    couldNotRun: (output) =>
      found(
        output,
        /^(?:npm (?:error|ERR!) [Mm]issing script: .*|.*ERR_PNPM_NO_SCRIPT.*|error Command ".*" not found\.)$/m,
      ),
  },
  {
    ...noModule,
    id: "node-test",
    words: [["node", "--test"]],
    configs: ["node.config.json"],
    projections: ["package.json"],
    tests: [...scriptTestFiles, "**/test.{js,mjs,cjs}", "**/test-*.{js,mjs,cjs}", "**/*[-_]test.{js,mjs,cjs}"],
    nothingRan: (output, exitCode) =>
      allZero(output, /^(?:#|ℹ) tests (\d+)$/gm) ??
      (exitCode === 0 ? allZero(output, /^(?:#|ℹ) pass (\d+)$/gm) : found(output, /^Could not find '.*'$/m)),
  },
  {
    ...noModule,
    id: "vitest",
    words: [["vitest"]],
    configs: viteConfigs,
    projections: ["package.json"],
    tests: scriptTestFiles,
    nothingRan: (output, exitCode) =>
      found(output, /^\s*No test files found, exiting with code \d/m) ??
      found(output, /^\s*Tests\s+no tests$/m) ??
      (exitCode === 0 ? summaryWithout(output, /^\s*Tests\s+(.*\(\d+\))$/gm, /\d+ passed/) : null),
  },
  {
    ...noModule,
    id: "jest",
    words: [["jest"], ["react-scripts", "test"]],
    configs: spread("jest.config", [...moduleEndings, "json"]),
    projections: ["package.json"],
    tests: scriptTestFiles,
    nothingRan: (output, exitCode) =>
      found(output, /^No tests found, exiting with code \d/m) ??
      (exitCode === 0 ? summaryWithout(output, /^Tests:\s+(.* total)$/gm, /[1-9]\d* passed/) : null),
  },
  {
    ...noModule,
    id: "mocha",
    words: [["mocha"]],
    configs: spread(".mocharc", ["js", "cjs", "mjs", "json", "jsonc", "yaml", "yml"]),
    projections: ["package.json"],
    tests: scriptTestFiles,
    nothingRan: (output, exitCode) =>
      found(output, /^Error: No test files found/m) ??
      (exitCode === 0 ? allZero(output, /^\s*(\d+) passing\b/gm) : null),
  },
  {
    ...noModule,
    id: "ava",
    words: [["ava"]],
    configs: spread("ava.config", ["js", "cjs", "mjs"]),
    projections: ["package.json"],
    tests: scriptTestFiles,
    nothingRan: (output) => found(output, /^\s*[✘✖×] (?:Couldn.t find any files to test|No tests found.*)$/m),
  },
  {
    ...noModule,
    id: "pytest",
    words: [["pytest"], ["py.test"]],
    configs: ["pytest.ini", ".pytest.ini", "tox.ini"],
    projections: ["pyproject.toml", "setup.cfg", "tox.ini"],
    tests: ["**/test_*.py", "**/*_test.py", "test/**", "tests/**"],
    traps: ["**/conftest.py", "**/sitecustomize.py", "**/usercustomize.py", "**/pytest.py", "**/pytest/__init__.py"],
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    nothingRan: (output, exitCode) => {
      if (exitCode === 5) return "pytest collected no tests (exit 5)";
      if (exitCode !== 0) return null;
      return summaryWithout(
        output,
        /^=*\s*((?:no tests ran|\d+ \w+).*) in \d[\d.]*s\b.*$/gm,
        /[1-9]\d* (?:passed|xpassed)/,
      );
    },
    couldNotRun: (output) => found(output, /^(?:.*: No module named pytest|error: Failed to spawn: `pytest`)$/m),
  },
  {
    ...noModule,
    id: "unittest",
    words: [["-m", "unittest"]],
    tests: ["**/test*.py", "test/**", "tests/**"],
    traps: ["**/sitecustomize.py", "**/usercustomize.py", "**/unittest.py", "**/unittest/__init__.py"],
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    nothingRan: (output) => allZero(output, /^Ran (\d+) tests? in /gm),
  },
  {
    ...noModule,
    id: "cargo",
    words: [
      ["cargo", "test"],
      ["cargo", "t"],
    ],
    configs: [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"],
    projections: ["Cargo.toml"],
    tests: ["tests/**", "**/tests/**"],
    nothingRan: (output, exitCode) => {
      if (exitCode !== 0) return null;
      const started = [...output.matchAll(/^running \d+ tests?$/gm)].length;
      const finished = [...output.matchAll(/^test result: /gm)].length;
      if (finished < started) return "a test program ended without a test result";
      return allZero(output, /^test result: \w+\. (\d+) passed;.*$/gm);
    },
    couldNotRun: (output) => found(output, /^error: could not find `Cargo\.toml` in .*$/m),
  },
  {
    ...noModule,
    id: "go",
    words: [["go", "test"]],
    configs: ["go.work"],
    tests: ["**/*_test.go", "**/testdata/**"],
    nothingRan: (output, exitCode) => {
      const lines = [...output.matchAll(/^(?:ok|---|FAIL|\?)\s.*$/gm)].map(([line]) => line);
      const empty = lines.length > 0 && lines.every((line) => /\[no test files\]|\[no tests to run\]/.test(line));
      return exitCode === 0 && empty ? (lines[0] ?? null) : null;
    },
  },
  {
    ...noModule,
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
  },
  { ...noModule, id: "tsc", words: [["tsc"], ["vue-tsc"]], configs: ["tsconfig.json"] },
  {
    ...noModule,
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
];

/** The rules for the runners that take part in these simple commands. */
export function rulesFor(commands: readonly (readonly string[])[]): RunnerRule[] {
  return runnerRules.filter((rule) =>
    rule.words.some((wanted) => commands.some((words) => holdsInOrder(words, wanted))),
  );
}

function holdsInOrder(words: readonly string[], wanted: readonly string[]): boolean {
  let next = 0;
  for (const word of words) {
    const name = word.slice(word.lastIndexOf("/") + 1).replace(/\.(?:exe|cmd)$/i, "");
    if (name === wanted[next]) next += 1;
  }
  return next === wanted.length;
}

function found(output: string, pattern: RegExp): string | null {
  return pattern.exec(output)?.[0].trim() ?? null;
}

/** The first counting line when there are any and all count zero. */
function allZero(output: string, counting: RegExp): string | null {
  const matches = [...output.matchAll(counting)];
  return matches.every((match) => Number(match[1]) === 0) ? (matches[0]?.[0].trim() ?? null) : null;
}

/** The last summary line when none of the summary lines tells of what is wanted. */
function summaryWithout(output: string, summary: RegExp, wanted: RegExp): string | null {
  const matches = [...output.matchAll(summary)];
  return matches.some((match) => wanted.test(match[1] ?? "")) ? null : (matches.at(-1)?.[0].trim() ?? null);
}
