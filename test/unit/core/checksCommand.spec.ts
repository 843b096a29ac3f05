import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { amendContract } from "../../../extension/core/contract/amendContract";
import type { FreezeInput } from "../../../extension/core/contract/freezePlan";
import type { CheckSpec } from "../../../extension/core/contract/verificationPlan";
import type { CheckResult } from "../../../extension/core/gate/checkResult";
import { runCommandCheck } from "../../../extension/core/gate/checks/commandCheck";
import { createContractPorts } from "../../support/contractPorts";
import { checkSpec, freezeWorkspace } from "../../support/freezeWorkspace";
import { putFiles, temporaryWorkspace } from "../../support/temporaryWorkspace";

interface Case {
  files?: Readonly<Record<string, string>>;
  /** Beside the root. */
  outside?: Readonly<Record<string, string>>;
  run: CheckSpec["run"];
  timeoutMs?: number;
  freeze?: Partial<FreezeInput>;
  /** What happens between freeze and check. */
  act?: (root: string) => Promise<unknown>;
  signal?: AbortSignal;
}

async function check({
  files = {},
  outside = {},
  run,
  timeoutMs = 60_000,
  freeze = {},
  act,
  signal,
}: Case): Promise<CheckResult> {
  const root = await temporaryWorkspace(files);
  await putFiles(join(root, ".."), outside);
  const plan = await freezeWorkspace(root, run, { checks: [checkSpec(run, { timeoutMs })], ...freeze });
  await act?.(root);
  const [frozen] = plan.checks;
  if (frozen === undefined) throw new Error("no check was frozen");
  const context = { plan, root, tree: "t1", frozen: null, ports: createContractPorts() };
  return runCommandCheck(frozen, context, signal ?? new AbortController().signal);
}

/** A stand-in that goes by a runner's name and says what the real one was seen to say. */
function recorded([name = "", ...args]: readonly string[], output: string, exitCode: number): Case {
  const program = `console.log(${JSON.stringify(output)}); process.exitCode = ${exitCode};\n`;
  return { files: { [`bin/${name}`]: program }, run: ["node", `bin/${name}`, ...args] };
}

describe("the exit code", () => {
  it("0 passes and says that it rests on the exit code", async () => {
    const result = await check({ run: ["node", "-e", "console.log('ERROR: 3 tests failed')"] });
    expect(result).toMatchObject({
      name: "tests",
      verdict: "pass",
      exitCode: 0,
      evidence: "exit-code",
      tree: "t1",
      reason: "",
      tests: null,
    });
    expect(result.durationMs).toBeGreaterThan(0);
    expect(result.provenance).toBe("donegate.yaml:4");
  });

  it("anything else fails with the output, whatever the output claims", async () => {
    const result = await check({ run: ["node", "-e", "console.log('all 12 tests passed'); process.exit(3)"] });
    expect(result).toMatchObject({ verdict: "fail", exitCode: 3, evidence: "exit-code" });
    expect(result.reason).toBe("tests: failed (exit 3):\nall 12 tests passed");
  });

  it("a signal fails with unknown exit code", async () => {
    const result = await check({ run: ["node", "-e", "process.kill(process.pid, 'SIGKILL')"] });
    expect(result).toMatchObject({ verdict: "fail", exitCode: null, reason: "tests: failed (ended by SIGKILL)" });
  });

  it("the left side of a pipe counts", async () => {
    expect((await check({ run: "node -e 'process.exit(1)' | cat" })).verdict).toBe("fail");
  });

  it("runs in the check's own folder", async () => {
    const run = ["node", "-e", "require('./here.js')"];
    const result = await check({
      files: { "web/here.js": "" },
      run,
      freeze: { checks: [checkSpec(run, { cwd: "web" })] },
    });
    expect(result.verdict).toBe("pass");
  });
});

