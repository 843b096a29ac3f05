// Real runners, asked for their own report without a change to what the check means.
import { describe, expect, it } from "vitest";
import { judgeCheck, python } from "../../support/checkBench";

const manifest = (test: string): string => JSON.stringify({ name: "x", private: true, scripts: { test } });
const timeout = 60_000;

/** A suite with one passed and one skipped test, and the same with a red one. */
const suites = {
  "node:test": {
    file: "sum.test.mjs",
    head: 'import { test, describe, it } from "node:test";\n',
    body: 'describe("sum", () => { it("adds", () => {}); it.skip("later", () => {}); });\n',
    red: 'test("wrong sum", () => { throw new Error("got 5"); });\n',
    run: ["node", "--test"],
  },
  vitest: {
    file: "sum.test.mjs",
    head: 'import { test, describe, it } from "vitest";\n',
    body: 'describe("sum", () => { it("adds", () => {}); it.skip("later", () => {}); });\n',
    red: 'test("wrong sum", () => { throw new Error("got 5"); });\n',
    run: ["npx", "vitest", "run"],
  },
  mocha: {
    file: "test/sum.test.cjs",
    head: "",
    body: 'describe("sum", () => { it("adds", () => {}); it.skip("later", () => {}); });\n',
    red: 'it("wrong sum", () => { throw new Error("got 5"); });\n',
    run: ["npx", "mocha", "--extension", "cjs"],
  },
  pytest: {
    file: "test_sum.py",
    head: "import pytest\n",
    body: "def test_adds(): pass\n@pytest.mark.skip\ndef test_later(): pass\n",
    red: 'def test_wrong_sum(): raise ValueError("got 5")\n',
    run: [python, "-m", "pytest", "-q"],
  },
  unittest: {
    file: "test_sum.py",
    head: "import unittest\n",
    body: 'class Sum(unittest.TestCase):\n  def test_adds(self): pass\n  @unittest.skip("later")\n  def test_later(self): pass\n',
    red: '  def test_wrong_sum(self): raise ValueError("got 5")\n',
    run: [python, "-m", "unittest"],
  },
} satisfies Record<string, { file: string; head: string; body: string; red: string; run: string[] }>;

describe.each(Object.entries(suites))("%s", (_name, { file, head, body, red, run }) => {
  it("passes on its report, with the tests counted", { timeout }, async () => {
    const result = await judgeCheck({ files: { [file]: head + body }, run });
    expect(result).toMatchObject({
      verdict: "pass",
      evidence: "report",
      tests: { run: 1, failed: 0, skipped: 1 },
      reason: "",
    });
  });

  it("fails with the red tests named and the output kept", { timeout }, async () => {
    const result = await judgeCheck({ files: { [file]: head + body + red }, run });
    expect(result).toMatchObject({ verdict: "fail", evidence: "report", tests: { run: 2, failed: 1, skipped: 1 } });
    expect(result.reason).toMatch(/^tests: failed \(exit \d+; failed: [^\n]*wrong.sum[^\n]*\):\n/);
    expect(result.reason).toContain("got 5");
  });

  it("is not passed by an exit code that hides a red test", { timeout }, async () => {
    const text = run.map((word) => (/[^\w./:=-]/.test(word) ? `'${word}'` : word)).join(" ");
    const result = await judgeCheck({ files: { [file]: head + body + red }, run: `${text} || true` });
    // unittest is asked on its own command line only.
    if (run.includes("unittest")) expect(result).toMatchObject({ verdict: "pass", evidence: "exit-code" });
    else {
      expect(result).toMatchObject({ verdict: "fail", exitCode: 0, tests: { failed: 1 } });
      expect(result.reason).toContain("exit 0, but 1 test failed");
    }
  });
});

describe("behind other programs", () => {
  const nodeSuite = suites["node:test"].head + suites["node:test"].body;
  const vitestSuite = suites.vitest.head + suites.vitest.body;

  it.each<[string, string | string[], string, Record<string, string>]>([
    ["npm test", ["npm", "test"], "node --test", { "a.test.mjs": nodeSuite }],
    ["a chain of scripts", ["npm", "test"], "node -e 0 && vitest run && node -e 0", { "a.test.mjs": vitestSuite }],
    ["shell text", "npx vitest run | cat", "exit 1", { "a.test.mjs": vitestSuite }],
    [
      "the program's own file",
      ["node", "node_modules/mocha/bin/mocha.js", "a.cjs"],
      "x",
      { "a.cjs": suites.mocha.body },
    ],
    [
      "two runners",
      ["npm", "test"],
      "mocha m.cjs && node --test a.test.mjs",
      { "a.test.mjs": nodeSuite, "m.cjs": suites.mocha.body },
    ],
    ["the person's own reporter", ["node", "--test", "--test-reporter=tap"], "x", { "a.test.mjs": nodeSuite }],
    [
      "the person's own reporter and its place",
      ["node", "--test", "--test-reporter=tap", "--test-reporter-destination=stderr"],
      "x",
      { "a.test.mjs": nodeSuite },
    ],
    [
      "the person's own vitest reporter",
      ["npx", "vitest", "run", "--reporter=tap"],
      "x",
      { "a.test.mjs": vitestSuite },
    ],
    ["an assignment before the program", "FOO=1 npx mocha m.cjs", "x", { "m.cjs": suites.mocha.body }],
  ])("%s: the report is there", { timeout }, async (_name, run, script, files) => {
    const result = await judgeCheck({ files: { ...files, "package.json": manifest(script) }, run });
    expect(result).toMatchObject({ verdict: "pass", evidence: "report" });
  });

  it("a folder with a space holds the reports as well", { timeout }, async () => {
    const files = { "a.test.mjs": nodeSuite };
    const { NodeScratchFolders } = await import("../../../extension/node/nodeScratchFolders");
    const { createContractPorts } = await import("../../support/contractPorts");
    const { temporaryWorkspace, putFiles } = await import("../../support/temporaryWorkspace");
    const outer = await temporaryWorkspace();
    await putFiles(outer, { "with space/x": "" });
    const ports = { ...createContractPorts(), scratch: new NodeScratchFolders(`${outer}/with space`) };
    const result = await judgeCheck({ files, run: ["node", "--test"], context: { ports } });
    expect(result).toMatchObject({ verdict: "pass", evidence: "report" });
  });

  it("a command that sets the variable itself rests on its exit code and says so", { timeout }, async () => {
    const files = { "a.test.mjs": vitestSuite, "package.json": manifest("NODE_OPTIONS=--no-warnings vitest run") };
    expect(await judgeCheck({ files, run: ["npm", "test"] })).toMatchObject({ verdict: "pass", evidence: "exit-code" });
  });

  it("a word that only names a runner asks nothing of it", { timeout }, async () => {
    const result = await judgeCheck({ files: {}, run: ["node", "-e", "0", "pytest"] });
    expect(result).toMatchObject({ verdict: "pass", evidence: "exit-code", tests: null });
  });

  it("tests that start a runner themselves keep their report whole", { timeout }, async () => {
    const nested = [
      suites["node:test"].head,
      'import { spawnSync } from "node:child_process";',
      'test("nested", () => {',
      "  const { NODE_TEST_CONTEXT: _, ...env } = process.env;",
      '  spawnSync(process.execPath, ["--test", "inner.mjs"], { env });',
      "});",
    ].join("\n");
    const inner = suites["node:test"].head + 'test("inner", () => {});\n';
    const result = await judgeCheck({ files: { "a.test.mjs": nested, "inner.mjs": inner }, run: ["node", "--test"] });
    expect(result).toMatchObject({ verdict: "pass", evidence: "report" });
  });
});
