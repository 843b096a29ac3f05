import { describe, expect, it } from "vitest";
import type { TestCase, TestReport } from "../../../extension/core/contract/runners/testReport";
import { joinReports } from "../../../extension/core/contract/runners/testReport";
import { judgeReports, type ReportEvidence } from "../../../extension/core/gate/evidence/judgeReports";
import { withoutAmended } from "../../../extension/core/gate/evidence/withoutAmended";

function whole(text: string): TestReport {
  const outcomes = { "+": "passed", "-": "failed", "~": "skipped" } as const;
  const tests = text.split(" ").filter(Boolean);
  return {
    whole: true,
    tests: tests.map((word): TestCase => ({ id: word.slice(1), outcome: outcomes[word[0] as keyof typeof outcomes] })),
  };
}

function judge(text: string, more: Partial<ReportEvidence> = {}) {
  const reports = [{ runner: "pytest", report: whole(text), mayBeMissing: false }];
  return judgeReports({ exitCode: 0, reports, frozen: null, knownRed: [], showNames: true, ...more });
}

const frozen = (ran: string, red = "") => ({ ran: ran.split(" "), red: red.split(" ").filter(Boolean) });

describe("a report decides only together with the exit code", () => {
  it("passes with zero, everything green and something run", () => {
    expect(judge("+a ~b")).toMatchObject({
      verdict: "pass",
      evidence: "report",
      tests: { run: 1, failed: 0, skipped: 1 },
    });
  });

  it.each<[string, string, Partial<ReportEvidence>, string, RegExp]>([
    ["another exit code", "+a", { exitCode: 1 }, "fail", /^failed \(exit 1\)$/],
    ["a red test under exit 0", "+a -b", {}, "fail", /^exit 0, but 1 test failed: b$/],
    ["nothing run", "~a ~b", {}, "no-tests", /^no tests ran \(2 skipped\)$/],
    ["an empty report", "", {}, "no-tests", /^no tests ran/],
    ["a test missing", "+a", { frozen: frozen("a b") }, "fewer-tests", /1 test .* did not run now: b$/],
    ["a test skipped", "+a ~b", { frozen: frozen("a b") }, "new-skips", /1 test .* is skipped now: b$/],
    ["a red test missing", "+a", { frozen: frozen("a b", "b") }, "fewer-tests", /: b$/],
    ["names that stay secret", "+a", { frozen: frozen("a b"), showNames: false }, "fewer-tests", /left out\)$/],
  ])("does not pass with %s", (_name, text, more, verdict, reason) => {
    const judged = judge(text, more);
    expect(judged.verdict).toBe(verdict);
    expect(judged.reason).toMatch(reason);
  });

  it("does not pass without a whole report of each runner", () => {
    const torn: TestReport = { whole: false, why: "it has no proper end" };
    const none = judge("", { reports: [{ runner: "mocha", report: torn, mayBeMissing: false }] });
    expect(none).toMatchObject({ verdict: "no-tests", evidence: "none", tests: null });
    const one = judge("", {
      reports: [
        { runner: "vitest", report: whole("+a"), mayBeMissing: false },
        { runner: "mocha", report: torn, mayBeMissing: false },
      ],
    });
    expect(one).toMatchObject({ verdict: "fewer-tests", evidence: "none" });
    expect(one.reason).toContain("mocha");
  });

  it("passes on the exit code where the report is the project's option, and where no runner was asked", () => {
    const reports = [{ runner: "nextest", report: joinReports([]), mayBeMissing: true }];
    expect(judge("", { reports })).toMatchObject({ verdict: "pass", evidence: "exit-code", tests: null });
    expect(judge("", { reports: [] })).toMatchObject({ verdict: "pass", evidence: "exit-code", tests: null });
  });
});

describe("the same tests", () => {
  it("are known by their form where names hold times, addresses and numbers of the day", () => {
    const before = frozen("at_1796093833909 <x_0x7f0584448c50> on_2026-12-01 plain");
    expect(judge("+at_1796093899999 +<x_0x7f0584441111> +on_2026-12-02 +plain", { frozen: before }).verdict).toBe(
      "pass",
    );
    const fewer = judge("+at_1796093899999", { frozen: frozen("at_1796093833909 at_1796093833910") });
    expect(fewer.verdict).toBe("fewer-tests");
  });

  it("may be joined by others", () => {
    expect(judge("+a +b +new", { frozen: frozen("a b") }).verdict).toBe("pass");
  });
});

describe("red before and red after", () => {
  it("only old red is named as such", () => {
    const judged = judge("+a -b", { exitCode: 1, frozen: frozen("a b", "b") });
    expect(judged).toMatchObject({ verdict: "fail", oldRed: ["b"] });
    expect(judged.reason).toContain("b (red before this run as well)");
  });

  it("one new red test makes it new", () => {
    expect(judge("-a -b", { exitCode: 1, frozen: frozen("a b", "b") }).oldRed).toEqual([]);
    expect(judge("", { exitCode: 1, frozen: frozen("a b", "b") }).oldRed).toEqual([]);
  });

  it("a test that may be red does not keep the others from passing", () => {
    const more = { exitCode: 1, frozen: frozen("a b", "b"), knownRed: ["b"] };
    expect(judge("+a -b", more)).toMatchObject({ verdict: "pass", tests: { failed: 1 } });
    expect(judge("-a -b", more).verdict).toBe("fail");
    expect(judge("-b", more).verdict).toBe("fewer-tests");
    expect(judge("+a +b", { ...more, exitCode: 1 }).verdict).toBe("fail");
  });
});

describe("tests of files whose change was approved", () => {
  it.each<[string, string[], string[]]>([
    ["src/a.test.ts", ["src/a.test.ts > g > x", "src/b.test.ts > y"], ["src/b.test.ts > y"]],
    ["tests/test_a.py", ["tests.test_a::x", "tests.test_a.TestK::y", "tests.test_ab::z"], ["tests.test_ab::z"]],
    ["tests/test_a.py", [" > test_a.Sum.test_x", " > test_b.Sum.test_x"], [" > test_b.Sum.test_x"]],
    ["src/test/java/com/x/FooTest.java", ["com.x.FooTest::adds", "com.x.BarTest::adds"], ["com.x.BarTest::adds"]],
    ["sub/a_test.go", ["example.org/x/sub.TestA", "example.org/x.TestB"], ["example.org/x.TestB"]],
  ])("%s", (path, ran, left) => {
    expect(withoutAmended({ ran, red: ran }, [path])).toEqual({ ran: left, red: left });
  });
});
