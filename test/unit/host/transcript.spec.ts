import { describe, expect, it } from "vitest";
import type { CheckResult } from "../../../extension/core/gate/checkResult";
import type { Event, JournaledEvent } from "../../../extension/core/journal/event";
import { toTranscript, type TranscriptOptions } from "../../../extension/host/projections/transcript";
import { parseToWebview } from "../../../extension/protocol/webviewMessages";
import type { EntryOf, TranscriptEntry, TranscriptEntryKind } from "../../../extension/protocol/transcriptEntry";
import { asked, closed, ended, folded, journaled, reply, started } from "../../support/journaled";
import { growthOf, linear } from "../../support/growth";

function entriesOf(
  events: readonly JournaledEvent[],
  options: Partial<TranscriptOptions> = {},
): readonly TranscriptEntry[] {
  return toTranscript(events, folded(events), options).entries;
}

function only<K extends TranscriptEntryKind>(entries: readonly TranscriptEntry[], kind: K): EntryOf<K> {
  const found = entries.filter((entry): entry is EntryOf<K> => entry.kind === kind);
  expect(found).toHaveLength(1);
  return found[0]!;
}

const read = { id: "c1", tool: "read_file", args: { path: "a.txt" } };
const deploy = { id: "c1", tool: "deploy", args: { env: "prod" } };

describe("a call in the transcript", () => {
  const states: readonly [string, readonly Event[], Partial<TranscriptOptions>, EntryOf<"call">["state"]][] = [
    ["runs while it has no result", [started("c1", "read_file")], {}, "running"],
    ["does not go on when nobody drives the run", [started("c1", "read_file")], { isMoving: false }, "interrupted"],
    ["is done with its result", [started("c1", "read_file"), ended("c1", "read_file")], {}, "ok"],
    [
      "failed",
      [started("c1", "read_file"), ended("c1", "read_file", { success: false, status: "error" })],
      {},
      "error",
    ],
    [
      "has an unknown outcome",
      [started("c1", "read_file"), ended("c1", "read_file", { status: "unknown" })],
      {},
      "interrupted",
    ],
    ["waits for a person", [asked("A1", "c1")], {}, "waiting"],
    ["waits also while nobody drives the run", [asked("A1", "c1"), closed("pending")], { isMoving: false }, "waiting"],
    [
      "is denied by a person",
      [asked("A1", "c1"), { type: "approval_resolved", id: "A1", decision: "deny", reason: "no", by: "Ada" }],
      {},
      "denied",
    ],
    [
      "got no answer",
      [asked("A1", "c1"), { type: "approval_withdrawn", id: "A1", why: "the run ended" }],
      {},
      "cancelled",
    ],
    ["is left behind by a later reply", [...reply(2, "On with it.")], {}, "interrupted"],
    [
      "is left behind by a resume",
      [started("c1", "read_file"), { type: "agent_resume", by: "Ada", model: "m", endpoint: "e", sealed: true }],
      {},
      "interrupted",
    ],
  ];
  it.each(states)("%s", (_name, events, options, state) => {
    const entries = entriesOf(journaled(...reply(1, "", read), ...events), options);
    expect(only(entries, "call").state).toBe(state);
  });

  it("never goes on after the end of the run", () => {
    const events = journaled(...reply(1, "", read), started("c1", "read_file"), closed("interrupted"));
    expect(only(entriesOf(events, { isMoving: true }), "call").state).toBe("interrupted");
  });

  it("shows a denial where it happened, with its rule", () => {
    const denied: Event = {
      type: "guardrail_denied",
      callId: "c1",
      tool: "deploy",
      args: {},
      rule: "prod.never",
      reason: "not from here",
      key: "k",
    };
    const call = only(entriesOf(journaled(...reply(1, "", deploy), denied)), "call");
    expect(call).toMatchObject({ state: "denied", denial: { rule: "prod.never", reason: "not from here" } });
  });

  it("names the person who denied it", () => {
    const no: Event = { type: "approval_resolved", id: "A1", decision: "deny", reason: "tests first", by: "Ada" };
    const call = only(entriesOf(journaled(...reply(1, "", deploy), asked("A1", "c1"), no)), "call");
    expect(call.denial).toEqual({ rule: "Ada", reason: "tests first" });
  });

  it("cuts a long result and says that there is more", () => {
    const long = ended("c1", "read_file", { result: "x".repeat(5_000) });
    const call = only(entriesOf(journaled(...reply(1, "", read), started("c1", "read_file"), long)), "call");
    expect(call.result).toEqual({ text: "x".repeat(2_000), left: 3_000 });
    expect(call.hasMore).toBe(true);
  });

  it("writes out characters that hide or turn text, in arguments, results and names", () => {
    const args = { path: "a\u202egpj.exe", note: "zero\u200bwidth" };
    const end = ended("c1", "read_file", { result: "red\u001b[31m", summary: "s\u2066" });
    const events = journaled(...reply(1, "", { id: "c1", tool: "read_file", args }), started("c1", "read_file"), end);
    const call = only(entriesOf(events), "call");
    const shown = JSON.stringify(call);
    expect(call.args.text).toContain("a\\u{202e}gpj.exe");
    expect(call.result?.text).toBe("red\\u{1b}[31m");
    expect(shown).not.toMatch(/[\u200b\u202e\u2066\u001b]/);
  });
});

