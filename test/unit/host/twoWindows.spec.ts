import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { pendingApprovals } from "../../../extension/core";
import type { LiveRuns } from "../../../extension/host/liveRuns";
import { FileJournalStore } from "../../../extension/node/fileJournalStore";
import { askHolderToLeave } from "../../../extension/node/takeOver";
import { EditorBench, idOf, untilEntry } from "../../support/editorBench";
import { call, say } from "../../support/workspaceBench";

const askFirst = "guardrails:\n  - { ask: { tool: run_command }, reason: sure? }\n";
const waits = ({ state }: { state: Parameters<typeof pendingApprovals>[0] }): boolean =>
  pendingApprovals(state).length === 1;
const ended = ({ mode }: { mode: string }): boolean => mode === "ended";

/** A run that waits for an answer in one window, and a second window on the same folder. */
async function openTwice(): Promise<{ bench: EditorBench; first: LiveRuns; second: LiveRuns; id: string }> {
  const bench = new EditorBench();
  bench.put("donegate.yaml", askFirst);
  await bench.serve([call({ name: "run_command", args: { command: "touch made" } }), say("Made.")]);
  const first = bench.open();
  const id = idOf(await first.start(bench.wish()));
  await untilEntry(first, id, waits);
  const second = bench.open();
  await second.load();
  return { bench, first, second, id };
}

describe("a second window", () => {
  it("watches what the first one does and sees its end", async () => {
    const { bench, first, second, id } = await openTwice();
    expect(second.find(id)).toMatchObject({ mode: "watching", holder: { pid: process.pid } });
    await first.send(id, { type: "approve", id: "A1", by: "Ada" });
    const entry = await untilEntry(second, id, ended);
    expect(entry.state.end?.status).toBe(first.find(id)?.state.end?.status);
    expect(second.events(id).map(({ type }) => type)).toEqual(bench.typesIn(entry));
  });

  it("answers nothing, resumes nothing and starts nothing there", async () => {
    const { bench, second, id } = await openTwice();
    const refusal = await second.send(id, { type: "approve", id: "A1", by: "Bo" });
    expect(refusal).toMatchObject({ ok: false });
    expect(refusal.ok ? "" : refusal.reason).toContain("take it over first");
    expect(await second.resume(id)).toMatchObject({ ok: false, code: "held" });
    expect(await second.start(bench.wish("another"))).toMatchObject({ ok: false, code: "held" });
    expect(bench.has("made")).toBe(false);
  });

  it("takes the run over with what waits, and the first window watches from then on", async () => {
    const { bench, first, second, id } = await openTwice();
    idOf(await second.takeOver(id));
    expect(second.find(id)?.mode).toBe("live");
    await untilEntry(first, id, ({ mode }) => mode === "watching");
    expect(bench.notices.map(({ kind }) => kind)).toContain("taken-over");
    expect(await first.send(id, { type: "approve", id: "A1", by: "Ada" })).toMatchObject({ ok: false });
    expect(await second.send(id, { type: "approve", id: "A1", by: "Bo" })).toEqual({ ok: true });
    const entry = await untilEntry(second, id, ended);
    expect(bench.has("made")).toBe(true);
    expect(bench.typesIn(entry).filter((type) => type === "agent_end")).toHaveLength(1);
    await untilEntry(first, id, ended);
    expect(existsSync(join(dirname(entry.journal), "journal.d", "takeover"))).toBe(false);
  });
});

describe("asking a holder to leave", () => {
  it("gives up after its time, names the process and takes the request back", async () => {
    const bench = new EditorBench();
    const file = join(bench.base, "run", "journal.jsonl");
    const store = new FileJournalStore({ file });
    await store.lock();
    const answer = await askHolderToLeave(file, 300);
    expect(answer).toMatchObject({ ok: false });
    expect(answer.ok ? "" : answer.message).toContain(`process ${process.pid}`);
    expect(existsSync(join(store.folder, "takeover"))).toBe(false);
    await store.close();
  });

  it("needs no answer from a process that has died", async () => {
    const bench = new EditorBench();
    const file = join(bench.base, "run", "journal.jsonl");
    const store = new FileJournalStore({ file });
    await store.lock();
    await store.close();
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const holder = { pid, startedAt: 1, host: hostname(), since: new Date().toISOString(), token: "x" };
    writeFileSync(join(store.folder, "lock"), JSON.stringify(holder));
    expect(await askHolderToLeave(file, 300)).toEqual({ ok: true });
  });
});
