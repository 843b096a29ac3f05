import { describe, expect, it } from "vitest";
import { rulesFor } from "../../../extension/core/contract/runnerRules";

/** What the rules of a command make of an output: the first reason to reject it, null when there is none. */
function rejection(command: string, output: string, exitCode: number): string | null {
  const rules = rulesFor([command.split(" ")]);
  expect(rules.length).toBeGreaterThan(0);
  const reasons = rules.map(
    (rule) => rule.couldNotRun?.(output, exitCode) ?? rule.nothingRan?.(output, exitCode) ?? null,
  );
  return reasons.find((reason) => reason !== null) ?? null;
}

function cargo(...passed: number[]): string {
  return passed
    .map(
      (count) =>
        `running ${count} tests\n\ntest result: ok. ${count} passed; 0 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.00s\n`,
    )
    .join("\n");
}

describe("which commands a runner is recognised in", () => {
  it.each([
    ["npx vitest run", "vitest"],
    ["node_modules/.bin/jest --ci", "jest"],
    ["python -m pytest -q", "pytest"],
    ["uv run pytest", "pytest"],
    ["python3 -m unittest", "unittest"],
    ["node --import x --test", "node-test"],
    ["cargo +nightly test", "cargo"],
    ["make -s test", "make"],
    ["vitest.cmd", "vitest"],
  ])("%s is %s", (command, id) => {
    expect(rulesFor([command.split(" ")]).map((rule) => rule.id)).toContain(id);
  });

  it.each(["node grade.js", "cargo build", "go build ./...", "python grade.py", "cat jest.config.js"])(
    "%s is none",
    (command) => {
      expect(rulesFor([command.split(" ")])).toEqual([]);
    },
  );
});

describe("output that takes a pass away", () => {
  it.each<[string, string, number]>([
    ["pytest", "", 5],
    ["pytest", "no tests ran in 0.01s", 0],
    ["pytest -q", "s                       [100%]\n1 skipped in 1.07s", 0],
    ["pytest", "===== 2 skipped, 1 warning in 0.77s =====", 0],
    ["pytest", "===== 4 deselected in 0.10s =====", 0],
    ["python -m unittest", "Ran 0 tests in 0.000s\n\nOK", 0],
    ["cargo test", cargo(0), 0],
    ["cargo test", cargo(0, 0), 0],
    ["cargo test", "running 3 tests\n", 0],
    ["cargo test", `${cargo(2)}\nrunning 3 tests\n`, 0],
    ["node --test", "1..0\n# tests 0\n# suites 0\n# pass 0\n", 0],
    ["node --test", "ℹ tests 0\nℹ pass 0\n", 0],
    ["node --test", "# tests 2\n# pass 0\n# skipped 2\n", 0],
    ["node --test x*.js", "Could not find '/w/x*.js'", 1],
    ["vitest run", "No test files found, exiting with code 0", 0],
    ["vitest run", "\nNo test files found, exiting with code 1\n", 1],
    ["vitest run", " Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n", 0],
    ["jest", "No tests found, exiting with code 0", 0],
    ["jest", "Tests:       3 skipped, 3 total\n", 0],
    ["jest", "Tests:       0 total\n", 0],
    ["mocha", "\n  0 passing (1ms)\n", 0],
    ["mocha", 'Error: No test files found: "test"', 1],
    ["go test ./...", "?   \tx\t[no test files]\n?   \tx/y\t[no test files]\n", 0],
    ["go test ./...", "ok  \tx\t0.01s [no tests to run]\n", 0],
    ["make test", "make: Nothing to be done for 'test'.\n", 0],
    ["make test", "make: 'test' is up to date.\n", 0],
    [
      "make -C a test",
      "make: Entering directory '/a'\nmake[1]: 'test' is up to date.\nmake: Leaving directory '/a'\n",
      0,
    ],
    ["make test", "make: *** No rule to make target 'test'.  Stop.\n", 2],
    ["npm test", 'npm error Missing script: "test"', 1],
    ["npm test", "npm ERR! missing script: test", 1],
  ])("%s: %j (exit %i)", (command, output, exitCode) => {
    expect(rejection(command, output, exitCode)).not.toBeNull();
  });
});

describe("output that does not", () => {
  it.each<[string, string, number]>([
    ["pytest", "===== 3 passed, 2 skipped in 0.77s =====", 0],
    ["pytest -q", "..\n10 passed in 1.07s", 0],
    ["pytest", "===== 1 failed in 0.10s =====", 1],
    ["python -m unittest", "Ran 3 tests in 0.000s\n\nOK", 0],
    ["cargo test", cargo(0, 4, 0), 0],
    ["cargo test", "error[E0308]: mismatched types", 101],
    ["node --test", "# tests 0\n# pass 0\n# tests 2\n# pass 2\n", 0],
    ["node --test", "# tests 1\n# pass 0\n# fail 1\n", 1],
    ["vitest run", " Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped (3)\n", 0],
    ["jest", "Tests:       1 skipped, 2 passed, 3 total\n", 0],
    ["mocha", "\n  12 passing (1ms)\n  1 pending\n", 0],
    ["go test ./...", "?   \tx\t[no test files]\nok  \tx/y\t0.01s\n", 0],
    ["make build test", "make: 'build' is up to date.\nnode grade.js\n", 0],
    ["make test", "node grade.js\nmake: *** [Makefile:2: test] Error 1\n", 2],
    ["npm test", "> x@1.0.0 test\n> node grade.js\n", 0],
  ])("%s: %j (exit %i)", (command, output, exitCode) => {
    expect(rejection(command, output, exitCode)).toBeNull();
  });
});