describe("an approval in the transcript", () => {
  const actions: readonly [string, Partial<Event<"approval_requested">>, Partial<TranscriptOptions>, string][] = [
    ["of level normal is approved in place", {}, {}, "approve"],
    ["of level guarded is only reviewed", { level: "guarded" }, {}, "review"],
    ["of level prod is only reviewed", { level: "prod" }, {}, "review"],
    ["with more arguments than are shown is only reviewed", { args: { content: "x".repeat(9_000) } }, {}, "review"],
    ["that is a question is answered", { kind: "question" }, {}, "answer"],
    ["of another window's run cannot be answered", {}, { canAnswer: false }, "none"],
  ];
  it.each(actions)("%s", (_name, change, options, action) => {
    const events = journaled(...reply(1, "", deploy), asked("A1", "c1", change));
    expect(only(entriesOf(events, options), "call").approval?.action).toBe(action);
  });

  it("offers nothing once it has ended", () => {
    const yes: Event = { type: "approval_resolved", id: "A1", decision: "approve", reason: "", by: "Ada" };
    const call = only(entriesOf(journaled(...reply(1, "", deploy), asked("A1", "c1"), yes)), "call");
    expect(call.approval).toMatchObject({ status: "approved", by: "Ada", action: "none" });
  });

  it("about plan items stands alone and is only reviewed", () => {
    const wishes = asked("A1", null, { kind: "cancel-items", args: { items: [] }, level: "guarded" });
    expect(only(entriesOf(journaled(wishes)), "approval").approval.action).toBe("review");
  });
});

const item = { id: "T1", text: "write it", status: "completed" as const, verified: false };
const check: CheckResult = {
  ...{ name: "tests", verdict: "fail", exitCode: 1, durationMs: 1_200, tests: null, evidence: "exit-code" },
  ...{ tree: "t", provenance: "donegate.yaml:4", reason: "row 2 is wrong" },
};
const verificationEnd: Event<"verification_end"> = {
  ...{ type: "verification_end", passed: false, summary: "tests failed", attempt: 1, charged: true },
  ...{
    reason: "tests: row 2 is wrong",
    tree: "t",
    treeAfter: "t",
    changedDuring: [],
    unavailable: null,
    cancelled: false,
  },
};
const verify: Event = { type: "verification_start", attempt: 1, tree: "t" };

