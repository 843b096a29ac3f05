// Guardrails and hooks under attack (gate-attacks, group F): one bad call is denied, that one only, and what was judged runs.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { GuardrailFunction } from "../../extension/core";
import { benchPorts, eventsOf, outcomeOf, runOverWire, runScript, toolResults } from "../support/agentBench";
import { recordTool } from "../support/benchTools";
import { FakeClock } from "../support/fakeClock";
import { call, reply, done, denyProd, raise, deploy } from "../support/guardedDeploy";

const allow: GuardrailFunction = () => ({ decision: "allow" });

describe("a denial", () => {
  // F1
  it("runs nothing, tells the model its reason, is journaled with its rule and listed in the outcome", async () => {
    const { bench, state, told, executed } = await deploy(
      { env: "prod" },
      { guardrails: [allow, { id: "no-prod", judge: denyProd }, allow] },
    );
    expect(executed).toEqual([]);
    expect(told).toBe("denied: never to prod");
    expect(eventsOf(bench, "guardrail_denied")).toMatchObject([
      { tool: "deploy", args: { env: "prod" }, rule: "no-prod", reason: "never to prod" },
    ]);
    expect(outcomeOf(state).denials).toEqual([
      { tool: "deploy", args: { env: "prod" }, rule: "no-prod", reason: "never to prod" },
    ]);
    expect(eventsOf(bench, "tool_start")).toEqual([]);
    expect(state.toolCalls).toBe(0);
  });

  it("wins over an allow and an ask, whatever their order, and nobody is asked", async () => {
    const ask: GuardrailFunction = () => ({ decision: "ask", reason: "sure?", level: "prod" });
    for (const guardrails of [
      [ask, denyProd, allow],
      [denyProd, ask],
      [allow, ask, denyProd],
    ]) {
      const { state, told, executed } = await deploy(
        { env: "prod" },
        { guardrails, approver: { decide: () => Promise.resolve({ decision: "approve", by: "ana" }) } },
      );
      expect(told).toBe("denied: never to prod");
      expect(executed).toEqual([]);
      expect(state.approvals).toEqual([]);
    }
  });

  it("by a person holds for the same call in other spelling of its JSON", async () => {
    const recorded = recordTool("deploy", { tags: ["command"] });
    let asked = 0;
    const bench = await runOverWire(
      [
        { kind: "reply", calls: [{ name: "deploy", args: '{"env":"prod","n":1}' }] },
        { kind: "reply", calls: [{ name: "deploy", args: '{ "n": 1.0,\n "env": "pr\\u006fd" }' }] },
        done,
      ],
      {
        tools: [recorded.tool],
        guardrails: [() => ({ decision: "ask", reason: "sure?" })],
        approver: { decide: () => ((asked += 1), Promise.resolve({ decision: "deny", by: "ana", reason: "no" })) },
      },
    );
    await bench.end();
    expect(asked).toBe(1);
    expect(recorded.executed).toEqual([]);
    expect(Object.values(toolResults(bench.requests()[2]))).toEqual(["denied: no", "denied: no"]);
  });
});

describe("a guardrail that fails on one of three parallel calls", () => {
  const failures: Record<string, () => unknown> = {
    // F2
    throws: () => raise(new Error("lookup failed")),
    "throws nothing": () => raise(undefined),
    "throws what has no text": () => raise(Object.create(null)),
    rejects: () => Promise.reject(new Error("lookup failed")),
    "is a thenable that throws": () => ({ then: () => raise(new Error("lookup failed")) }),
    // F5
    "answers false": () => false,
    "answers true": () => true,
    "answers an object": () => ({}),
    "answers nothing": () => undefined,
    "answers null": () => null,
    "answers the word": () => "allow",
    "answers in capitals": () => ({ decision: "ALLOW" }),
    "answers a list": () => [{ decision: "allow" }],
    "answers an ask without a reason": () => ({ decision: "ask" }),
    "answers an ask of an unknown level": () => ({ decision: "ask", reason: "?", level: "none" }),
    "answers a getter that throws": () => Object.defineProperty({}, "decision", { get: () => raise(new Error("get")) }),
  };
  for (const [name, answer] of Object.entries(failures)) {
    it(`${name}: that call is denied by name, the others run and have results`, async () => {
      const look = recordTool("look");
      const bench = await runOverWire([reply(...["a", "b", "c"].map((at) => call("look", { at }))), done], {
        tools: [look.tool],
        guardrails: [
          { id: "places", judge: ({ args }) => (args["at"] === "b" ? (answer() as never) : { decision: "allow" }) },
        ],
      });
      const state = await bench.end();
      expect(look.executed).toEqual([{ at: "a" }, { at: "c" }]);
      expect(Object.values(toolResults(bench.requests()[1]))).toEqual([
        "ok",
        expect.stringMatching(/^denied: .*places/),
        "ok",
      ]);
      expect(outcomeOf(state).denials).toMatchObject([{ args: { at: "b" }, rule: "places" }]);
      expect(state.end?.status).toBe("done");
    });
  }

  it("hangs: denied at its deadline, and told through its signal", async () => {
    const clock = new FakeClock();
    const look = recordTool("look");
    let told: AbortSignal | null = null;
    const bench = runScript([reply(call("look", { at: "a" }), call("look", { at: "b" })), done], {
      tools: [look.tool],
      ports: benchPorts(clock),
      guardrails: [
        ({ args }, signal) => {
          if (args["at"] === "a") return { decision: "allow" };
          told = signal;
          return new Promise(() => undefined);
        },
      ],
    });
    await expect.poll(() => told).not.toBeNull();
    await clock.advance(5_000);
    const state = await bench.end();
    expect(look.executed).toEqual([{ at: "a" }]);
    expect((told as AbortSignal | null)?.aborted).toBe(true);
    expect(outcomeOf(state).denials).toMatchObject([{ reason: expect.stringContaining("no answer within") as string }]);
  });
});

