// Answers of a person and processes of commands across a crash: an answer counts once, and nothing is left running.
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  byReplies,
  outcomeOf,
  processesOf,
  smallBench,
  useKillingCli,
  type CliBench,
} from "../support/killingCliBench";
import { resultsOf, tellings } from "../support/killingCliStory";
import { call, say } from "../support/workspaceBench";

const program = useKillingCli();
const killed = { signal: "SIGKILL" };
const command = (text: string) => ({ name: "run_command", args: { command: text } });
const counted = command("echo ran >> log.txt");
/** Commands that would be allowed wait for a person here. */
const asking = { "donegate.yaml": "guardrails:\n  - { ask: { tool: run_command }, reason: sure? }\n" };
const oneAttempt = ["--max-attempts", "1"];

/** A run that waits for the answer to A1. */
async function waitingRun(asked = counted): Promise<CliBench> {
  const bench = await smallBench(program, byReplies(call(asked), say("I stop.")), asking);
  expect(await bench.run("run it", null, ...oneAttempt)).toMatchObject({ code: 3 });
  return bench;
}

describe("an approval", () => {
  it("answered on resume runs the call once; answering it again exits 64 and runs nothing", async () => {
    const bench = await waitingRun();
    expect(await bench.resume(["--approve", "A1"])).toMatchObject({ code: 0 });
    const before = readFileSync(bench.workspace.journal);
    for (const answer of [
      ["--approve", "A1"],
      ["--deny", "A1", "--reason", "no"],
      ["--approve", "A7"],
    ]) {
      expect(await bench.resume(answer), answer.join(" ")).toMatchObject({ code: 64 });
    }
    expect(readFileSync(bench.workspace.journal).equals(before)).toBe(true);
    expect(bench.workspace.read("log.txt")).toBe("ran\n");
  });

  it("given before the crash counts after it, for one execution", async () => {
    const bench = await waitingRun();
    expect(await bench.resume(["--approve", "A1"], { type: "approval_resolved" })).toMatchObject(killed);
    expect(bench.workspace.has("log.txt")).toBe(false);
    expect(await bench.resume(["--approve", "A1"])).toMatchObject({ code: 64 });
    expect(await bench.resume()).toMatchObject({ code: 0 });
    expect(bench.workspace.read("log.txt")).toBe("ran\n");
  });

  it("is used up by a call that a crash interrupted", async () => {
    const bench = await waitingRun();
    const kill = { type: "tool_end", when: "before" } as const;
    expect(await bench.resume(["--approve", "A1"], kill)).toMatchObject(killed);
    await bench.resume();
    expect(bench.workspace.read("log.txt")).toBe("ran\n");
    expect(resultsOf(await bench.state(), "run_command")).toEqual([expect.stringMatching(tellings.unknown)]);
  });

  it("whose line lost its seal does not count: the person is asked again", async () => {
    const bench = await waitingRun();
    expect(await bench.resume(["--approve", "A1"], { type: "approval_resolved" })).toMatchObject(killed);
    const text = readFileSync(bench.workspace.journal, "utf8");
    writeFileSync(bench.workspace.journal, text.replace(/,"seal":"[0-9a-f]{64}"\}\n$/, "}\n"));
    expect(await bench.resume()).toMatchObject({ code: 3 });
    expect(bench.workspace.has("log.txt")).toBe(false);
    expect(outcomeOf(await bench.resume(["--approve", "A1"]))).toMatchObject({ status: "done", sealed: false });
    expect(bench.workspace.read("log.txt")).toBe("ran\n");
  });

  it("that waits is still there after a crash while it waited, and nothing has run", async () => {
    const bench = await smallBench(program, byReplies(call(counted), say("I stop.")), asking);
    expect(await bench.run("run it", { type: "approval_requested" }, ...oneAttempt)).toMatchObject(killed);
    expect(outcomeOf(await bench.resume())).toMatchObject({ status: "pending", pendingApprovals: [{ id: "A1" }] });
    expect(bench.workspace.has("log.txt")).toBe(false);
  });
});

describe("a process that a killed run left behind", () => {
  it("is ended by the resume with all its children, and the command is not run again", async () => {
    const bench = await waitingRun(command("echo begun >> log.txt; sleep 600 & setsid sleep 601 & sleep 602"));
    expect(await bench.resume(["--approve", "A1"], { type: "process_started" })).toMatchObject(killed);
    await expect.poll(() => bench.workspace.has("log.txt") && processesOf(bench).length, { timeout: 5_000 }).toBe(4);
    await bench.resume();
    expect(processesOf(bench)).toEqual([]);
    expect(bench.workspace.read("log.txt")).toBe("begun\n");
    expect(resultsOf(await bench.state(), "run_command")).toEqual([expect.stringMatching(tellings.unknown)]);
  });

  it("in a check is ended before the check runs again, and a stop ends that one", { timeout: 30_000 }, async () => {
    const yaml = 'verify:\n  maxAttempts: 2\n  checks:\n    - { name: slow, run: "sleep 600" }\n';
    const write = { name: "write_file", args: { path: "note.txt", content: "written\n" } };
    const bench = await smallBench(program, byReplies(call(write), say("done")), { "donegate.yaml": yaml });
    expect(await bench.run("write", { type: "process_started" })).toMatchObject(killed);
    const [first] = processesOf(bench);
    expect(first).toBeDefined();
    const resumed = bench.start(["resume", "--journal", bench.workspace.journal, "--json"]);
    const started = async () => (await bench.events()).filter((event) => event.type === "process_started").length;
    await expect.poll(started, { timeout: 10_000 }).toBe(2);
    expect(processesOf(bench)).toHaveLength(1);
    expect(processesOf(bench)).not.toContain(first);
    const stoppedAt = Date.now();
    resumed.interrupt();
    const exit = await resumed.exit;
    expect(Date.now() - stoppedAt).toBeLessThan(3_000);
    expect(exit.code).toBe(4);
    expect(outcomeOf(exit)).toMatchObject({ status: "interrupted", attempts: 0, verdict: "none" });
    expect(processesOf(bench)).toEqual([]);
  });
});
