// A check whose answers for one tree disagree, and tests that a person expects to be red.
import { describe, expect, it } from "vitest";
import { addSuites, attack } from "../support/addSuites";
import { runEvidence, write } from "../support/evidenceRun";

const timeout = 60_000;

/** Counts its executions outside the workspace and is red in those that are listed. */
const counting = (red: number[]): string =>
  [
    'const fs = require("node:fs");',
    'const file = require("node:path").join(__dirname, "..", "count");',
    'const count = fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) + 1 : 1;',
    "fs.writeFileSync(file, String(count));",
    `process.exit(${JSON.stringify(red)}.includes(count) ? 1 : 0);`,
  ].join("\n");

const runCounting = (red: number[], claims: number) =>
  runEvidence({
    files: { "check.cjs": counting(red) },
    run: ["node", "check.cjs"],
    turns: [[write("a.txt", "x\n")]],
    claims,
  });

describe("answers that disagree about one tree", () => {
  it("are settled by two more executions: both green is a pass that says flaky", { timeout }, async () => {
    const { outcome } = await runCounting([1], 2);
    expect(outcome).toMatchObject({ status: "done", attempts: 2, checks: [{ verdict: "pass", flaky: true }] });
  });

  it("are no pass when one of the two is red", { timeout }, async () => {
    const { outcome } = await runCounting([1, 4], 2);
    expect(outcome).toMatchObject({ status: "incomplete", checks: [{ verdict: "flaky" }] });
    expect(outcome.stoppedBy).toContain("flaky on the same tree (fail, pass, pass, fail)");
  });

  it("are not looked for where nothing disagrees", { timeout }, async () => {
    const { outcome, bench } = await runCounting([], 1);
    expect(outcome.status).toBe("done");
    expect(bench.read("../count")).toBe("1");
  });
});

describe("tests that a person expects to be red", () => {
  const files = { ...addSuites.pytest.files, "test_old.py": "def test_old():\n    assert False\n" };
  const fixed = "def add(a, b):\n    return a + b\n";
  const given = attack(addSuites.pytest, fixed, { files });

  it("do not keep the others from passing", { timeout }, async () => {
    const { outcome } = await runEvidence({ ...given, verify: { knownRed: ["test_old::test_old"] } });
    expect(outcome).toMatchObject({ status: "done", checks: [{ verdict: "pass", exitCode: 1, tests: { failed: 1 } }] });
  });

  it("excuse no other", { timeout }, async () => {
    const { outcome } = await runEvidence({ ...given, verify: { knownRed: ["test_old::test_another"] } });
    expect(outcome.status).toBe("incomplete");
  });
});
