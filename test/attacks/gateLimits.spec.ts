// Stops by a limit (gate-attacks, group C): in a first pass, during a repair, in a resumed run. Never done, always named.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { AgentError, type Limit, type Verifier } from "../../extension/core";
import type { BudgetConfig } from "../../extension/core/config/donegateConfig";
import {
  benchPorts,
  eventsOf,
  outcomeOf,
  resumeOverWire,
  runOverWire,
  runScript,
  type BenchOptions,
} from "../support/agentBench";
import { recordTool } from "../support/benchTools";
import { FakeClock } from "../support/fakeClock";
import { MemoryJournal } from "../support/memoryJournal";
import type { ModelStep, ScriptedCall } from "../support/modelScript";

const look = (at: string): ScriptedCall => ({ name: "look", args: { at } });
/** Work with words beside it: 15 tokens. */
const work = (at: string): ModelStep => ({ kind: "reply", text: `all done, ${at} verified`, calls: [look(at)] });
const done: ModelStep = { kind: "reply", text: "done" };
const no: Verifier = () => ({ ok: false, reason: "row 2 is wrong" });
const verification = "completion.verify failed 1\u00d7: row 2 is wrong";
const prices = { input: 1_000_000, output: 1_000_000 };

function options(budget: BudgetConfig, more: BenchOptions = {}): BenchOptions {
  return { tools: [recordTool("look").tool], budget, ...more };
}

/** Budgets that stop `work("a")`, `work("b")`, … before the second model call. */
const inFirstPass: { limit: Limit; budget: BudgetConfig; executed: number }[] = [
  { limit: "maxTurns", budget: { maxTurns: 1 }, executed: 1 },
  { limit: "maxTokens", budget: { maxTokens: 15 }, executed: 0 },
  { limit: "maxCost", budget: { maxCost: 15, prices }, executed: 0 },
  { limit: "maxToolCalls", budget: { maxToolCalls: 0 }, executed: 0 },
];

describe("a limit in the first pass", () => {
  for (const { limit, budget, executed } of inFirstPass) {
    // C1
    it(`${limit} ends incomplete, though the turn before spoke of success`, async () => {
      let judged = 0;
      const recorded = recordTool("look");
      const bench = await runOverWire(
        [work("a")],
        options(budget, {
          tools: [recorded.tool],
          completion: { verify: () => ((judged += 1), { ok: true }), maxAttempts: 3 },
        }),
      );
      const state = await bench.end();
      const outcome = outcomeOf(state);
      expect(outcome).toMatchObject({ status: "incomplete", limit, phase: "ended", verdict: "none", review: false });
      expect(outcome.stoppedBy).toContain(limit);
      expect(outcome.reasons).toEqual([outcome.stoppedBy]);
      expect(recorded.executed).toHaveLength(executed);
      expect(judged).toBe(0);
      expect(eventsOf(bench, "agent_end")).toMatchObject([{ status: "incomplete", outcome: "incomplete", limit }]);
      expect(eventsOf(bench, "limit_reached")).toMatchObject([{ limit }]);
    });

    it(`${limit} ends an ungated run incomplete as well`, async () => {
      const state = await (await runOverWire([work("a")], options(budget))).end();
      expect(outcomeOf(state)).toMatchObject({ status: "incomplete", limit, verdict: "none" });
    });
  }

  it("stuck ends incomplete after the same call with the same result four times", async () => {
    const bench = await runOverWire(
      [1, 2, 3, 4].map(() => work("a")),
      options({}, { completion: { verify: () => ({ ok: true }), maxAttempts: 3 } }),
    );
    const state = await bench.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "stuck" });
    expect(state.toolCalls).toBe(4);
  });

  it("is not in the way of a final answer that needs no more model call", async () => {
    const state = await (
      await runOverWire(
        [work("a"), done],
        options({ maxTurns: 2, maxTokens: 30 }, { completion: { verify: () => ({ ok: true }), maxAttempts: 1 } }),
      )
    ).end();
    expect(state.end?.status).toBe("done");
  });
});

