// The editor beside another process that drives a run: one that is killed, one that is stopped, one that lets go.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { LiveRuns } from "../../../extension/host/liveRuns";
import { askHolderToLeave } from "../../../extension/node/takeOver";
import { outcomeOf, useCli, type LiveCli } from "../../support/cliRunner";
import { EditorBench, idOf, untilEntry } from "../../support/editorBench";
import { say } from "../../support/workspaceBench";

const cli = useCli();
/** The longest time from the holder's end to a run that can be acted on. */
const actionableMs = 2_000;

/** A command line that waits for its model, and a window that watches it. */
async function watchCli() {
  const bench = new EditorBench();
  const server = await bench.serve([{ kind: "stall" }]);
  const words = [
    "run",
    "--workspace",
    bench.root,
    "--base-url",
    server.baseUrl,
    "--model",
    "m",
    "--max-attempts",
    "1",
    "--json",
    "Do it.",
  ];
  const live = cli.start(words, { env: { XDG_STATE_HOME: join(bench.base, "state") } });
  onTestFinished(async () => {
    live.child.kill("SIGKILL");
    await live.ended;
  });
  await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1);
  const runs = bench.open();
  await runs.load();
  const id = runs.entries()[0]?.id ?? "";
  expect(runs.find(id)).toMatchObject({ mode: "watching", holder: { pid: live.child.pid } });
  await bench.serve([say("Here again.")]);
  return { bench, live, runs, id, journal: runs.find(id)?.journal ?? "" };
}

const ended = ({ mode }: { mode: string }): boolean => mode === "ended";

async function kill({ child, ended: gone }: LiveCli): Promise<void> {
  child.kill("SIGKILL");
  await gone;
}

async function expectToGoOn(runs: LiveRuns, id: string): Promise<void> {
  idOf(await runs.resume(id));
  expect((await untilEntry(runs, id, ended)).state.text).toBe("Here again.");
}

describe("a holder that was killed", () => {
  it("leaves the run paused in the window within two seconds", async () => {
    const { live, runs, id } = await watchCli();
    await kill(live);
    const goneAt = performance.now();
    await untilEntry(runs, id, ({ mode }) => mode === "paused");
    expect(performance.now() - goneAt).toBeLessThan(actionableMs);
    await expectToGoOn(runs, id);
  });

  it("hinders no click, even one that comes before the window has noticed", async () => {
    const { live, runs, id } = await watchCli();
    await kill(live);
    await expectToGoOn(runs, id);
  });

  it("holds nothing either when its number belongs to another process now", async () => {
    const { live, runs, id, journal } = await watchCli();
    const lock = join(dirname(journal), "journal.d", "lock");
    const holder = JSON.parse(readFileSync(lock, "utf8")) as { startedAt: number };
    await kill(live);
    // As if this very process had got the number: alive, and started at another time.
    writeFileSync(lock, JSON.stringify({ ...holder, pid: process.pid, startedAt: holder.startedAt - 60_000 }));
    await expectToGoOn(runs, id);
  });
});

describe("a holder that is stopped", () => {
  it("keeps the run, and the window says whom to end", async () => {
    const { live, runs, id, journal } = await watchCli();
    live.child.kill("SIGSTOP");
    const answer = await askHolderToLeave(journal, 1_000);
    expect(answer.ok ? "" : answer.message).toContain(`process ${live.child.pid}`);
    expect(await runs.resume(id)).toMatchObject({ ok: false, code: "held" });
    expect(runs.find(id)?.mode).toBe("watching");
    await kill(live);
    await expectToGoOn(runs, id);
  });
});

describe("a command line that is asked for its run", () => {
  it("stops, says where the run goes on, and the window goes on with it", async () => {
    const { bench, live, runs, id } = await watchCli();
    idOf(await runs.takeOver(id));
    const result = await live.ended;
    expect(result.code).toBe(4);
    expect(outcomeOf(result)).toMatchObject({ status: "interrupted", verdict: "none" });
    expect(outcomeOf(result).stoppedBy).toContain("taken this run over");
    const entry = await untilEntry(runs, id, ended);
    expect(entry.state.text).toBe("Here again.");
    expect(bench.typesIn(entry).filter((type) => type === "agent_end")).toHaveLength(1);
  });
});
