// Stop and deadlines where programs run (gate-attacks, B2, E7 and G3): told through the signal, and their processes end.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Verifier } from "../../extension/core";
import { NodeCommandRunner } from "../../extension/node/nodeCommandRunner";
import { runOverWire } from "../support/agentBench";
import { recordTool } from "../support/benchTools";
import type { ModelStep } from "../support/modelScript";

const done: ModelStep = { kind: "reply", text: "done" };
const work: ModelStep = { kind: "reply", calls: [{ name: "slow", args: {} }] };

/** A program that does not mind TERM and has a child of its own; `pids` are both once they run. */
function slowProgram() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "slow-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const commands = new NodeCommandRunner({ runTag: folder });
  const file = join(folder, "pids");
  const run = "trap '' TERM; sleep 62 & echo $$ $! > pids; wait";
  return {
    start: (signal: AbortSignal) => commands.run({ run, cwd: folder, timeoutMs: 60_000 }, signal),
    pids: () => (existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").filter(Boolean) : []),
  };
}

/** One that has ended but was not collected by its new parent is not running. */
function isRunning(pid: string): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

describe("a verifier that runs a program", () => {
  const verifyWith =
    (program: ReturnType<typeof slowProgram>): Verifier =>
    async (_, signal) => {
      const exit = await program.start(signal);
      return { ok: exit.ended === "exited" || exit.ended === "cancelled" };
    };

  it("is past its deadline: not verified, and the program is dead", async () => {
    const program = slowProgram();
    const bench = await runOverWire([done], {
      completion: { verify: verifyWith(program), maxAttempts: 1, timeoutMs: 2_000 },
    });
    const state = await bench.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect(program.pids()).toHaveLength(2);
    await expect.poll(() => program.pids().some(isRunning), { timeout: 2_000 }).toBe(false);
  });

  it("meets Stop: interrupted within two seconds, and the program is dead", async () => {
    const program = slowProgram();
    const bench = await runOverWire([done], { completion: { verify: verifyWith(program), maxAttempts: 1 } });
    await expect.poll(() => program.pids().length, { timeout: 5_000 }).toBe(2);
    const startedAt = Date.now();
    await bench.run.send({ type: "stop" });
    await expect.poll(() => program.pids().some(isRunning), { timeout: 2_000 - (Date.now() - startedAt) }).toBe(false);
    expect((await bench.end()).end?.status).toBe("interrupted");
  });
});

describe("a custom tool that runs a program", () => {
  function slowTool(program: ReturnType<typeof slowProgram>) {
    return recordTool("slow", {
      tags: ["command"],
      act: async (_, { signal }) => `ended: ${(await program.start(signal)).ended}`,
    });
  }

  // G3
  it("is told through its signal when Stop comes, and its processes end within two seconds", async () => {
    const program = slowProgram();
    const { tool } = slowTool(program);
    const bench = await runOverWire([work], { tools: [tool] });
    await expect.poll(() => program.pids().length, { timeout: 5_000 }).toBe(2);
    const startedAt = Date.now();
    await bench.run.send({ type: "stop" });
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    expect(program.pids().filter(isRunning)).toEqual([]);
    const state = await bench.end();
    expect(state.end?.status).toBe("interrupted");
  });

  it("is told through its signal when the time of the run is over", async () => {
    const program = slowProgram();
    const { tool } = slowTool(program);
    const bench = await runOverWire([work], { tools: [tool], budget: { maxWallMs: 700 } });
    const state = await bench.end();
    expect(state.end).toMatchObject({ status: "timeout", limit: "maxWallMs" });
    expect(program.pids()).toHaveLength(2);
    await expect.poll(() => program.pids().some(isRunning), { timeout: 2_000 }).toBe(false);
  });
});