describe("time and Stop", () => {
  it("a check over its limit says so and names the setting", async () => {
    const result = await check({
      run: ["node", "-e", "console.log('begun'); setInterval(() => {}, 1000)"],
      timeoutMs: 1500,
    });
    expect(result).toMatchObject({ verdict: "timeout", exitCode: null, evidence: "none" });
    expect(result.reason).toBe("tests: timed out after 1.5 s (limit is checks[].timeout):\nbegun");
  });

  it("Stop ends it within two seconds; it has not passed and not failed", async () => {
    const stop = new AbortController();
    let stoppedAt = Infinity;
    setTimeout(() => {
      stoppedAt = performance.now();
      stop.abort();
    }, 200);
    const result = await check({ run: ["node", "-e", "setTimeout(() => {}, 20000)"], signal: stop.signal });
    expect(result.verdict).toBe("not-run");
    expect(performance.now() - stoppedAt).toBeLessThan(2_000);
  });

  it("is not begun after Stop", async () => {
    const result = await check({ run: ["node", "-e", "0"], signal: AbortSignal.abort() });
    expect(result).toMatchObject({ verdict: "not-run", durationMs: 0 });
  });
});

describe("a check that could not run is unavailable", () => {
  it.each<[string, Case, string]>([
    ["a missing program", { run: ["no-such-program-here"] }, "the program no-such-program-here was not found"],
    [
      "a missing program in shell text",
      { run: "no-such-program-here --all && true" },
      "the program no-such-program-here was not found",
    ],
    [
      "a program that only came later",
      {
        run: ["./late.sh"],
        act: (root) =>
          putFiles(root, { "late.sh": "#!/bin/sh\nexit 0\n" }).then(() => chmod(join(root, "late.sh"), 0o755)),
      },
      "the program ./late.sh was missing when the plan was frozen and has appeared since: a new run can use it",
    ],
    [
      "a package script whose program is not installed",
      { files: { "package.json": '{"scripts":{"test":"no-such-runner run"}}' }, run: ["npm", "test"] },
      "the program no-such-runner was not found",
    ],
    [
      "a package script that is missing",
      { files: { "package.json": "{}" }, run: ["npm", "run", "check"] },
      'npm error Missing script: "check"',
    ],
    [
      "a make target without anything to do",
      recorded(["make", "test"], "make: Nothing to be done for 'test'.", 0),
      "make: Nothing to be done for 'test'.",
    ],
    [
      "a make target that is missing",
      recorded(["make", "test"], "make: *** No rule to make target 'test'.  Stop.", 2),
      "make: *** No rule to make target 'test'.",
    ],
    [
      "a Python without pytest",
      recorded(["pytest"], "/usr/bin/python3: No module named pytest", 1),
      "No module named pytest",
    ],
  ])("%s", async (_name, given, why) => {
    const result = await check(given);
    expect(result.verdict).toBe("unavailable");
    expect(result.reason).toContain(why);
  });

  it("what the work itself leaves missing is a failure, even with exit 127", async () => {
    const files = { "grade.sh": "./build/product\n" };
    expect((await check({ files, run: ["sh", "grade.sh"] })).verdict).toBe("fail");
    expect((await check({ run: "./build/product" })).verdict).toBe("fail");
    expect((await check({ run: ["node", "-e", "process.exit(127)"] })).verdict).toBe("fail");
  });
});

