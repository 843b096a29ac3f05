// What runners write that are not on every machine, as their own documentation and releases show it, and what is no report.
import { describe, expect, it } from "vitest";
import { readGoJson, toGoText } from "../../../extension/core/contract/runners/reports/goJson";
import { readJestJson } from "../../../extension/core/contract/runners/reports/jestJson";
import { readJsonLines } from "../../../extension/core/contract/runners/reports/jsonLines";
import { readJunitXml } from "../../../extension/core/contract/runners/reports/junitXml";
import { readRspecJson } from "../../../extension/core/contract/runners/reports/rspecJson";
import { readTrx } from "../../../extension/core/contract/runners/reports/trxXml";
import { readXml } from "../../../extension/core/contract/runners/reports/xmlDocument";
import { growthOf, linear } from "../../support/growth";
import type { TestReport } from "../../../extension/core/contract/runners/testReport";

function outcomes(report: TestReport): Record<string, string> | string {
  return report.whole ? Object.fromEntries(report.tests.map(({ id, outcome }) => [id, outcome])) : report.why;
}

describe("XML", () => {
  it("is read with attributes, text, character data, comments and references", () => {
    const root = readXml(
      '\uFEFF<?xml version="1.0"?>\n<!-- a > b -->\n<a x="1 &lt; 2" y=\'"\'>t&#65;&#x42;<b/><![CDATA[<raw>&]]></a>\n',
    );
    expect(root).toEqual({
      name: "a",
      attributes: { x: "1 < 2", y: '"' },
      children: [{ name: "b", attributes: {}, children: [], text: "" }],
      text: "tAB<raw>&",
    });
  });

  it.each([
    "",
    "text",
    "<a>",
    "<a></b>",
    "<a/><b/>",
    "<a/>text",
    "</a>",
    '<a x="1>',
    "<a x=1/>",
    '<a x="1" x="2"/>',
    "<a>&unknown;</a>",
    "<a>a & b</a>",
    '<!DOCTYPE a [<!ENTITY e "x">]><a/>',
    "<a><![CDATA[x</a>",
    "<a><!-- x</a>",
    `${"<a>".repeat(300)}${"</a>".repeat(300)}`,
  ])("%j is no document", (text) => {
    expect(readXml(text)).toBeNull();
  });

  it("takes time linear in its size", () => {
    const toText = (count: number) => `<a>${'<b c="d">e</b>'.repeat(count)}${"&lt;".repeat(count)}</a>`;
    expect(readXml(toText(1_000))?.children).toHaveLength(1_000);
    expect(growthOf(toText, readXml, 5_000)).toBeLessThan(linear);
  });
});

describe("JUnit", () => {
  it("tells passed, failed, broken and skipped tests apart, and takes the worst of a repeated one", () => {
    const text = `<testsuites><testsuite name="s" tests="5">
      <testcase classname="a.B" name="one" time="0"/>
      <testcase classname="a.B" name="two"><failure message="x &gt; y">at</failure></testcase>
      <testcase classname="a.B" name="three"><error/></testcase>
      <testcase classname="a.B" name="four"><skipped/></testcase>
      <testcase classname="a.B" name="one"><error message="teardown"/></testcase>
      <testsuite name="inner"><testcase class="a.C" name="five"><rerunFailure/><system-out/></testcase></testsuite>
    </testsuite></testsuites>`;
    expect(outcomes(readJunitXml(text))).toEqual({
      "a.B::one": "failed",
      "a.B::two": "failed",
      "a.B::three": "failed",
      "a.B::four": "skipped",
      "a.C::five": "passed",
    });
  });

  it.each(["", "<html/>", '<testsuite><testcase name="a"/>', '{"tests": 1}'])("%j is no report", (text) => {
    expect(readJunitXml(text).whole).toBe(false);
  });
});

describe("trx", () => {
  const definitions = `<TestDefinitions><UnitTest id="1"><TestMethod className="N.Sum" name="Adds"/></UnitTest></TestDefinitions>`;
  const results = `<Results><UnitTestResult testId="1" testName="Adds" outcome="Passed"/>
    <UnitTestResult testId="2" testName="Later" outcome="NotExecuted"/>
    <UnitTestResult testId="3" testName="Wrong" outcome="Failed"/><UnitTestResult testId="4" testName="Odd" outcome="Aborted"/></Results>`;

  it("names tests by their class", () => {
    const text = `<TestRun>${definitions}${results}<ResultSummary outcome="Failed"/></TestRun>`;
    expect(outcomes(readTrx(text))).toEqual({
      "N.Sum::Adds": "passed",
      "::Later": "skipped",
      "::Wrong": "failed",
      "::Odd": "failed",
    });
  });

  it("without its summary is not whole", () => {
    expect(readTrx(`<TestRun>${results}</TestRun>`).whole).toBe(false);
  });
});

