import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CustomToolConfig } from "../../../extension/core/config/donegateConfig";
import type { CheckResult } from "../../../extension/core/gate/checkResult";
import type { CommandExit } from "../../../extension/core/ports/commandRunner";
import { toCommandResult } from "../../../extension/core/tools/commandResult";
import { createCustomTool, readbackArgv } from "../../../extension/core/tools/customTool";
import { runCommand } from "../../../extension/core/tools/runCommand";
import { createRunTests } from "../../../extension/core/tools/runTests";
import { ToolBench, textOf } from "../../support/toolBench";

let bench: ToolBench;
beforeEach(() => {
  bench = new ToolBench();
});
afterEach(() => bench.dispose());

describe("run_command", () => {
  it("answers output and exit code, and journals the start before the process", async () => {
    expect(await bench.call(runCommand, { command: "echo one; echo two >&2" })).toEqual({
      ok: true,
      output: "one\ntwo\nexit code 0",
    });
    expect(bench.told.map((entry) => entry.told)).toEqual(["begin", "process"]);
  });

  it("fails on any other exit code, with the output", async () => {
    expect(await bench.call(runCommand, { command: "echo broken; exit 3" })).toEqual({
      ok: false,
      code: "command-failed",
      message: "broken\nexit code 3",
      exitCode: 3,
    });
    expect(textOf(await bench.call(runCommand, { command: "false | true" }))).toContain("exit code 1");
  });

  it("runs in the root, or in the folder it is given", async () => {
    bench.write("sub/a.txt", "x");
    expect(textOf(await bench.call(runCommand, { command: "pwd" }))).toBe(`${bench.root}\nexit code 0`);
    expect(textOf(await bench.call(runCommand, { command: "pwd", cwd: "sub/" }))).toBe(
      `${bench.root}/sub\nexit code 0`,
    );
    expect(await bench.call(runCommand, { command: "pwd", cwd: "none" })).toMatchObject({
      ok: false,
      code: "unavailable",
    });
  });

  it("is ended when its time is over, and says so", async () => {
    const result = await bench.call(runCommand, { command: "echo begun; sleep 30", timeoutMs: 300 });
    expect(result).toMatchObject({ ok: false, code: "timeout" });
    expect(textOf(result)).toMatch(/^begun\n[^]*timed out after 300 ms/);
  });

  it("is ended by Stop, and does not begin after it", async () => {
    setTimeout(() => bench.stop.abort(), 300);
    expect(await bench.call(runCommand, { command: "sleep 30" })).toMatchObject({ ok: false, code: "cancelled" });
    expect(await bench.call(runCommand, { command: "echo a" })).toMatchObject({ ok: false, code: "cancelled" });
    expect(bench.told).toEqual([]);
  });

  it("keeps long output within the bound and all of it beside", async () => {
    const result = await bench.call(runCommand, { command: "seq 1 20000" });
    expect(textOf(result).length).toBeLessThan(17_000);
    expect(textOf(result)).toMatch(/^1\n2\n[^]*left out[^]*\n20000\nexit code 0$/);
    expect(result.fullOutput?.split("\n").filter((line) => line !== "")).toHaveLength(20_000);
  });

  it.each([
    [{}, "missing command"],
    [{ command: " " }, "command must not be blank"],
    [{ command: "a", timeoutMs: 600_001 }, "timeoutMs must be at most 600000"],
    [{ command: "a", timeoutMs: 0 }, "timeoutMs must be at least 1"],
    [{ command: "a", timeoutMs: "5" }, 'timeoutMs must be a number, not the string "5"'],
    [{ command: "a", timeout: 5 }, 'unknown key "timeout" (known: command, cwd, timeoutMs)'],
    [{ command: ["a"] }, "command must be a string, not an array"],
  ])("refuses %j", async (args, problem) => {
    const result = await bench.call(runCommand, args);
    expect(result).toMatchObject({ ok: false, code: "invalid-arguments" });
    expect(textOf(result)).toContain(`run_command: ${problem}`);
  });
});

describe("how a command ended", () => {
  const exit: CommandExit = {
    ended: "exited",
    exitCode: 0,
    signal: null,
    output: "",
    fullOutput: null,
    durationMs: 1,
    survivors: [],
    error: null,
  };

  it.each([
    [{ exitCode: 0 }, { ok: true, output: "(no output)\nexit code 0" }],
    [
      { exitCode: null },
      { ok: false, code: "command-failed", exitCode: null, message: "(no output)\nexit code unknown" },
    ],
    [
      { ended: "signalled", exitCode: null, signal: "SIGKILL" },
      { ok: false, code: "command-failed" },
    ],
    [
      { ended: "timeout", exitCode: 0 },
      { ok: false, code: "timeout" },
    ],
    [
      { ended: "cancelled", exitCode: 0 },
      { ok: false, code: "cancelled" },
    ],
    [
      { ended: "not-started", exitCode: null, error: "no bash" },
      { ok: false, code: "unavailable", message: "(no output)\ncould not start: no bash" },
    ],
  ] as const)("is a success only for exit code 0: %j", (change, expected) => {
    expect(toCommandResult({ ...exit, ...change }, 1000)).toMatchObject(expected);
  });

  it("names what could not be ended", () => {
    const result = toCommandResult({ ...exit, ended: "timeout", exitCode: null, survivors: [12, 34] }, 1000);
    expect(textOf(result)).toContain("still running, could not be ended: process 12, 34");
  });
});

