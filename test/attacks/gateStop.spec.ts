// Stop, and runs that were suspended (gate-attacks, group E): a stop is never done, and a resume has what was left.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { loadJournal } from "../../extension/core";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { benchPorts, eventsOf, outcomeOf, resumeOverWire, runOverWire, toolResults } from "../support/agentBench";
import { recordTool } from "../support/benchTools";
import { MemoryJournal } from "../support/memoryJournal";
import {
  deploy,
  reply,
  done,
  askAlways,
  approve,
  asking,
  newDeploy,
  waiting,
  stopWithin2s,
} from "../support/askedDeploy";

describe("Stop", () => {
  // E7
  for (const type of ["stop", "close"] as const) {
    it(`(${type}) while a verifier hangs ends within two seconds, and tells the verifier`, async () => {
      let told: AbortSignal | null = null;
      const bench = await runOverWire([done], {
        completion: {
          verify: (_, signal) => {
            told = signal;
            return new Promise(() => undefined);
          },
          maxAttempts: 2,
        },
      });
      await expect.poll(() => bench.run.state().verifying).toBe(true);
      await stopWithin2s(bench, type);
      const state = await bench.end();
      expect(state.end).toMatchObject({ status: type === "stop" ? "interrupted" : "closed", limit: null });
      expect(state.attempts).toBe(0);
      expect((told as AbortSignal | null)?.aborted).toBe(true);
    });
  }

  // E8
  it("during a slow verifier that would pass ends interrupted, not done", async () => {
    let answer: (value: { ok: boolean }) => void = () => undefined;
    const bench = await runOverWire([done], {
      completion: { verify: () => new Promise((resolve) => (answer = resolve)), maxAttempts: 2 },
    });
    await expect.poll(() => bench.run.state().verifying).toBe(true);
    const stopped = bench.run.send({ type: "stop" });
    answer({ ok: true });
    await stopped;
    const state = await bench.end();
    expect(outcomeOf(state)).toMatchObject({ status: "interrupted", verdict: "none", attempts: 0 });
    expect(eventsOf(bench, "verification_end")).toMatchObject([{ passed: false, cancelled: true }]);
  });

  it("by the verifier itself, in the same breath as its pass, is a stop", async () => {
    const stop = new AbortController();
    const bench = await runOverWire([done], {
      signal: stop.signal,
      completion: { verify: () => (stop.abort(), { ok: true }), maxAttempts: 1 },
    });
    expect((await bench.end()).end?.status).toBe("interrupted");
  });

  // E9
  it("while an approval waits withdraws it; a click afterwards says so and runs nothing", async () => {
    const recorded = newDeploy();
    const bench = await runOverWire([reply(deploy("prod"))], asking(recorded));
    await waiting(bench, 1);
    const [, late] = await Promise.all([bench.run.send({ type: "stop" }), bench.run.send(approve("A1"))]);
    const state = await bench.end();
    const latest = await bench.run.send(approve("A1"));
    expect(latest).toMatchObject({ ok: false, reason: expect.stringContaining("ended") as string });
    expect(state.end?.status).toBe("interrupted");
    expect(recorded.executed).toEqual([]);
    // The click came in the moment of the stop: whatever it was told is what is on record.
    expect(state.approvals[0]?.status).toBe(late.ok ? "approved" : "withdrawn");
    expect(outcomeOf(state).pendingApprovals).toEqual([]);
  });

  it("leaves nothing to approve after a resume: a withdrawn call has its answer", async () => {
    const recorded = newDeploy();
    const journal = new MemoryJournal();
    const first = await runOverWire([reply(deploy("prod"))], asking(recorded, { ports: { ...benchPorts(), journal } }));
    await waiting(first, 1);
    await first.run.send({ type: "stop" });
    await first.end();
    const options = { tools: [recorded.tool], guardrails: [askAlways] };
    await expect(
      resumeOverWire(journal, [], { ...options, commands: [{ type: "approve", id: "A1", by: "ana" }] }),
    ).rejects.toThrow("withdrawn");
    const second = await resumeOverWire(journal, [done], options);
    await second.end();
    expect(recorded.executed).toEqual([]);
    expect(Object.values(toolResults(second.requests()[0]))).toEqual(["no answer: the run ended (interrupted)"]);
  });

  it("keeps a tool that was about to begin from beginning", async () => {
    const effects: string[] = [];
    let begin: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (begin = resolve));
    const { tool } = recordTool("deploy", { tags: ["command"] });
    const slow = {
      ...tool,
      run: async (_: never, context: Parameters<typeof tool.run>[1]) => {
        await ready;
        await context.begin({});
        effects.push("deployed");
        return { ok: true as const, output: "ok" };
      },
    };
    const journal = new MemoryJournal();
    const bench = await runOverWire([reply(deploy("prod"))], { tools: [slow], ports: { ...benchPorts(), journal } });
    await expect.poll(() => eventsOf(bench, "model_decision").length).toBe(1);
    await stopWithin2s(bench);
    const lines = journal.disk.text;
    begin();
    await sleep(50);
    expect(effects).toEqual([]);
    expect(journal.disk.text).toBe(lines);
    expect((await bench.end()).toolCalls).toBe(0);
  });

  it("is the last line: a tool that does not listen cannot write after it, and its outcome stays unknown", async () => {
    const { tool } = recordTool("deploy", { tags: ["command"], act: async () => (await sleep(2_300), "ok") });
    const journal = new MemoryJournal();
    const bench = await runOverWire([reply(deploy("prod"))], { tools: [tool], ports: { ...benchPorts(), journal } });
    await expect.poll(() => bench.run.state().toolCalls).toBe(1);
    await stopWithin2s(bench);
    const state = await bench.end();
    await sleep(800);
    expect(bench.events.at(-1)?.type).toBe("agent_end");
    expect(bench.run.state()).toEqual(state);
    const resumed = await resumeOverWire(journal, [done], { tools: [tool] });
    await resumed.end();
    expect(Object.values(toolResults(resumed.requests()[0]))).toMatchObject([
      expect.stringContaining("outcome unknown"),
    ]);
  });

  it("before the first request sends none", async () => {
    const bench = await runOverWire([], { signal: AbortSignal.abort() });
    const state = await bench.end();
    expect(state.end?.status).toBe("interrupted");
    expect(bench.requests()).toEqual([]);
  });
});

