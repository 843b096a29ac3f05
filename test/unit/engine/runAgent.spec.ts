import { describe, expect, it } from "vitest";
import { todowrite } from "../../../extension/core/tools/todowrite";
import { runScript } from "../../support/agentBench";
import { recordTool } from "../../support/benchTools";

describe("a run without gate and guardrails", () => {
  it("ends done with the model's last words and nothing verified", async () => {
    const { tool, executed } = recordTool("look");
    const bench = runScript(
      [
        { kind: "reply", calls: [{ name: "look", args: { at: "a" } }] },
        { kind: "reply", text: "all fine" },
      ],
      { tools: [tool] },
    );
    const state = await bench.end();
    expect(state.end).toMatchObject({ status: "done", text: "all fine", outcome: "success" });
    expect(executed).toEqual([{ at: "a" }]);
    expect(bench.events.map((event) => event.type)).toEqual([
      "agent_start",
      "model_reply",
      "model_decision",
      "tool_start",
      "tool_end",
      "model_reply",
      "model_decision",
      "agent_end",
    ]);
  });
});

describe("a run gated by a verifier", () => {
  it("is done only when the verifier passes, and tells the model why it did not", async () => {
    const answers = [{ ok: false, reason: "row 2 is wrong" }, { ok: true }];
    const bench = runScript(
      [
        { kind: "reply", text: "done" },
        { kind: "reply", text: "done now" },
      ],
      { completion: { verify: () => answers.shift() ?? { ok: false }, maxAttempts: 3 } },
    );
    const state = await bench.end();
    expect(state.end?.status).toBe("done");
    expect(state.attempts).toBe(2);
    expect(bench.model.requests[1]?.messages.at(-1)).toEqual({
      role: "user",
      content: "Your work did not verify: row 2 is wrong. Fix it and finish.",
    });
  });

  it("ends incomplete when the attempts are used up", async () => {
    const bench = runScript(
      [1, 2].map(() => ({ kind: "reply" as const, text: "done" })),
      {
        completion: { verify: () => ({ ok: false, reason: "no" }), maxAttempts: 2 },
      },
    );
    const state = await bench.end();
    expect(state.end).toMatchObject({
      status: "incomplete",
      limit: "completion",
      stoppedBy: "completion.verify failed 2\u00d7: no",
    });
  });

  it("holds open plan items against the model", async () => {
    const { tool } = recordTool("look");
    const plan = (status: string) => ({
      todos: [
        { text: "a", status: "completed" },
        { text: "b", status },
      ],
    });
    const bench = runScript(
      [
        {
          kind: "reply",
          calls: [
            { name: "todowrite", args: plan("pending") },
            { name: "look", args: {} },
          ],
        },
        { kind: "reply", text: "done" },
        {
          kind: "reply",
          calls: [{ name: "todowrite", args: { todos: [{ id: "T2", text: "b", status: "completed" }] } }],
        },
        { kind: "reply", text: "done" },
      ],
      { tools: [todowrite, tool], completion: { verify: "todos", maxAttempts: 3 } },
    );
    const state = await bench.end();
    expect(state.lastVerification?.passed).toBe(true);
    expect(bench.events.find((event) => event.type === "verification_end")).toMatchObject({
      passed: false,
      reason: "1 item(s) still open: b",
    });
    expect(state.ledger.items.map((item) => item.verified)).toEqual([true, true]);
  });
});

describe("guardrails and approvals", () => {
  it("asks a person once and runs the call once", async () => {
    const { tool, executed } = recordTool("deploy", { tags: ["command"] });
    const bench = runScript(
      [
        { kind: "reply", calls: [{ name: "deploy", args: { env: "prod" } }] },
        { kind: "reply", text: "deployed" },
      ],
      {
        tools: [tool],
        guardrails: [() => ({ decision: "ask", reason: "prod", level: "prod" })],
        approver: { decide: () => Promise.resolve({ decision: "approve", by: "test" }) },
      },
    );
    const state = await bench.end();
    expect(state.end?.status).toBe("done");
    expect(executed).toHaveLength(1);
    expect(state.approvals).toMatchObject([{ id: "A1", status: "approved", level: "prod" }]);
  });

  it("tells the model a denial and executes nothing", async () => {
    const { tool, executed } = recordTool("deploy", { tags: ["command"] });
    const bench = runScript(
      [
        { kind: "reply", calls: [{ name: "deploy", args: {} }] },
        { kind: "reply", text: "could not deploy" },
      ],
      { tools: [tool], guardrails: [() => ({ decision: "deny", reason: "never from here" })] },
    );
    await bench.end();
    expect(executed).toEqual([]);
    expect(bench.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: "denied: never from here",
    });
  });

  it("stops within two seconds while an approval waits, and takes no answer afterwards", async () => {
    const { tool, executed } = recordTool("deploy", { tags: ["command"] });
    const bench = runScript([{ kind: "reply", calls: [{ name: "deploy", args: {} }] }], {
      tools: [tool],
      guardrails: [() => ({ decision: "ask", reason: "sure?" })],
    });
    await expect.poll(() => bench.run.state().approvals.length).toBe(1);
    const startedAt = Date.now();
    await bench.run.send({ type: "stop" });
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    expect(bench.run.state().end?.status).toBe("interrupted");
    expect(await bench.run.send({ type: "approve", id: "A1", by: "late" })).toMatchObject({ ok: false });
    expect(executed).toEqual([]);
  });
});