describe("a limit during a repair", () => {
  const inRepair: { limit: Limit; budget: BudgetConfig; script: ModelStep[] }[] = [
    { limit: "maxTurns", budget: { maxTurns: 1 }, script: [done] },
    { limit: "maxTokens", budget: { maxTokens: 10 }, script: [done] },
    { limit: "maxCost", budget: { maxCost: 1, prices }, script: [done] },
    { limit: "maxToolCalls", budget: { maxToolCalls: 1 }, script: [work("a"), done, work("b")] },
    { limit: "stuck", budget: {}, script: [done, work("a"), work("a"), work("a"), work("a")] },
  ];
  for (const { limit, budget, script } of inRepair) {
    // C4
    it(`${limit} is named together with what the last verification found`, async () => {
      const bench = await runOverWire(script, options(budget, { completion: { verify: no, maxAttempts: 3 } }));
      const outcome = outcomeOf(await bench.end());
      expect(outcome).toMatchObject({ status: "incomplete", limit, attempts: 1, verdict: "FALSE-COMPLETION" });
      expect(outcome.stoppedBy).toContain(limit === "stuck" ? "same look call" : limit);
      expect(outcome.reasons).toEqual([outcome.stoppedBy, verification]);
    });
  }

  // C3
  it("maxWallMs ends as timeout at once, while the model is silent", async () => {
    const bench = await runOverWire(
      [done, { kind: "stall" }],
      options({ maxWallMs: 300 }, { completion: { verify: no, maxAttempts: 3 } }),
    );
    const outcome = outcomeOf(await bench.end());
    expect(outcome).toMatchObject({ status: "timeout", limit: "maxWallMs", verdict: "FALSE-COMPLETION" });
    expect(outcome.reasons).toEqual([outcome.stoppedBy, verification]);
  });

  it("maxWallMs ends as timeout in the middle of the next verification, and names the one that judged", async () => {
    let judged = 0;
    const bench = await runOverWire(
      [done, done],
      options(
        { maxWallMs: 400 },
        {
          completion: {
            verify: () =>
              (judged += 1) === 1 ? { ok: false, reason: "row 2 is wrong" } : new Promise(() => undefined),
            maxAttempts: 3,
          },
        },
      ),
    );
    const outcome = outcomeOf(await bench.end());
    expect(judged).toBe(2);
    expect(outcome).toMatchObject({ status: "timeout", limit: "maxWallMs", attempts: 1, verdict: "FALSE-COMPLETION" });
    expect(outcome.reasons).toEqual([outcome.stoppedBy, verification]);
    expect(eventsOf(bench, "verification_end")).toMatchObject([{ passed: false }, { passed: false, cancelled: true }]);
  });

  it("maxWallMs ends as timeout while a tool runs that would have repaired it", async () => {
    let told = false;
    const { tool } = recordTool("look", {
      act: async (_, { signal }) => {
        await sleep(5_000, undefined, { signal }).catch(() => (told = true));
        return "repaired";
      },
    });
    const bench = await runOverWire(
      [done, work("a")],
      options({ maxWallMs: 300 }, { tools: [tool], completion: { verify: no, maxAttempts: 3 } }),
    );
    const outcome = outcomeOf(await bench.end());
    expect(outcome).toMatchObject({ status: "timeout", limit: "maxWallMs" });
    expect(outcome.reasons).toEqual([outcome.stoppedBy, verification]);
    expect(told).toBe(true);
  });
});

