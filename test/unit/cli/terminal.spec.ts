import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTerminalApprover } from "../../../extension/cli/terminalApprover";
import { createTerminal } from "../../../extension/cli/terminalLines";
import type { Approval } from "../../../extension/core";
import { RecordingSink, ScriptedTerminal } from "../../support/scriptedTerminal";

const by = "person at the terminal";
const never = new AbortController().signal;
const deaf = { onShown: () => undefined, onClosed: () => undefined };

function request(change: Partial<Approval> = {}): Approval {
  return {
    ...{ id: "A1", kind: "call", callId: "c1", tool: "deploy", args: { env: "prod" }, reason: "prod needs a person" },
    ...{ level: "prod", rule: "r", digest: "d", key: "k", expiresAt: "2030-01-01T00:00:00.000Z" },
    ...{ status: "pending", answer: "" },
    ...change,
  };
}

async function decide(change: Partial<Approval>, ...lines: (string | null)[]) {
  const terminal = new ScriptedTerminal(...lines);
  const sink = new RecordingSink();
  const heard: string[] = [];
  const listener = {
    onShown: (id: string) => void heard.push(`shown ${id}`),
    onClosed: () => void heard.push("closed"),
  };
  const decision = await createTerminalApprover(terminal, sink, listener).decide(request(change), never);
  terminal.assertDone();
  return { decision, shown: sink.text, heard };
}

describe("a prod approval at the terminal", () => {
  it("takes the word approve and nothing shorter", async () => {
    const { decision } = await decide({}, "", "y", "yes", "app", "APPROVE", " ", "approve");
    expect(decision).toEqual({ decision: "approve", by });
  });

  it("shows the whole call before it asks", async () => {
    const { shown } = await decide({ args: { env: "prod\u202e" } }, "approve");
    expect(shown.indexOf('env: "prod\\u{202e}"')).toBeGreaterThan(0);
    expect(shown.indexOf('env: "prod')).toBeLessThan(shown.indexOf("type the word approve"));
  });

  it("asks for the reason of a denial that has none", async () => {
    expect((await decide({}, "d", "not on a Friday")).decision).toEqual({
      decision: "deny",
      by,
      reason: "not on a Friday",
    });
    expect((await decide({}, "d too early")).decision).toEqual({ decision: "deny", by, reason: "too early" });
  });

  it("does not take a word that begins with d for a denial", async () => {
    expect((await decide({}, "do it", "approve")).decision).toEqual({ decision: "approve", by });
  });

  it.each([
    ["at once", [null]],
    ["after a line that decided nothing", ["", null]],
    ["instead of a reason", ["d", null, null]],
  ])("is no answer when the terminal is closed %s, and goes on waiting", async (_when, lines) => {
    const { decision, shown, heard } = await decide({}, ...lines);
    expect(decision).toBeNull();
    expect(heard).toEqual(["shown A1", "closed"]);
    expect(shown).toContain("A1: no answer, since the terminal is closed. It goes on waiting.");
  });
});

describe("other requests at the terminal", () => {
  it("takes y for a normal or guarded call", async () => {
    expect((await decide({ level: "normal" }, "y")).decision).toEqual({ decision: "approve", by });
    expect((await decide({ level: "guarded" }, "Y")).decision).toEqual({ decision: "approve", by });
  });

  it("takes any text as the answer to a question, but not an empty one", async () => {
    expect((await decide({ kind: "question", tool: "ask_human" }, "", "approve")).decision).toEqual({
      decision: "answer",
      by,
      text: "approve",
    });
  });

  it("asks one after the other", async () => {
    const terminal = new ScriptedTerminal("approve", "d no");
    const approver = createTerminalApprover(terminal, new RecordingSink(), deaf);
    const decisions = await Promise.all([
      approver.decide(request(), never),
      approver.decide(request({ id: "A2" }), never),
    ]);
    expect(decisions.map((decision) => decision?.decision)).toEqual(["approve", "deny"]);
    expect(terminal.prompts.map((prompt) => prompt.slice(0, 2))).toEqual(["A1", "A2"]);
  });

  it("asks nothing about a request that has ended", async () => {
    const terminal = new ScriptedTerminal();
    const ended = AbortSignal.abort();
    expect(await createTerminalApprover(terminal, new RecordingSink(), deaf).decide(request(), ended)).toBeNull();
  });
});

describe("lines of a terminal", () => {
  const open = () => {
    const input = new PassThrough();
    return { input, terminal: createTerminal(input as unknown as NodeJS.ReadStream), sink: new RecordingSink() };
  };

  it("drops what was typed before the question was shown", async () => {
    const { input, terminal, sink } = open();
    input.write("approve\napprove\n");
    const answer = terminal.ask("sure? ", sink);
    expect(await Promise.race([answer, sleep(200, "waits")])).toBe("waits");
    expect(sink.text).toBe("sure? ");
    input.write("no\n");
    expect(await answer).toBe("no");
  });

  it("drops lines between two questions, and the rest of what was pasted into one", async () => {
    const { input, terminal, sink } = open();
    const first = terminal.ask("one? ", sink);
    await sleep(100);
    input.write("1\napprove\n");
    expect(await first).toBe("1");
    const second = terminal.ask("two? ", sink);
    expect(await Promise.race([second, sleep(100, "waits")])).toBe("waits");
    input.write("2\n");
    expect(await second).toBe("2");
  });

  it("answers null when the question is taken back, and when the input ends", async () => {
    const { input, terminal, sink } = open();
    const takenBack = new AbortController();
    const first = terminal.ask("one? ", sink, takenBack.signal);
    await sleep(100);
    takenBack.abort();
    expect([await first, terminal.closed]).toEqual([null, false]);
    const second = terminal.ask("two? ", sink);
    input.end();
    expect([await second, terminal.closed]).toEqual([null, true]);
    expect(await terminal.ask("three? ", sink)).toBeNull();
  });
});