describe("run_tests", () => {
  const runTests = createRunTests(() => ["tests", "lint"]);

  function check(name: string, verdict: CheckResult["verdict"], reason = ""): CheckResult {
    const rest = { durationMs: 1, tests: null, evidence: "exit-code", tree: null, provenance: "config" } as const;
    return { name, verdict, reason, exitCode: verdict === "pass" ? 0 : 1, ...rest };
  }

  it("succeeds only when every check passes", async () => {
    bench.checks = [check("tests", "pass"), check("lint", "pass")];
    expect(await bench.call(runTests, {})).toEqual({
      ok: true,
      output: "tests: pass (exit code 0)\nlint: pass (exit code 0)",
    });
    expect(bench.told).toEqual([{ told: "begin", files: null }]);
    bench.checks = [check("tests", "pass"), check("lint", "no-tests", "nothing ran")];
    expect(await bench.call(runTests, {})).toEqual({
      ok: false,
      code: "command-failed",
      message: "tests: pass (exit code 0)\nlint: no-tests (exit code 1)\nnothing ran",
    });
  });

  it("runs one check by its name", async () => {
    bench.checks = [check("tests", "fail", "1 failed"), check("lint", "pass")];
    expect(await bench.call(runTests, { check: "lint" })).toMatchObject({
      ok: true,
      output: "lint: pass (exit code 0)",
    });
  });

  it("lists the names for one that does not exist, and starts nothing", async () => {
    bench.checks = [check("tests", "pass")];
    expect(await bench.call(runTests, { check: "test" })).toEqual({
      ok: false,
      code: "not-found",
      message: 'there is no check named "test". The checks are: tests, lint.',
    });
    expect(bench.told).toEqual([]);
  });

  it.each(["not-run", "unavailable", "not-applicable", "timeout", "flaky", "tampered"] as const)(
    "does not take %s for a pass",
    async (verdict) => {
      bench.checks = [check("tests", verdict)];
      expect((await bench.call(runTests, {})).ok).toBe(false);
    },
  );

  it("does not take no checks for a pass", async () => {
    bench.checks = [];
    expect(
      await bench.call(
        createRunTests(() => []),
        {},
      ),
    ).toMatchObject({ ok: false, code: "unavailable" });
    bench.checks = null;
    expect((await bench.call(runTests, { check: "tests" })).ok).toBe(false);
  });
});

describe("a custom tool", () => {
  const deploy: CustomToolConfig = {
    description: "Deploy the service",
    parameters: {
      env: { enum: ["dev", "prod"] },
      count: { type: "number", optional: true },
      dry: { type: "boolean", optional: true },
      note: { type: "string", optional: true, description: "Why" },
    },
    run: ["printf", "<%s>", "${env}", "--count=${count}", "${dry}", "note: ${note} for ${env}"],
    readback: ["printf", "%s", "status of ${env}"],
    timeoutMs: 5000,
  };
  const tool = createCustomTool("deploy", deploy);

  it("asks by default and counts as command and network", () => {
    expect([tool.defaultVerdict, tool.tags]).toEqual(["ask", ["command", "network"]]);
  });

  it("replaces each placeholder inside its own word, never through a shell", async () => {
    const note = "$(touch x); `touch x` ${count} a  b 'c\" * \n";
    const result = await bench.call(tool, { env: "dev", count: 2, dry: false, note });
    expect(textOf(result)).toBe(`<dev><--count=2><false><note: ${note} for dev>\nexit code 0`);
    expect(() => bench.bytes("x")).toThrow();
    expect(bench.told.map((entry) => entry.told)).toEqual(["begin", "process"]);
  });

  it("leaves out a word whose optional argument is not given", async () => {
    expect(textOf(await bench.call(tool, { env: "dev" }))).toBe("<dev>\nexit code 0");
  });

  it.each([
    [{}, "missing env"],
    [{ env: "staging" }, 'env must be one of "dev", "prod", not the string "staging"'],
    [{ env: ["prod"] }, 'env must be one of "dev", "prod", not an array'],
    [{ env: "dev", count: "2" }, 'count must be a number, not the string "2"'],
    [{ env: "dev", dry: "false" }, 'dry must be a boolean, not the string "false"'],
    [{ env: "dev", force: true }, 'unknown key "force" (known: env, count, dry, note)'],
    [{ env: "dev", note: "a\0b" }, "note must not hold a NUL character"],
  ])("refuses %j", async (args, problem) => {
    const result = await bench.call(tool, args);
    expect(result).toMatchObject({ ok: false, code: "invalid-arguments" });
    expect(textOf(result)).toContain(problem);
    expect(bench.told).toEqual([]);
  });

  it("does not let a text at the start of a word become an option", async () => {
    const lint = createCustomTool("lint", {
      ...deploy,
      parameters: { file: {} },
      run: ["printf", "<%s>", "${file}"],
      readback: null,
    });
    expect(textOf(await bench.call(lint, { file: "--fix" }))).toContain("file must not begin with a dash");
    expect(textOf(await bench.call(lint, { file: "a-b" }))).toBe("<a-b>\nexit code 0");
  });

  it("reports the exit code", async () => {
    const failing = createCustomTool("failing", { ...deploy, parameters: {}, run: ["sh", "-c", "echo no; exit 7"] });
    expect(await bench.call(failing, {})).toMatchObject({ ok: false, code: "command-failed", exitCode: 7 });
    const missing = createCustomTool("missing", { ...deploy, parameters: {}, run: ["./no-such-program"] });
    expect(await bench.call(missing, {})).toMatchObject({ ok: false, code: "unavailable" });
  });

  it("gives the argv that reads its effect back", () => {
    expect(readbackArgv(deploy, { env: "prod" })).toEqual(["printf", "%s", "status of prod"]);
    expect(readbackArgv({ ...deploy, readback: null }, { env: "prod" })).toBeNull();
  });
});