describe("a limit in a resumed run", () => {
  const stopped: { limit: Limit; budget: BudgetConfig }[] = [
    { limit: "maxTurns", budget: { maxTurns: 1 } },
    { limit: "maxTokens", budget: { maxTokens: 15 } },
    { limit: "maxCost", budget: { maxCost: 15, prices } },
  ];
  for (const { limit, budget } of stopped) {
    // C6
    it(`${limit} is never done, whatever was said before`, async () => {
      const journal = new MemoryJournal();
      const { tool } = recordTool("look");
      const completion = { verify: (): { ok: boolean } => ({ ok: true }), maxAttempts: 3 };
      const first = await runOverWire(
        [work("a")],
        options(budget, { tools: [tool], completion, ports: { ...benchPorts(), journal } }),
      );
      expect((await first.end()).end?.status).toBe("incomplete");
      for (const commands of [[], [{ type: "steer" as const, text: "you are done, right?", by: "ana" }]]) {
        const resumed = await resumeOverWire(journal, [], { tools: [tool], completion, commands });
        const outcome = outcomeOf(await resumed.end());
        expect(outcome).toMatchObject({ status: "incomplete", limit, verdict: "none", turns: 1 });
        expect(resumed.requests()).toEqual([]);
      }
    });
  }

  it("time that passed between end and resume is not work, time before the end is", async () => {
    const clock = new FakeClock();
    const journal = new MemoryJournal();
    const first = runScript([{ kind: "stall" }], {
      budget: { maxWallMs: 1_000 },
      ports: { ...benchPorts(clock), journal },
    });
    await expect.poll(() => first.model.requests.length).toBe(1);
    await clock.advance(900);
    await first.run.send({ type: "stop" });
    await clock.advance(3_600_000);
    const resumed = await resumeOverWire(journal, [{ kind: "stall" }], { clock });
    await expect.poll(() => resumed.requests().length).toBe(1);
    expect(resumed.run.state().end).toBeNull();
    await clock.advance(100);
    expect((await resumed.end()).end).toMatchObject({ status: "timeout", limit: "maxWallMs" });
  });
});

describe("maxToolCalls", () => {
  it("is kept exactly by parallel calls, and lets those that may run come to their end", async () => {
    const finished: unknown[] = [];
    const { tool, executed } = recordTool("look", {
      act: async (args, { signal }) => {
        await sleep(50, undefined, { signal });
        finished.push(args["at"]);
        return "ok";
      },
    });
    const bench = await runOverWire(
      [{ kind: "reply", calls: ["a", "b", "c", "d"].map(look) }],
      options({ maxToolCalls: 2 }, { tools: [tool] }),
    );
    const state = await bench.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "maxToolCalls" });
    expect(executed).toEqual([{ at: "a" }, { at: "b" }]);
    expect(finished).toEqual(["a", "b"]);
    expect(state.toolCalls).toBe(2);
    expect(eventsOf(bench, "tool_end")).toMatchObject([{ status: "ok" }, { status: "ok" }]);
  });

  it("counts a call that prepares itself before it begins", async () => {
    const prepared = recordTool("deploy", { tags: ["command"] });
    const slow = {
      ...prepared.tool,
      run: async (...[args, context]: Parameters<typeof prepared.tool.run>) => {
        await sleep(50);
        return prepared.tool.run(args, context);
      },
    };
    const { tool, executed } = recordTool("look");
    const bench = await runOverWire(
      [{ kind: "reply", calls: [{ name: "deploy", args: {} }, look("a")] }],
      options({ maxToolCalls: 1 }, { tools: [tool, slow] }),
    );
    const state = await bench.end();
    expect(state).toMatchObject({ toolCalls: 1, end: { status: "incomplete", limit: "maxToolCalls" } });
    expect(prepared.executed).toHaveLength(1);
    expect(executed).toEqual([]);
  });

  it("is kept by calls that a person approves all at once", async () => {
    const { tool, executed } = recordTool("deploy", { tags: ["command"] });
    const deploy = (env: string): ScriptedCall => ({ name: "deploy", args: { env } });
    const journal = new MemoryJournal();
    const guardrails = [() => ({ decision: "ask" as const, reason: "sure?" })];
    const first = await runOverWire(
      [{ kind: "reply", calls: ["a", "b", "c"].map(deploy) }],
      options(
        { maxToolCalls: 2 },
        { tools: [tool], guardrails, onAsk: "suspend", ports: { ...benchPorts(), journal } },
      ),
    );
    expect((await first.end()).approvals).toHaveLength(3);
    const resumed = await resumeOverWire(journal, [], {
      tools: [tool],
      guardrails,
      commands: ["A1", "A2", "A3"].map((id) => ({ type: "approve", id, by: "ana" })),
    });
    const state = await resumed.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "maxToolCalls" });
    expect(executed).toEqual([{ env: "a" }, { env: "b" }]);
  });

  it("ends the run also while other calls wait for a person", async () => {
    const { tool } = recordTool("look");
    const deploy = recordTool("deploy", { tags: ["command"] });
    const bench = await runOverWire(
      [{ kind: "reply", calls: [{ name: "deploy", args: {} }, look("a"), look("b")] }],
      options(
        { maxToolCalls: 1 },
        {
          tools: [tool, deploy.tool],
          guardrails: [
            (call) => (call.tool === "deploy" ? { decision: "ask", reason: "sure?" } : { decision: "allow" }),
          ],
        },
      ),
    );
    const state = await bench.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "maxToolCalls" });
    expect(state.approvals).toMatchObject([{ status: "withdrawn" }]);
    expect(deploy.executed).toEqual([]);
  });
});

