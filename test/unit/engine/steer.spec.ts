// Words of a person in the middle of a run: they reach the model with its next request, in order, whatever was going on.
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { pendingApprovals, type RunState } from "../../../extension/core";
import type { ModelStep, ScriptedRequest } from "../../support/modelScript";
import { call, say, WorkspaceBench, type BenchRun } from "../../support/workspaceBench";

const steer = (text: string) => ({ type: "steer", text, by: "Ada" }) as const;
const nobodyAnswers = { decide: () => new Promise<null>(() => undefined) };
const slow = (ms: number, then: ModelStep): ModelStep => ({ kind: "delay", ms, then });
const write = { name: "write_file", args: { path: "note.txt", content: "x\n" } };
const command = (text: string) => ({ name: "run_command", args: { command: text } });
const allowed = "guardrails:\n  - { allow: { tool: run_command } }\nverify: off\n";

async function until({ run }: BenchRun, fits: (state: RunState) => boolean): Promise<void> {
  await expect.poll(() => fits(run.state()), { timeout: 10_000, interval: 5 }).toBe(true);
}

/** What the model is told in a request, one word a message. */
const told = (request: ScriptedRequest | undefined): string[] =>
  (request?.messages ?? [])
    .slice(1)
    .map(({ role, content }) => `${String(role)}: ${typeof content === "string" ? content : ""}`);
const requestsOf = (bench: WorkspaceBench): ScriptedRequest[] => bench.server.requests.map(({ json }) => json);

interface Moment {
  config?: string;
  steps: readonly ModelStep[];
  isThere: (state: RunState, bench: WorkspaceBench) => boolean;
  /** Index of the first request after the words. */
  next: number;
}

const moments: Record<string, Moment> = {
  "the model makes its final answer": {
    steps: [slow(300, say("done")), say("done again")],
    isThere: (_, bench) => bench.server.requests.length === 1,
    next: 1,
  },
  "the model makes a reply with calls": {
    steps: [slow(300, call(write)), say("done")],
    isThere: (_, bench) => bench.server.requests.length === 1,
    next: 1,
  },
  "a command runs": {
    config: allowed,
    steps: [call(command("touch begun; sleep 0.5")), say("done")],
    isThere: (_, bench) => bench.has("begun"),
    next: 1,
  },
  "a check runs": {
    config: 'verify: { maxAttempts: 2, require: [], checks: [{ name: slow, run: "touch begun && sleep 0.6" }] }\n',
    steps: [say("done"), say("done again")],
    isThere: ({ verifying, processes }) => verifying && processes.length > 0,
    next: 1,
  },
};

describe("what a person says while", () => {
  it.each(Object.entries(moments))("%s is told at the next turn, in order", async (_name, moment) => {
    const bench = new WorkspaceBench();
    bench.put("donegate.yaml", moment.config ?? "verify: off\n");
    const started = await bench.start(moment.steps, {}, nobodyAnswers);
    await until(started, (state) => moment.isThere(state, bench));
    for (const words of ["first", "second"]) expect(await started.run.send(steer(words))).toEqual({ ok: true });
    const state = await started.end();
    expect(state.end?.status).toBe("done");
    expect(requestsOf(bench)).toHaveLength(moment.next + 1);
    expect(told(requestsOf(bench)[moment.next]).at(-1)).toBe("user: first\n\nsecond");
    expect(told(requestsOf(bench)[moment.next - 1]).join()).not.toContain("first");
    expect((await bench.load()).state.history).toEqual(state.history);
  });

  it("an approval waits is told once the call has its result", async () => {
    const bench = new WorkspaceBench();
    bench.put("donegate.yaml", "guardrails:\n  - { ask: { tool: write_file }, reason: sure? }\nverify: off\n");
    const started = await bench.start([call(write), say("done")], {}, nobodyAnswers);
    await until(started, (state) => pendingApprovals(state).length === 1);
    await started.run.send(steer("and be quick"));
    expect(requestsOf(bench)).toHaveLength(1);
    await started.run.send({ type: "approve", id: "A1", by: "Ada" });
    await started.end();
    expect(told(requestsOf(bench)[1]).slice(-2)).toEqual(["tool: Created note.txt (2 bytes).", "user: and be quick"]);
  });
});

describe("words that no request has carried yet", () => {
  it("survive that the run is left while the model makes its reply", async () => {
    const bench = new WorkspaceBench();
    bench.put("donegate.yaml", "verify: off\n");
    const first = await bench.start([{ kind: "stall" }], {}, nobodyAnswers);
    await until(first, () => bench.server.requests.length === 1);
    await first.run.send(steer("first"));
    await first.run.send(steer("second"));
    await first.run.leave();
    await first.end();
    await bench.serve([say("done")]);
    const second = await bench.resume([], nobodyAnswers);
    await second.end();
    expect(told(requestsOf(bench)[0])).toEqual(["user: Do the work.\n\nfirst\n\nsecond"]);
  });

  it("survive a crash right after the final answer that had not heard them", async () => {
    const bench = new WorkspaceBench();
    bench.put("donegate.yaml", "verify: off\n");
    const first = await bench.start([slow(300, say("done")), say("done again")], {}, nobodyAnswers);
    await until(first, () => bench.server.requests.length === 1);
    await first.run.send(steer("one more thing"));
    await first.end();
    const lines = readFileSync(bench.journal, "utf8").trimEnd().split("\n");
    const at = lines.findIndex((line) => line.includes('"type":"model_reply"'));
    writeFileSync(
      bench.journal,
      lines
        .slice(0, at + 1)
        .map((line) => `${line}\n`)
        .join(""),
    );
    await bench.serve([say("done again")]);
    const second = await bench.resume([], nobodyAnswers);
    await second.end();
    expect(told(requestsOf(bench)[0])).toEqual(["user: Do the work.", "assistant: done", "user: one more thing"]);
  });

  it("come in the moment in which the reply is journaled, and are not lost", async () => {
    for (let round = 0; round < 12; round += 1) {
      const bench = new WorkspaceBench();
      bench.put("donegate.yaml", "verify: off\n");
      const started = await bench.start(
        (_, index) => (index === 0 ? slow(20, say("done")) : say("done again")),
        {},
        nobodyAnswers,
      );
      await until(started, () => bench.server.requests.length === 1);
      await sleep(14 + round);
      const answer = await started.run.send(steer("wait"));
      await started.end();
      const heard = requestsOf(bench).some((request) => told(request).join().includes("wait"));
      expect(heard).toBe(answer.ok);
    }
  });
});