describe("a guardrail that takes its time", () => {
  // F4
  it("is awaited, and its allow counts", async () => {
    const { executed, state } = await deploy(
      { env: "dev" },
      { guardrails: [async () => (await sleep(50), { decision: "allow" })] },
    );
    expect(executed).toEqual([{ env: "dev" }]);
    expect(state.denials).toEqual([]);
  });

  it("is awaited, and its late deny counts as much as a quick allow does not", async () => {
    const { executed, told } = await deploy(
      { env: "dev" },
      { guardrails: [allow, async () => (await sleep(50), { decision: "deny", reason: "late no" })] },
    );
    expect(executed).toEqual([]);
    expect(told).toBe("denied: late no");
  });

  it("hangs while Stop comes: the run ends, nothing runs", async () => {
    const recorded = recordTool("deploy", { tags: ["command"] });
    let asked = false;
    const bench = await runOverWire([reply(call("deploy"))], {
      tools: [recorded.tool],
      guardrails: [() => ((asked = true), new Promise(() => undefined))],
    });
    await expect.poll(() => asked).toBe(true);
    const startedAt = Date.now();
    await bench.run.send({ type: "stop" });
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    expect((await bench.end()).end?.status).toBe("interrupted");
    expect(recorded.executed).toEqual([]);
  });
});

describe("a guardrail that wants a person", () => {
  // F7
  it("asks: that is no denial and no permission", async () => {
    const asked: unknown[] = [];
    const { executed, state } = await deploy(
      { env: "prod" },
      {
        guardrails: [() => ({ decision: "ask", reason: "prod needs a person", level: "prod" })],
        approver: {
          decide: ({ reason, level, args }) => (
            asked.push({ reason, level, args }),
            Promise.resolve({ decision: "approve", by: "ana" })
          ),
        },
      },
    );
    expect(asked).toEqual([{ reason: "prod needs a person", level: "prod", args: { env: "prod" } }]);
    expect(executed).toEqual([{ env: "prod" }]);
    expect(outcomeOf(state).denials).toEqual([]);
  });

  it("is not talked out of it by another one that allows, at level prod and guarded", async () => {
    for (const level of ["prod", "guarded"] as const) {
      const recorded = recordTool("deploy", { tags: ["command"] });
      const bench = await runOverWire([reply(call("deploy"))], {
        tools: [recorded.tool],
        guardrails: [allow, () => ({ decision: "ask", reason: "?", level }), allow],
        onAsk: "suspend",
      });
      expect((await bench.end()).end?.status).toBe("pending");
      expect(recorded.executed).toEqual([]);
    }
  });
});

describe("the same tool under another name", () => {
  const byTag: GuardrailFunction = ({ tags }) =>
    tags.includes("prod") ? { decision: "deny", reason: "prod tools are off" } : { decision: "allow" };
  // F9
  for (const name of ["ops_deploy", "dep1oy", "ship-it", "look"]) {
    it(`${name} is denied by a rule on its tags`, async () => {
      const alias = recordTool(name, { tags: ["network", "prod"] });
      const bench = await runOverWire([reply(call(name, { env: "x" })), done], {
        tools: [alias.tool],
        guardrails: [byTag],
      });
      await bench.end();
      expect(alias.executed).toEqual([]);
      expect(Object.values(toolResults(bench.requests()[1]))).toEqual(["denied: prod tools are off"]);
    });
  }

  for (const name of ["Deploy", "deploy ", "DEPLOY", "d\u0435ploy", "functions.deploy", "toString", "__proto__"]) {
    it(`${JSON.stringify(name)}, which is no tool, runs nothing`, async () => {
      const recorded = recordTool("deploy", { tags: ["prod"] });
      const bench = await runOverWire([reply(call(name)), done], { tools: [recorded.tool], guardrails: [byTag] });
      const state = await bench.end();
      expect(recorded.executed).toEqual([]);
      expect(state.toolCalls).toBe(0);
      expect(Object.values(toolResults(bench.requests()[1]))).toHaveLength(1);
    });
  }

  it("two tools of one name are refused before any request", () => {
    expect(() =>
      runScript([], { tools: [recordTool("deploy").tool, recordTool("deploy", { tags: ["prod"] }).tool] }),
    ).toThrow("same name");
  });
});

describe("a success claimed over a denied call", () => {
  // F12, the half that needs no receipts
  it("shows the denial in the outcome, and a verifier sees it", async () => {
    const recorded = recordTool("deploy", { tags: ["command", "prod"] });
    const bench = await runOverWire([reply(call("deploy", { env: "prod" })), done], {
      tools: [recorded.tool],
      guardrails: [denyProd],
      completion: {
        maxAttempts: 1,
        verify: ({ denials, calls }) =>
          denials.length === 0 && calls.every((made) => !made.result.startsWith("denied"))
            ? { ok: true }
            : { ok: false, reason: `denied: ${denials.map(({ tool }) => tool).join()}` },
      },
    });
    const outcome = outcomeOf(await bench.end());
    expect(outcome).toMatchObject({
      status: "incomplete",
      verdict: "FALSE-COMPLETION",
      denials: [{ tool: "deploy", reason: "never to prod" }],
    });
    expect(outcome.stoppedBy).toBe("completion.verify failed 1\u00d7: denied: deploy");
  });
});
