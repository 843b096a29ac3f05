// A run that waits for its folder when the window closes.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pendingApprovals } from "../../../extension/core";
import type { LiveRuns } from "../../../extension/host/liveRuns";
import { listQueued } from "../../../extension/node/runQueue";
import { workspaceState } from "../../../extension/node/statePaths";
import { EditorBench, idOf, untilEntry } from "../../support/editorBench";
import { call, say } from "../../support/workspaceBench";

const askFirst = "guardrails:\n  - { ask: { tool: run_command }, reason: sure? }\n";

/** One run waits for an answer, a second one for the folder. */
async function queueSecond(): Promise<{ bench: EditorBench; window: LiveRuns; first: string; second: string }> {
  const bench = new EditorBench();
  bench.put("donegate.yaml", askFirst);
  await bench.serve([call({ name: "run_command", args: { command: "touch made" } }), say("One."), say("Two.")]);
  const window = bench.open();
  const first = idOf(await window.start(bench.wish("first")));
  const second = idOf(await window.start(bench.wish("second")));
  await untilEntry(window, first, ({ state }) => pendingApprovals(state).length === 1);
  return { bench, window, first, second };
}

/** What the end of its process does to a window's queue: this process goes on, so its file gets the number of one that ended. */
async function close(window: LiveRuns, root: string): Promise<void> {
  await window.leave();
  const folder = join(workspaceState(root).folder, "queue");
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), pid }));
  }
}

describe("a run that waits for its folder", () => {
  it("is not begun by itself after the window was closed: the next window asks, once", async () => {
    const { bench, window, first, second } = await queueSecond();
    await close(window, bench.root);
    const next = bench.open();
    await next.load();
    await expect.poll(() => bench.notices.filter(({ kind }) => kind === "queued-left")).toHaveLength(1);
    expect(bench.notices.find(({ kind }) => kind === "queued-left")).toMatchObject({ id: second });
    await next.send(first, { type: "stop" });
    await untilEntry(next, first, ({ mode }) => mode === "ended");
    expect(next.find(second)).toBeNull();
  });

  it("begins when the person wants it, and only once", async () => {
    const { bench, window, first, second } = await queueSecond();
    await close(window, bench.root);
    const next = bench.open();
    await next.load();
    await next.send(first, { type: "stop" });
    await untilEntry(next, first, ({ mode }) => mode === "ended");
    await bench.serve([say("Two.")]);
    const started = idOf(await next.startLeft(second));
    const entry = await untilEntry(next, started, ({ mode }) => mode === "ended");
    expect(entry.state.spec?.goal).toBe("second");
    expect(await next.startLeft(second)).toMatchObject({ ok: false, code: "nothing-to-do" });
    expect(await listQueued(bench.root)).toEqual([]);
  });

  it("is gone when the person does not want it", async () => {
    const { bench, window, second } = await queueSecond();
    await close(window, bench.root);
    const next = bench.open();
    await next.load();
    await next.dropLeft(second);
    const third = bench.open();
    await third.load();
    expect(bench.notices.filter(({ kind }) => kind === "queued-left")).toHaveLength(1);
  });

  it("is left alone by a second window while its own window lives", async () => {
    const { bench, window, first, second } = await queueSecond();
    const other = bench.open();
    await other.load();
    expect(bench.notices).toEqual([]);
    await window.send(first, { type: "stop" });
    const entry = await untilEntry(window, second, ({ mode }) => mode === "ended");
    expect(entry.state.spec?.goal).toBe("second");
    expect(await listQueued(bench.root)).toEqual([]);
  });

  it("is passed over when its file is damaged", async () => {
    const { bench, window, first } = await queueSecond();
    writeFileSync(join(workspaceState(bench.root).folder, "queue", "0.json"), "{");
    await window.send(first, { type: "stop" });
    await expect.poll(() => window.entries().map(({ state }) => state.spec?.goal)).toContain("second");
  });
});
