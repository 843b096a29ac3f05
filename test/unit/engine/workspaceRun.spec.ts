// The story of the sample task on a real folder: real grader, real commands, real snapshots, a scripted model over HTTP.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JournaledEvent, RunState } from "../../../extension/core";
import {
  countedCommand,
  firstScript,
  planItems,
  playStory,
  repairedScript,
  storyTurns,
} from "../../support/storyScript";
import { answersInTurn, WorkspaceBench } from "../../support/workspaceBench";

const goal = readFileSync(join(import.meta.dirname, "../../fixtures/story/goal.txt"), "utf8").trim();
const person = () => answersInTurn({ deny: "not before the checks pass" }, { approve: true }, { approve: true });

describe("the story of the sample task", () => {
  it("ends verified after one rejection, with every denial and answer on record", { timeout: 30_000 }, async () => {
    const bench = WorkspaceBench.story();
    const approver = person();
    const started = await bench.start(playStory, { goal }, approver);
    const state = await started.end();
    const { events } = started;

    expect(state.end).toMatchObject({ status: "done", limit: null, outcome: "success" });
    expect(state.attempts).toBe(2);
    expect(state.turns).toBe(storyTurns);
    await expectStoryOutcome(bench, events);
    expect(approver.asked).toMatchObject([
      { tool: "deploy", level: "prod", args: { env: "prod" } },
      { tool: "run_command", level: "normal", args: { command: countedCommand } },
      { tool: "deploy", level: "prod", reason: "prod needs human approval" },
    ]);
    expectModelHeard(state);
    expectNothingTwice(bench);
  });
});

async function expectStoryOutcome(bench: WorkspaceBench, events: readonly JournaledEvent[]): Promise<void> {
  const outcome = await bench.outcome();
  expect(outcome).toMatchObject({ status: "done", verdict: "VERIFIED", sealed: true, evidence: "exit-code" });
  expect(outcome.plan).toEqual(
    Object.values(planItems).map((text, at) => ({ id: `T${at + 1}`, text, status: "completed", verified: true })),
  );
  expect(outcome.denials).toMatchObject([
    { tool: "edit_file", args: { path: "../grader/check.py" }, rule: "paths.hidden-folder" },
    { tool: "run_command", args: { command: "cat ../grader/expected.csv" }, rule: "paths.hidden-folder" },
    { tool: "deploy", args: { env: "prod" }, rule: "person:Ada", reason: "not before the checks pass" },
  ]);
  expect(outcome.checks.map(({ name, verdict }) => [name, verdict])).toEqual([
    ["todos", "pass"],
    ["diff", "pass"],
    ["receipts", "pass"],
    ["grader", "pass"],
  ]);
  const milestones = events.filter((event) => event.type === "verification_end" || event.type === "agent_end");
  expect(milestones).toMatchObject([
    { type: "verification_end", passed: false, charged: true },
    { type: "verification_end", passed: true, charged: true },
    { type: "agent_end", outcome: "success" },
  ]);
}

function expectModelHeard(state: RunState): void {
  const words = state.history.filter((message) => message.role === "user").map((message) => message.content);
  expect(words).toHaveLength(2);
  expect(words[1]).toMatch(/^Your work did not verify: grader: failed \(exit 1\):\n/);
  expect(words[1]).toContain("got foo3.04.0, want foo34");
  expect(words[1]).toMatch(/\. Fix it and finish\.$/);
  const results = state.history.filter((message) => message.role === "tool").map((message) => message.content);
  expect(results).toContainEqual("denied: not before the checks pass");
  expect(results).toContainEqual(expect.stringMatching(/^grader: fail \(exit code 1\)\n[^]*foo3\.04\.0/));
  expect(state.history.some((message) => message.role === "tool" && message.content.includes("12,bar,7,12bar7"))).toBe(
    false,
  );
}

function expectNothingTwice(bench: WorkspaceBench): void {
  expect(repairedScript).not.toBe(firstScript);
  expect(bench.read("add_column.py")).toBe(repairedScript);
  expect(bench.read("command.log")).toBe("ran\n");
  expect(JSON.parse(bench.read("deployed.json"))).toEqual([{ env: "prod", note: "" }]);
}