describe("the gate in the transcript", () => {
  const checkEnd: Event = { type: "check_end", check, attempt: 1, callId: null };

  it("tells each check, its useful output, and what the agent was told", () => {
    const gate = only(entriesOf(journaled(...reply(1, "Done."), verify, checkEnd, verificationEnd)), "gate");
    expect(gate).toMatchObject({
      state: "failed",
      attempt: 1,
      maxAttempts: 3,
      told: { text: "tests: row 2 is wrong" },
    });
    expect(gate.checks).toMatchObject([
      { name: "tests", verdict: "fail", tone: "bad", output: { text: "row 2 is wrong" } },
    ]);
  });

  const verdicts: readonly [string, readonly Event[], Partial<TranscriptOptions>, EntryOf<"gate">["state"]][] = [
    ["is running", [], {}, "running"],
    ["does not run when nobody drives the run", [], { isMoving: false }, "cancelled"],
    ["passed", [{ ...verificationEnd, passed: true, reason: "" }], {}, "passed"],
    [
      "could not check, which is no pass",
      [{ ...verificationEnd, unavailable: { check: "tests", why: "no pytest" } }],
      {},
      "unavailable",
    ],
    ["was stopped, which is no pass", [{ ...verificationEnd, cancelled: true }], {}, "cancelled"],
  ];
  it.each(verdicts)("%s", (_name, events, options, state) => {
    expect(only(entriesOf(journaled(...reply(1, "Done."), verify, ...events), options), "gate").state).toBe(state);
  });

  it("keeps the checks that the agent ran itself at its call", () => {
    const call = { id: "c1", tool: "run_tests", args: {} };
    const events = journaled(...reply(1, "", call), started("c1", "run_tests"), {
      type: "check_end",
      check,
      attempt: null,
      callId: "c1",
    });
    expect(only(entriesOf(events), "call").checks).toHaveLength(1);
  });
});

describe("the plan in the transcript", () => {
  const todos = (...items: Event<"todos_updated">["ledger"]["items"]): Event => {
    return { type: "todos_updated", callId: "c1", ledger: { items, nextId: 3 } };
  };
  const write = { id: "c1", tool: "todowrite", args: { todos: [] } };

  it("shows the agent's tick as a claim", () => {
    const entries = entriesOf(
      journaled(...reply(1, "", write), started("c1", "todowrite"), todos(item), ended("c1", "todowrite")),
    );
    expect(only(entries, "plan").items).toMatchObject([{ id: "T1", state: "claimed" }]);
  });

  it("shows only what changed", () => {
    const other = { id: "T2", text: "look at it", status: "pending" as const, verified: false };
    const again: Event = { type: "todos_updated", callId: null, ledger: { items: [item, other], nextId: 3 } };
    const plans = entriesOf(
      journaled(...reply(1, "", write), todos({ ...item, status: "pending" }, other), again),
    ).filter((entry) => entry.kind === "plan");
    expect(plans).toMatchObject([
      { items: [{ id: "T1" }, { id: "T2" }], unchanged: 0 },
      { items: [{ id: "T1", state: "claimed" }], unchanged: 1 },
    ]);
  });
});

describe("the end in the transcript", () => {
  it("is green only for a verdict", () => {
    const passed: Event = { ...verificationEnd, passed: true, reason: "" };
    const verified = only(entriesOf(journaled(...reply(1, "Done."), verify, passed, closed("done"))), "end");
    const word = only(entriesOf(journaled(...reply(1, "Done."), closed("done"))), "end");
    expect([verified.verdict, verified.tone]).toEqual(["VERIFIED", "good"]);
    expect([word.verdict, word.tone]).toEqual(["none", "plain"]);
  });

  it("says why it stopped, every other reason, and what is stale", () => {
    const end = closed("incomplete", {
      stoppedBy: "out of turns",
      reasons: ["out of turns", "tests failed"],
      review: true,
    });
    const entry = only(entriesOf(journaled(end), { stale: true }), "end");
    expect(entry).toMatchObject({ status: "incomplete", stoppedBy: "out of turns", reasons: ["tests failed"] });
    expect(entry.remarks.map(({ text }) => text).join()).toMatch(/person.*Stale/);
  });

  it("names what was not saved and so was not judged", () => {
    const passed: Event = { ...verificationEnd, passed: true, reason: "", unsaved: ["src/a.ts", "Untitled-1"] };
    const { remarks } = only(entriesOf(journaled(...reply(1, "Done."), verify, passed, closed("done"))), "end");
    expect(remarks.map(({ text }) => text)).toEqual([
      "Not judged, since it is not saved: src/a.ts",
      "Not judged, since it is not saved: Untitled-1",
    ]);
  });

  it("that was taken back by a resume is a pause", () => {
    const resume: Event = { type: "agent_resume", by: "Ada", model: "m", endpoint: "e", sealed: true };
    const kinds = entriesOf(journaled(closed("pending"), resume)).map(({ kind }) => kind);
    expect(kinds).toEqual(["goal", "note", "note"]);
  });
});