describe("rspec", () => {
  const example = (id: string, status: string) => ({ full_description: id, file_path: "./spec/a_spec.rb", status });

  it("names examples by file and description", () => {
    const examples = [example("a b", "passed"), example("a c", "failed"), example("a d", "pending")];
    expect(outcomes(readRspecJson(JSON.stringify({ examples, summary: { example_count: 3 } })))).toEqual({
      "spec/a_spec.rb > a b": "passed",
      "spec/a_spec.rb > a c": "failed",
      "spec/a_spec.rb > a d": "skipped",
    });
  });

  it.each(["", "{}", JSON.stringify({ examples: [], summary: { example_count: 3 } })])("%j is no report", (text) => {
    expect(readRspecJson(text).whole).toBe(false);
  });
});

describe("jest and vitest", () => {
  const read = (text: string) => readJestJson([{ name: "jest-1.json", text }], "jest", "/w");
  const assertion = (title: string, status: string) => ({ ancestorTitles: ["g"], title, status });

  it("counts a file that did not load, and a state it does not know, as failed", () => {
    const testResults = [
      { name: "/w/a.test.js", status: "passed", assertionResults: [assertion("x", "passed"), assertion("y", "todo")] },
      { name: "/w/b.test.js", status: "failed", assertionResults: [] },
      { name: "/w/c.test.js", status: "passed", assertionResults: [assertion("z", "focused")] },
    ];
    expect(outcomes(read(JSON.stringify({ numTotalTests: 3, success: true, testResults })))).toEqual({
      "a.test.js > g > x": "passed",
      "a.test.js > g > y": "skipped",
      "b.test.js > (file)": "failed",
      "c.test.js > g > z": "failed",
    });
  });

  it.each(["", "{}", '{"numTotalTests":1,"testResults":[{'])("%j is no report", (text) => {
    expect(read(text).whole).toBe(false);
  });

  it("no file is no report", () => {
    expect(readJestJson([{ name: "vitest-1.json", text: "{}" }], "jest", "/w").whole).toBe(false);
  });
});

describe("our own rows", () => {
  const row = (titles: string[]) => JSON.stringify({ file: "/w/a.js", titles, outcome: "passed" });
  const read = (text: string) => readJsonLines([{ name: "mocha-7.jsonl", text }], "mocha", "/w");

  it("are a report between a first and a last one", () => {
    expect(outcomes(read(`{"begin":1}\n${row(["g", "x"])}\n{"end":1}\n`))).toEqual({ "a.js > g > x": "passed" });
  });

  it.each([
    "",
    `${row(["x"])}\n`,
    `{"begin":1}\n${row(["x"])}\n`,
    `{"begin":1}\n${row(["x"])}\n{"end":1}`,
    `{"begin":1}\n{"end":1}\n${row(["x"])}\n`,
    `{"begin":1}\n{"end":1}\n{"end":1}\n`,
    `{"begin":1}\n{"file":"a","titles":[],"outcome":"passed"}\n{"end":1}\n`,
  ])("%j is none", (text) => {
    expect(read(text).whole).toBe(false);
  });
});

describe("go", () => {
  const event = (Action: string, Test?: string, Output?: string) =>
    JSON.stringify({
      Action,
      Package: "x/y",
      ...(Test === undefined ? {} : { Test }),
      ...(Output === undefined ? {} : { Output }),
    });

  it("counts what was started and ended, subtests by their own names", () => {
    const lines = [
      event("start"),
      event("run", "TestA"),
      event("output", "TestA", "=== RUN TestA\n"),
      event("run", "TestA/sub"),
      event("pass", "TestA/sub"),
      event("pass", "TestA"),
      event("run", "TestB"),
      event("skip", "TestB"),
      event("run", "TestC"),
      event("output", undefined, "FAIL\n"),
      event("fail"),
    ];
    expect(outcomes(readGoJson(lines.join("\n")))).toEqual({
      "x/y.TestA/sub": "passed",
      "x/y.TestA": "passed",
      "x/y.TestB": "skipped",
      "x/y.TestC": "failed",
    });
    expect(toGoText(`go: downloading z\n${lines.join("\n")}`)).toBe("go: downloading z\n=== RUN TestA\nFAIL\n");
  });

  it("a pass that was never started, and a package without an end, are no report", () => {
    expect(outcomes(readGoJson([event("start"), event("pass", "TestX"), event("pass")].join("\n")))).toContain("TestX");
    expect(readGoJson([event("start"), event("run", "TestX"), event("pass", "TestX")].join("\n")).whole).toBe(false);
    expect(readGoJson("ok  \tx\t0.01s\n").whole).toBe(false);
  });
});
