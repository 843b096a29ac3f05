// What every way through the story has to come to, however often the process died on the way.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { JournaledEvent, RunState } from "../../extension/core";
import { CliBench, outcomeOf, storyPerson, type CliExit } from "./killingCliBench";
import type { KillAt } from "./killingCliPoint";
import { planItems, playStory, repairedScript } from "./storyScript";

const table = [
  "A,B,C,D",
  "1,2,3,6",
  "foo,3,4,foo34",
  "2.5,4,1,7.5",
  "12,bar,7,12bar7",
  "10,20,30,60",
  "-4,1.5,2.5,0.0",
  "8,1,baz,81baz",
];

export interface StoryDifference {
  /** How often the command and the deploy ran; a call that was interrupted before it ran is never made up for. */
  commands?: 0 | 1;
  deploys?: 0 | 1;
  /** Turns the model spent on interruptions. */
  recoveries?: number;
  resumes: number;
}

export interface CrashPoint {
  kills: readonly KillAt[];
  /** Without those that a kill calls for. */
  resumes?: number;
  expected?: Omit<StoryDifference, "resumes">;
  /** What the model is told about the calls of a tool. */
  told?: { tool: string; results: readonly RegExp[] };
}

export const tellings = {
  denied: /^denied: /,
  applied: /^interrupted, but the change was already written/,
  notApplied: /^interrupted before anything was written/,
  unknown: /^interrupted, outcome unknown/,
};

/** Plays the story, killed at these points and resumed each time; the person's three questions take three resumes. */
export async function expectRecovery(program: () => string, point: CrashPoint): Promise<void> {
  const { kills, resumes = 3, expected = {}, told } = point;
  const bench = new CliBench(program);
  await bench.workspace.serve(playStory);
  const exits = await bench.playOut("Add the column D.", kills, storyPerson);
  expect(exits.filter((exit) => exit.signal === "SIGKILL")).toHaveLength(kills.length);
  await expectStoryEnd(bench, exits.at(-1), { ...expected, resumes: resumes + kills.length });
  if (told === undefined) return;
  const results = resultsOf(await bench.state(), told.tool);
  expect(results).toHaveLength(told.results.length);
  told.results.forEach((wanted, at) => expect(results[at]).toMatch(wanted));
}

/** Status, verdict, attempts, plan and every byte are those of the run that nothing disturbed. */
async function expectStoryEnd(
  bench: CliBench,
  last: CliExit | undefined,
  { commands = 1, deploys = 1, recoveries = 0, resumes }: StoryDifference,
): Promise<void> {
  expect(last, last?.err).toMatchObject({ code: 0, signal: null });
  const outcome = outcomeOf(last as CliExit);
  expect(outcome).toMatchObject({ status: "done", limit: null, verdict: "VERIFIED", attempts: 2, sealed: true });
  expect(outcome).toMatchObject({ turns: 10 + recoveries, stale: false, pendingApprovals: [] });
  expect(outcome.plan).toEqual(
    Object.values(planItems).map((text, at) => ({ id: `T${at + 1}`, text, status: "completed", verified: true })),
  );
  expect(outcome.checks.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual([
    "todos pass",
    "diff pass",
    "receipts pass",
    "grader pass",
  ]);
  expect(outcome.denials.map(({ tool, rule }) => [tool, rule.split(":")[0]])).toEqual([
    ["edit_file", "paths.hidden-folder"],
    ["run_command", "paths.hidden-folder"],
    ["deploy", "person"],
  ]);
  expectBytes(bench, commands, deploys);
  const { events, state } = await bench.workspace.load();
  expect(events.filter((event) => event.type === "agent_resume")).toHaveLength(resumes);
  expectOrder(events);
  expectEachCallOnce(events, state);
  bench.workspace.server.assertDone();
}

function expectBytes({ workspace: { root } }: CliBench, commands: 0 | 1, deploys: 0 | 1): void {
  const bytes = (name: string): string | null =>
    existsSync(join(root, name)) ? readFileSync(join(root, name), "utf8") : null;
  expect(bytes("add_column.py")).toBe(repairedScript);
  expect(bytes("out.csv")).toBe(table.map((row) => `${row}\r\n`).join(""));
  expect(bytes("command.log")).toBe(commands === 1 ? "ran\n" : null);
  const deployed = bytes("deployed.json");
  expect(deployed === null ? [] : JSON.parse(deployed)).toEqual(deploys === 1 ? [{ env: "prod", note: "" }] : []);
}

/** The last word on each attempt, and the end. A verification that a crash cut short has no end. */
function expectOrder(events: readonly JournaledEvent[]): void {
  const milestones = events.flatMap((event) => {
    if (event.type === "verification_end") return [`${event.attempt} ${event.passed ? "passed" : "failed"}`];
    return event.type === "agent_end" && event.status !== "pending" ? [event.outcome] : [];
  });
  expect(milestones).toEqual(["1 failed", "2 passed", "success"]);
}

function expectEachCallOnce(events: readonly JournaledEvent[], state: RunState): void {
  for (const type of ["tool_start", "tool_end"] as const) {
    const ids = events.flatMap((event) => (event.type === type ? [event.callId] : []));
    expect(ids, `${type} lines, one a call`).toEqual([...new Set(ids)]);
  }
  const asked = state.history.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
  const answered = state.history.flatMap((message) => (message.role === "tool" ? [message.tool_call_id] : []));
  expect(answered).toEqual(asked.map((call) => call.id));
}

/** What the model was told about its calls of one tool, in order. */
export function resultsOf(state: RunState, tool: string): string[] {
  return state.settledCalls.filter((call) => call.tool === tool).map((call) => call.result ?? "");
}