describe("a run of nothing is no pass and no failure", () => {
  it.each<[string, Case]>([
    ["pytest without tests (exit 5)", recorded(["pytest", "-q"], "\nno tests ran in 0.02s", 5)],
    ["node --test without files", { run: ["node", "--test"] }],
  ])("%s", async (_name, given) => {
    const result = await check(given);
    expect(result).toMatchObject({ verdict: "no-tests", tests: { run: 0, failed: 0, skipped: 0 } });
    expect(result.reason).toMatch(/^tests: no tests ran \(/);
  });

  it("node --test with one test passes, and with a red one fails", async () => {
    const green = { "a.test.js": "require('node:test').test('a', () => {})\n" };
    expect((await check({ files: green, run: ["node", "--test"] })).verdict).toBe("pass");
    const red = { "a.test.js": "require('node:test').test('a', () => { throw new Error('wrong sum') })\n" };
    const result = await check({ files: red, run: ["node", "--test"] });
    expect(result.verdict).toBe("fail");
    expect(result.reason).toContain("wrong sum");
  });
});

describe("a changed contract", () => {
  it("before the check names the files, and nothing is run", async () => {
    const act = (root: string) => putFiles(root, { "grade.js": "process.exit(0)\n" });
    const result = await check({ files: { "grade.js": "process.exit(1)\n" }, run: ["node", "grade.js"], act });
    expect(result).toMatchObject({ verdict: "tampered", exitCode: null, evidence: "none", durationMs: 0 });
    expect(result.reason).toContain("grade.js (changed: has other bytes)");
  });

  it("while the check ran takes the pass away", async () => {
    const files = { "grade.js": "require('node:fs').writeFileSync('data.json', '2')\n", "data.json": "1" };
    const result = await check({ files, run: ["node", "grade.js", "data.json"] });
    expect(result).toMatchObject({ verdict: "tampered", exitCode: 0 });
    expect(result.reason).toContain("was changed while the check ran: data.json");
  });

  it("does not tell where a hidden folder lies", async () => {
    const given: Case = {
      outside: { "contract/grade.js": "" },
      run: ["node", "-e", "0"],
      freeze: { hidden: ["../contract"] },
      act: (root) => putFiles(join(root, ".."), { "contract/grade.js": "x" }),
    };
    const result = await check(given);
    expect(result.verdict).toBe("tampered");
    expect(result.reason).not.toContain("contract/");
  });

  it("a program with other bytes or in another place is no longer the frozen one", async () => {
    const root = await temporaryWorkspace({ Makefile: "" });
    const plan = await freezeWorkspace(root, ["node", "-e", "0"]);
    const [frozen] = plan.checks;
    if (frozen === undefined) throw new Error("no check was frozen");
    const context = { plan, root, tree: null, frozen: null, ports: createContractPorts() };
    const signal = new AbortController().signal;
    for (const runner of [
      { ...frozen.runner, digest: "0".repeat(64) },
      { ...frozen.runner, path: "/usr/bin/other" },
    ]) {
      expect((await runCommandCheck({ ...frozen, runner }, context, signal)).verdict).toBe("tampered");
    }
    expect((await runCommandCheck(frozen, context, signal)).verdict).toBe("pass");
  });

  it("with an approved change of the program itself runs the approved one", async () => {
    const root = await temporaryWorkspace({ "grade.js": "#!/usr/bin/env node\nprocess.exit(1)\n" });
    await chmod(join(root, "grade.js"), 0o755);
    const plan = await freezeWorkspace(root, ["./grade.js"]);
    await putFiles(root, { "grade.js": "#!/usr/bin/env node\nprocess.exit(0)\n" });
    const ports = createContractPorts();
    const [frozen] = plan.checks;
    if (frozen === undefined) throw new Error("no check was frozen");
    const signal = new AbortController().signal;
    expect((await runCommandCheck(frozen, { plan, root, tree: null, frozen: null, ports }, signal)).verdict).toBe(
      "tampered",
    );
    const amended = await amendContract(plan, "grade.js", ports, root);
    expect(
      (await runCommandCheck(frozen, { plan: amended.plan, root, tree: null, frozen: null, ports }, signal)).verdict,
    ).toBe("pass");
  });
});

describe("output of a check that reads a hidden folder", () => {
  const grade = [
    "const rows = require('node:fs').readFileSync(__dirname + '/expected.csv', 'utf8').split('\\n');",
    "console.log('row 1: wrong value foo3.04.0');",
    "console.log('expected ' + rows[0]);",
    "throw new Error('does not match');",
  ].join("\n");

  it("keeps the verdict and its own words, without hidden paths and lines", async () => {
    const result = await check({
      outside: { "contract/grade.js": grade, "contract/expected.csv": "foo,3,4,hidden-answer-foo34\n" },
      run: ["node", "../contract/grade.js"],
      freeze: { hidden: ["../contract"] },
    });
    expect(result.verdict).toBe("fail");
    expect(result.reason).toContain("row 1: wrong value foo3.04.0");
    expect(result.reason).toContain("does not match");
    expect(result.reason).not.toContain("hidden-answer");
    expect(result.reason).not.toContain("grade.js");
    expect(result.reason).not.toContain("throw new Error");
    expect(result.reason).toMatch(/\[\d+ line\(s\) of hidden files left out\]/);
  });
});