describe("going round in circles", () => {
  const denyAll = [() => ({ decision: "deny" as const, reason: "no" })];

  it("is not three wrong calls in one turn: the model has not been told yet", async () => {
    const bench = await runOverWire(
      [{ kind: "reply", calls: [1, 2, 3].map(() => ({ name: "read", args: {} })) }, work("a"), done],
      options({}),
    );
    expect((await bench.end()).end?.status).toBe("done");
  });

  it("is not the same denied call three times in one turn", async () => {
    const bench = await runOverWire(
      [{ kind: "reply", calls: [look("a"), look("a"), look("a")] }, done],
      options({}, { guardrails: denyAll }),
    );
    expect((await bench.end()).end?.status).toBe("done");
  });

  it("is unknown tools three turns in a row", async () => {
    const wrong: ModelStep = { kind: "reply", calls: [{ name: "read", args: {} }] };
    const state = await (await runOverWire([wrong, wrong, wrong], options({}))).end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "stuck" });
  });

  it("is the same denied call three turns in a row", async () => {
    const recorded = recordTool("look");
    const state = await (
      await runOverWire([work("a"), work("a"), work("a")], options({}, { tools: [recorded.tool], guardrails: denyAll }))
    ).end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "stuck" });
    expect(recorded.executed).toEqual([]);
  });

  it("is two denied calls in turn, without end", async () => {
    const state = await (
      await runOverWire(
        (_, index) => (index < 12 ? work(index % 2 === 0 ? "a" : "b") : null),
        options({}, { guardrails: denyAll }),
      )
    ).end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "stuck" });
    expect(state.turns).toBeLessThanOrEqual(8);
  });

  it("is asking for a call again and again that nobody answers", async () => {
    const state = await (
      await runOverWire(
        (_, index) => (index < 12 ? work("a") : null),
        options(
          {},
          {
            guardrails: [() => ({ decision: "ask", reason: "sure?" })],
            approver: { decide: () => Promise.reject(new Error("no window")) },
          },
        ),
      )
    ).end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "stuck" });
    expect(state.turns).toBe(4);
  });
});

describe("a budget that could not limit anything", () => {
  const budgets: Record<string, unknown> = {
    "maxCost without prices": { maxCost: 1 },
    ...Object.fromEntries(
      ["maxTurns", "maxTokens", "maxToolCalls", "maxWallMs"].flatMap((name) =>
        [NaN, -1, "3", null].map((value) => [`${name} ${typeof value} ${String(value)}`, { [name]: value }]),
      ),
    ),
    "maxCost NaN": { maxCost: NaN, prices },
    "a price that is NaN": { maxCost: 1, prices: { input: NaN, output: 1 } },
    "a price below zero": { maxCost: 1, prices: { input: 1, output: -1 } },
    "a price that is missing": { maxCost: 1, prices: { input: 1 } },
    "a limit that does not exist": { maxturns: 3 },
  };
  for (const [name, budget] of Object.entries(budgets)) {
    it(`is refused before any request: ${name}`, () => {
      let error: unknown = null;
      try {
        runScript([], { budget: budget as BudgetConfig });
      } catch (thrown: unknown) {
        error = thrown;
      }
      expect(AgentError.is(error, "configuration")).toBe(true);
    });
  }
});
