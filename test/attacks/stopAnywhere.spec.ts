// Stop at any moment of a run on a real workspace: within two seconds it has ended, nothing runs any more, what the disk
// holds is what the run says, and a resume goes on from there.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pendingApprovals, type RunState } from "../../extension/core";
import type { RunTuning } from "../../extension/core/agents/workspaceRun";
import type { ModelStep } from "../support/modelScript";
import { call, say, WorkspaceBench } from "../support/workspaceBench";

const nobodyAnswers = { decide: () => new Promise<null>(() => undefined) };
const command = (text: string): ModelStep => call({ name: "run_command", args: { command: text } });
const allowed = "guardrails:\n  - { allow: { tool: run_command } }\nverify: off\n";
/** Does not mind TERM, and has children of which one has left the group. */
const stubborn = "trap '' TERM; sleep 611 & setsid sleep 612 & touch begun; sleep 613";
const checked = `verify: { maxAttempts: 2, require: [], checks: [{ name: slow, run: "${stubborn}" }] }\n`;

class RetryingBench extends WorkspaceBench {
  protected override tuning: Omit<RunTuning, "listener"> = {};
}

interface Moment {
  config: string;
  steps: readonly ModelStep[];
  isThere: (state: RunState, bench: WorkspaceBench) => boolean;
  /** What the model says after the resume; a person answers nothing. */
  then?: readonly ModelStep[];
}

const asked = (_: RunState, bench: WorkspaceBench): boolean => bench.server.requests.length === 1;

const moments: Record<string, Moment> = {
  "the model has not answered yet": { config: "verify: off\n", steps: [{ kind: "stall" }], isThere: asked },
  "the model is in the middle of its answer": {
    config: "verify: off\n",
    steps: [{ kind: "stall", first: 'data: {"choices":[{"index":0,"delta":{"content":"I be"}}]}\n\n' }],
    isThere: asked,
  },
  "the next try is waited for": {
    config: "verify: off\n",
    steps: [{ kind: "http", status: 429, headers: { "retry-after": "30" }, body: { error: { message: "slow" } } }],
    isThere: ({ seq }, bench) => seq >= 4 && bench.server.requests.length === 1,
  },
  "a command runs": {
    config: allowed,
    steps: [command(stubborn)],
    isThere: (_, bench) => bench.has("begun") && leftRunning(bench).length >= 3,
  },
  "an approval waits": {
    config: "guardrails:\n  - { ask: { tool: run_command }, reason: sure? }\nverify: off\n",
    steps: [command("touch made")],
    isThere: (state) => pendingApprovals(state).length === 1,
  },
  "a question waits": {
    config: "verify: off\n",
    steps: [call({ name: "ask_human", args: { question: "Which?" } })],
    isThere: (state) => pendingApprovals(state).length === 1,
  },
  "a read runs beside a question": {
    config: "verify: off\n",
    steps: [call({ name: "ask_human", args: { question: "Which?" } }, { name: "list_files", args: {} })],
    isThere: (state) => state.toolCalls === 1 && pendingApprovals(state).length === 1,
  },
};

/** Processes that this test's own commands and checks have started (Linux): their arguments are theirs alone. */
function leftRunning(bench: WorkspaceBench): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(`=${bench.journal}\0`);
    } catch {
      // It has ended since it was listed, or is somebody else's.
      return false;
    }
  });
}

async function stopAt(bench: WorkspaceBench, { config, steps, isThere }: Moment): Promise<RunState> {
  bench.put("donegate.yaml", config);
  const started = await bench.start(steps, {}, nobodyAnswers);
  await expect.poll(() => isThere(started.run.state(), bench), { timeout: 15_000, interval: 10 }).toBe(true);
  const stoppedAt = performance.now();
  expect(await started.run.send({ type: "stop" })).toEqual({ ok: true });
  expect(performance.now() - stoppedAt).toBeLessThan(2_000);
  expect(leftRunning(bench)).toEqual([]);
  const state = await started.end();
  expect(started.events.at(-1)).toMatchObject({ type: "agent_end", status: "interrupted" });
  const loaded = await bench.load();
  expect(loaded).toMatchObject({ problems: [], blocked: null, sealed: true });
  expect(loaded.state).toEqual(state);
  return state;
}

describe("Stop while", () => {
  it.each(Object.entries(moments))(
    "%s ends within two seconds, and a resume goes on",
    { timeout: 40_000 },
    async (_name, moment) => {
      const bench = new RetryingBench();
      const state = await stopAt(bench, moment);
      expect(state.end).toMatchObject({ status: "interrupted", limit: null, stoppedBy: "stopped by a person" });
      expect(pendingApprovals(state)).toEqual([]);
      expect(bench.has("made")).toBe(false);
      await bench.serve([say("done")]);
      const resumed = await bench.resume([], nobodyAnswers);
      expect((await resumed.end()).end?.status).toBe("done");
    },
  );

  it("a check of the gate runs ends within two seconds and uses no attempt", { timeout: 40_000 }, async () => {
    const bench = new RetryingBench();
    const isThere = (): boolean => bench.has("begun");
    const state = await stopAt(bench, { config: checked, steps: [say("done")], isThere });
    expect(state).toMatchObject({ attempts: 0, verifying: false });
  });

  it("a check that the model asked for runs ends within two seconds", { timeout: 40_000 }, async () => {
    const bench = new RetryingBench();
    const isThere = (): boolean => bench.has("begun");
    const steps = [call({ name: "run_tests", args: {} })];
    await stopAt(bench, { config: checked, steps, isThere });
  });
});