describe("a run that was suspended", () => {
  const verifier = (answers: { ok: boolean; reason?: string }[]) => {
    let judged = 0;
    return { verify: () => answers[judged++] ?? { ok: false, reason: "no more" }, judged: () => judged };
  };

  // E4
  it("has one attempt left of two when one was used before", async () => {
    const recorded = newDeploy();
    const journal = new MemoryJournal();
    const { verify, judged } = verifier([
      { ok: false, reason: "first" },
      { ok: false, reason: "second" },
    ]);
    const completion = { verify, maxAttempts: 2 };
    const first = await runOverWire(
      [done, reply(deploy("prod"))],
      asking(recorded, { completion, onAsk: "suspend", ports: { ...benchPorts(), journal } }),
    );
    const suspended = outcomeOf(await first.end());
    expect(suspended).toMatchObject({ status: "pending", attempts: 1, limit: null, verdict: "none" });
    expect(suspended.pendingApprovals).toMatchObject([{ id: "A1", tool: "deploy", level: "prod" }]);
    const second = await resumeOverWire(journal, [done], {
      tools: [recorded.tool],
      guardrails: [askAlways],
      completion,
      commands: [{ type: "approve", id: "A1", by: "ana" }],
    });
    const state = await second.end();
    expect(state.end).toMatchObject({
      status: "incomplete",
      limit: "completion",
      stoppedBy: "completion.verify failed 2\u00d7: second",
    });
    expect(judged()).toBe(2);
    expect(recorded.executed).toHaveLength(1);
  });

  it("keeps the attempts of its start, whatever the resume is given", async () => {
    const recorded = newDeploy();
    const journal = new MemoryJournal();
    const { verify } = verifier([{ ok: false, reason: "first" }]);
    const first = await runOverWire(
      [done, reply(deploy("prod"))],
      asking(recorded, {
        completion: { verify, maxAttempts: 2 },
        onAsk: "suspend",
        ports: { ...benchPorts(), journal },
      }),
    );
    await first.end();
    const second = await resumeOverWire(journal, [done], {
      tools: [recorded.tool],
      guardrails: [askAlways],
      completion: { verify, maxAttempts: 99 },
      commands: [{ type: "approve", id: "A1", by: "ana" }],
    });
    expect((await second.end()).end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect(second.requests()).toHaveLength(1);
  });

  // E11
  it("is verified once, when done is reached after the answer", async () => {
    const recorded = newDeploy();
    const journal = new MemoryJournal();
    const { verify, judged } = verifier([{ ok: true }]);
    const completion = { verify, maxAttempts: 2 };
    const first = await runOverWire(
      [reply(deploy("prod"))],
      asking(recorded, { completion, onAsk: "suspend", ports: { ...benchPorts(), journal } }),
    );
    await first.end();
    expect(judged()).toBe(0);
    const second = await resumeOverWire(journal, [done], {
      tools: [recorded.tool],
      guardrails: [askAlways],
      completion,
      commands: [{ type: "approve", id: "A1", by: "ana" }],
    });
    const outcome = outcomeOf(await second.end());
    expect(outcome).toMatchObject({ status: "done", verdict: "VERIFIED", attempts: 1 });
    expect(judged()).toBe(1);
    expect(eventsOf(second, "verification_start")).toHaveLength(1);
  });

  it("is verified again first when Stop cut its verification short", async () => {
    const journal = new MemoryJournal();
    const first = await runOverWire([done], {
      completion: { verify: () => new Promise(() => undefined), maxAttempts: 1 },
      ports: { ...benchPorts(), journal },
    });
    await expect.poll(() => first.run.state().verifying).toBe(true);
    await first.run.send({ type: "stop" });
    await first.end();
    const { verify, judged } = verifier([{ ok: false, reason: "no" }]);
    const second = await resumeOverWire(journal, [], { completion: { verify, maxAttempts: 1 } });
    expect((await second.end()).end).toMatchObject({
      status: "incomplete",
      limit: "completion",
      stoppedBy: "completion.verify failed 1\u00d7: no",
    });
    expect(judged()).toBe(1);
  });

  it("loads as it was left, from its bytes alone", async () => {
    const recorded = newDeploy();
    const journal = new MemoryJournal();
    const first = await runOverWire(
      [reply(deploy("prod"))],
      asking(recorded, { onAsk: "suspend", ports: { ...benchPorts(), journal } }),
    );
    const state = await first.end();
    const loaded = await loadJournal(journal, new NodeHasher());
    expect(outcomeOf(loaded.state)).toEqual(outcomeOf(state));
    expect(loaded).toMatchObject({ blocked: null, sealed: true, problems: [] });
  });
});
