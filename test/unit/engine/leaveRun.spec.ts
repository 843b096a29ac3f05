import { describe, expect, it } from "vitest";
import { pendingApprovals, type AgentRun, type RunState } from "../../../extension/core";
import { isThere } from "../../../extension/node/processGroup";
import { call, say, WorkspaceBench, type BenchRun } from "../../support/workspaceBench";

/** Resolves with the first state that fits. */
function until(run: AgentRun, fits: (state: RunState) => boolean): Promise<RunState> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!fits(run.state())) return;
      unsubscribe();
      resolve(run.state());
    };
    const unsubscribe = run.subscribe({ onEvent: look });
    look();
  });
}

const typesOf = ({ events }: BenchRun): string[] => events.map((event) => event.type);
const askFirst = "guardrails:\n  - { ask: { tool: run_command }, reason: sure? }\n";
const approves = { decide: () => Promise.resolve({ decision: "approve" as const, by: "Ada" }) };
const nobodyAnswers = { decide: () => new Promise<null>(() => undefined) };

describe("a run that is left", () => {
  it("keeps the approval that waits, and the answer after a resume counts once", async () => {
    const bench = new WorkspaceBench();
    bench.put("donegate.yaml", askFirst);
    const command = call({ name: "run_command", args: { command: "touch made" } });
    const started = await bench.start([command], {}, nobodyAnswers);
    await until(started.run, (state) => pendingApprovals(state).length === 1);
    await started.run.leave();
    expect((await started.end()).end).toBeNull();
    const { state } = await bench.load();
    expect(state.end).toBeNull();
    expect(pendingApprovals(state).map(({ id }) => id)).toEqual(["A1"]);
    expect(bench.has("made")).toBe(false);
    await bench.serve([say("done")]);
    const approve = { type: "approval_resolved", id: "A1", decision: "approve", reason: "", by: "Ada" } as const;
    const resumed = await bench.resume([approve], nobodyAnswers);
    await resumed.end();
    expect(bench.has("made")).toBe(true);
    expect(typesOf(resumed).filter((type) => type === "tool_start")).toHaveLength(1);
  });

  it("writes nothing more and refuses commands", async () => {
    const bench = new WorkspaceBench();
    const started = await bench.start([{ kind: "stall" }], {}, nobodyAnswers);
    await until(started.run, (state) => state.plan !== null);
    const before = typesOf(started).length;
    await started.run.leave();
    expect(await started.run.send({ type: "steer", text: "more", by: "Ada" })).toMatchObject({ ok: false });
    expect(await started.run.send({ type: "stop" })).toMatchObject({ ok: false });
    expect(typesOf(started).slice(before)).not.toContain("agent_end");
    expect((await bench.load()).state.end).toBeNull();
  });

  it("ends the command it was running, and a resume tells that its effect is not known", async () => {
    const bench = new WorkspaceBench();
    const command = call({ name: "run_command", args: { command: "sleep 300" } });
    const started = await bench.start([command], { maxAttempts: 1 }, approves);
    const { processes } = await until(started.run, (state) => state.processes.length === 1);
    await started.run.leave();
    await started.end();
    expect(processes.map(({ pid }) => isThere(pid))).toEqual([false]);
    const loaded = await bench.load();
    expect(loaded.events.map((event) => event.type)).not.toContain("tool_end");
    await bench.serve([say("I stop here.")]);
    const resumed = await bench.resume([], nobodyAnswers);
    await resumed.end();
    const told = resumed.events.find((event) => event.type === "tool_end");
    expect(told).toMatchObject({ tool: "run_command", status: "unknown" });
  });
});
