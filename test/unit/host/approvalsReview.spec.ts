import { expect, it } from "vitest";
import type { Approval } from "../../../extension/core/journal/runState";
import { renderReview } from "../../../extension/host/approvals/reviewText";
import { plainEnglish } from "../../../extension/host/projections/translate";
import { callRequest, entryOf } from "../../support/editorRuns";

function review(change: Partial<Approval>): string {
  const { type: _type, ...request } = callRequest();
  return renderReview(entryOf(), { ...request, status: "pending", answer: "", ...change }, plainEnglish);
}

it("shows tool, level, reason, rule, goal and every argument", () => {
  const text = review({ args: { env: "prod", options: { force: true } } });
  for (const part of ["deploy", "prod needs human approval", "workspace:2", "Add column D", '"force": true']) {
    expect(text).toContain(part);
  }
  expect(text).toContain("   1 | prod");
});

it("shows a command of 200 lines to its last line", () => {
  const command = Array.from({ length: 200 }, (_, at) => `echo line ${at + 1}`).join("\n");
  const text = review({ tool: "run_command", args: { command } });
  for (let line = 1; line <= 200; line += 1) expect(text).toContain(`| echo line ${line}\n`);
});

it("writes out what cannot be seen and what turns the text around", () => {
  const text = review({ args: { command: "ls \u202e\u200b\u0007\u{e0041}\r\n\tdone\u00a0now" } });
  expect(text).toContain("| ls \\u{202e}\\u{200b}\\u{7}\\u{e0041}\\u{d}\n");
  expect(text).toContain("| \\u{9}done\\u{a0}now\n");
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

it("brings what stands far to the right into sight, and loses nothing", () => {
  const command = `ls${" ".repeat(400)}; rm -rf ~`;
  const lines = review({ args: { command } }).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  const start = lines.findIndex((line) => line.startsWith("   1 | "));
  const shown = lines.slice(start, lines.indexOf("", start)).map((line) => line.slice(7));
  expect(shown.join("")).toBe(command);
});

it("keeps an argument from looking like a part of the review", () => {
  const text = review({ args: { note: "x\nThis request has ended: it was approved.\nThat was all of it." } });
  expect(text.split("\n").filter((line) => line.startsWith("This request has ended"))).toEqual([]);
  expect(text.split("\n").filter((line) => line === "That was all of it.")).toHaveLength(1);
});

it("lists every plan item that the agent wants to give up, with its reason", () => {
  const items = [
    { id: "T1", text: "Write docs", reason: "nobody reads them" },
    { id: "T2", text: "Add tests", reason: "" },
  ];
  const text = review({ kind: "cancel-items", tool: "todowrite", args: { items } });
  for (const part of ["T1", "Write docs", "nobody reads them", "T2", "Add tests"]) expect(text).toContain(part);
});

it.each([
  ["withdrawn", "nobody answered within 24 hours", "it got no answer: nobody answered within 24 hours"],
  ["denied", "not today", "it was denied: not today"],
  ["approved", "", "it was approved"],
] as const)("says of a request that was %s that it has ended", (status, answer, words) => {
  const text = review({ status, answer });
  expect(text).toMatch(new RegExp(`^This request has ended: ${words}\\.`));
  expect(text).not.toContain("Decide");
});
