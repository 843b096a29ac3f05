// What the checks say before the first edit is learnt beside the work: nothing but the gate waits for it.
import { describe, expect, it } from "vitest";
import { call, say, WorkspaceBench } from "../../support/workspaceBench";

const timeout = 60_000;
const slowTest =
  'import { test } from "node:test";\ntest("slow", () => new Promise((done) => setTimeout(done, 3000)));\n';

function bench(test: string, more: Record<string, unknown> = {}): WorkspaceBench {
  const made = new WorkspaceBench();
  made.put("a.test.mjs", test);
  const checks = [{ name: "tests", run: ["node", "--test"], timeout: 60 }];
  made.put("donegate.yaml", JSON.stringify({ verify: { maxAttempts: 1, checks, require: [] }, ...more }));
  return made;
}

const write = call({ name: "write_file", args: { path: "b.mjs", content: "1;\n" } });

describe("the baseline", () => {
  it("runs while the agent works, on the tree from before, and the gate waits for it", { timeout }, async () => {
    const made = bench(slowTest);
    const started = await made.start([write, say("done")]);
    const state = await started.end();
    const types = started.events.map((event) => event.type);
    expect(types.indexOf("tool_end")).toBeLessThan(types.indexOf("baseline_end"));
    expect(types.indexOf("baseline_end")).toBeLessThan(types.indexOf("verification_start"));
    expect(state.baseline).toEqual([{ name: "tests", tests: { ran: ["a.test.mjs > slow"], red: [] }, why: "" }]);
    expect(state.end?.status).toBe("done");
  });

  it("keeps no run from waiting for a person, and is begun anew by the resume", { timeout }, async () => {
    const guard = { guardrails: [{ ask: { tool: "write_file" }, reason: "look first" }] };
    const made = bench(slowTest, guard);
    const started = await made.start([write], { onAsk: "suspend" });
    const state = await started.end();
    expect(state.end?.status).toBe("pending");
    expect(state.baseline).toBeNull();
    await made.serve([say("done")]);
    const opening = { type: "approval_resolved", id: "A1", decision: "deny", reason: "no", by: "Ada" } as const;
    const resumed = await made.resume([opening]);
    const after = await resumed.end();
    expect(after.baseline).toMatchObject([{ tests: { ran: ["a.test.mjs > slow"] } }]);
    expect(after.end?.status).toBe("done");
  });

  it("is not taken where nothing could tell the tests", { timeout }, async () => {
    const made = new WorkspaceBench();
    const checks = [{ name: "tests", run: ["node", "-e", "0"], timeout: 60 }];
    made.put("donegate.yaml", JSON.stringify({ verify: { maxAttempts: 1, checks, require: [] } }));
    const started = await made.start([write, say("done")]);
    expect((await started.end()).end?.status).toBe("done");
    expect(started.events.some((event) => event.type === "baseline_end")).toBe(false);
  });

  it("ends with a stopped run", { timeout }, async () => {
    const made = bench(slowTest);
    const started = await made.start([say("done")]);
    await expect.poll(() => started.run.state().processes.length, { timeout: 10_000 }).toBeGreaterThan(0);
    const startedAt = performance.now();
    await started.run.send({ type: "stop" });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect((await started.end()).end?.status).toBe("interrupted");
  });
});