describe("the transcript", () => {
  it("counts down only to a try that is still to come", () => {
    const failure = { code: "rate-limit" as const, status: 429, message: "slow down", retryAfterMs: null };
    const error: Event = { type: "model_error", failure, attempt: 1, retryInMs: 5_000 };
    const retry = only(entriesOf(journaled(error)), "retry");
    expect(retry.until).toBe(retry.at + 5_000);
    expect(only(entriesOf(journaled(error, ...reply(1, "Here."))), "retry").until).toBeNull();
  });

  it("says which messages still wait for the turn to close", () => {
    const said: Event = { type: "human_message", text: "use tabs", by: "Ada" };
    const open = journaled(...reply(1, "", read), started("c1", "read_file"), said);
    const closedTurn = journaled(...reply(1, "", read), started("c1", "read_file"), said, ended("c1", "read_file"));
    expect(only(entriesOf(open), "message").isQueued).toBe(true);
    expect(only(entriesOf(closedTurn), "message").isQueued).toBe(false);
  });

  it("shows the newest pieces and counts the earlier ones", () => {
    const events = journaled(...Array.from({ length: 300 }, (_, at) => reply(at + 1, `Turn ${at + 1}.`)).flat());
    const { entries, earlier } = toTranscript(events, folded(events), { most: 50 });
    expect([entries.length, earlier]).toEqual([50, 251]);
    expect(entries.at(-1)).toMatchObject({ kind: "say", turn: 300 });
  });

  it("keeps the keys of its pieces while a run goes on", () => {
    const events = journaled(
      ...reply(1, "Look.", read),
      started("c1", "read_file"),
      ended("c1", "read_file"),
      ...reply(2, "Done."),
      verify,
    );
    const keysAt = (count: number) => entriesOf(events.slice(0, count)).map(({ key }) => key);
    const all = keysAt(events.length);
    for (let count = 1; count < events.length; count += 1)
      expect(all.slice(0, keysAt(count).length)).toEqual(keysAt(count));
    expect(new Set(all).size).toBe(all.length);
  });

  it("is what the page can read", () => {
    const events = journaled(
      ...reply(1, "Look.", read),
      asked("A1", "c1"),
      verify,
      verificationEnd,
      closed("incomplete"),
    );
    const { entries, earlier } = toTranscript(events, folded(events));
    const run = {
      ...{ id: "r1", goal: "g", mode: "ended", phase: "ended", status: "incomplete", verdict: "none", isReview: false },
      ...{
        folder: "f",
        model: "m",
        journal: "j",
        attempts: 0,
        maxAttempts: 3,
        turns: 1,
        tokens: 5,
        waiting: 0,
        problem: null,
      },
    };
    const view = { run, plan: [], earlier, entries, live: null, progress: {}, runningCheck: null };
    expect(parseToWebview({ type: "snapshot", version: 1, now: 0, view })).toMatchObject({ ok: true });
  });

  it("takes time linear in the length of the journal", () => {
    const toTurn = (at: number) => {
      const id = `c${at}`;
      return [
        ...reply(at + 1, "", { ...read, id }),
        started(id, "read_file"),
        ended(id, "read_file", { result: "x".repeat(2_000) }),
      ];
    };
    const toRun = (turns: number) => {
      const events = journaled(...Array.from({ length: turns }, (_, at) => toTurn(at)).flat());
      return { events, state: folded(events) };
    };
    expect(growthOf(toRun, ({ events, state }) => toTranscript(events, state), 300)).toBeLessThan(linear);
  });
});
