// What a crash must neither undo nor repeat, on the smallest workspace that shows it: files, the journal's end, secrets, the contract.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { byReplies, outcomeOf, smallBench, useKillingCli } from "../support/killingCliBench";
import { resultsOf, tellings } from "../support/killingCliStory";
import { call, say } from "../support/workspaceBench";

const program = useKillingCli();
const killed = { signal: "SIGKILL" };
const writeNote = { name: "write_file", args: { path: "note.txt", content: "written\n" } };
const afterWrite = { type: "tool_end", when: "before", where: { tool: "write_file" } } as const;

describe("a run killed before its first request", () => {
  it.each([["agent_start"], ["snapshot"]])("begins again after %s and freezes its plan once", async (type) => {
    const bench = await smallBench(program, [call(writeNote), say("done")]);
    expect(await bench.run("write a note", { type })).toMatchObject(killed);
    expect(await bench.resume()).toMatchObject({ code: 0 });
    const events = await bench.events();
    expect(events.filter((event) => event.type === "plan_frozen")).toHaveLength(1);
    bench.workspace.server.assertDone();
  });
});

describe("a run killed as a file was created", () => {
  it("counts the file as its own work", async () => {
    const bench = await smallBench(program, byReplies(call(writeNote), say("done")));
    expect(await bench.run("write a note", afterWrite)).toMatchObject(killed);
    expect(bench.workspace.read("note.txt")).toBe("written\n");
    const last = await bench.resume();
    expect(outcomeOf(last)).toMatchObject({ status: "done", turns: 2 });
    expect(resultsOf(await bench.state(), "write_file")).toEqual([expect.stringMatching(tellings.applied)]);
  });

  it("does not know how it went when somebody else has changed the file since", async () => {
    const bench = await smallBench(program, byReplies(call(writeNote), say("I stop.")));
    expect(await bench.run("write a note", afterWrite, "--max-attempts", "1")).toMatchObject(killed);
    bench.workspace.put("note.txt", "by hand\n");
    await bench.resume();
    expect(resultsOf(await bench.state(), "write_file")).toEqual([expect.stringMatching(tellings.unknown)]);
    expect(bench.workspace.read("note.txt")).toBe("by hand\n");
  });
});

describe("a run killed while it plans", () => {
  const plan = { name: "todowrite", args: { todos: [{ text: "write a note", status: "completed" }] } };
  const script = byReplies(call(writeNote, plan), say("done"));

  it("keeps the plan that is in the journal, and shows it to the model", async () => {
    const bench = await smallBench(program, script);
    const kill = { type: "tool_end", when: "before", where: { tool: "todowrite" } } as const;
    expect(await bench.run("write a note", kill)).toMatchObject(killed);
    expect(outcomeOf(await bench.resume())).toMatchObject({ status: "done", plan: [{ id: "T1", verified: true }] });
    expect(resultsOf(await bench.state(), "todowrite")).toEqual([
      "interrupted, but the plan was already updated:\nT1 [completed] write a note",
    ]);
  });

  it("says that a plan which is not in the journal was not made", async () => {
    const bench = await smallBench(program, script);
    const kill = { type: "todos_updated", when: "before" } as const;
    expect(await bench.run("write a note", kill)).toMatchObject(killed);
    expect(outcomeOf(await bench.resume())).toMatchObject({ status: "done", plan: [] });
    expect(resultsOf(await bench.state(), "todowrite")).toEqual([
      expect.stringMatching(/^interrupted before it answered, and nothing was changed/),
    ]);
  });
});

describe("a pass that a crash cut off from its end", () => {
  it("counts only for its own tree: a file edited in between is judged again", async () => {
    const bench = await smallBench(program, byReplies(call(writeNote), say("done")));
    expect(await bench.run("write a note", { type: "verification_end" })).toMatchObject(killed);
    bench.workspace.put("note.txt", "by hand\n");
    expect(outcomeOf(await bench.resume())).toMatchObject({ status: "done", attempts: 2, stale: false });
  });
});

describe("a torn last line", () => {
  it("is set aside and told, and the chain goes on from the line before it", async () => {
    const bench = await smallBench(program, byReplies(call(writeNote), say("done")));
    expect(await bench.run("write a note", { type: "model_reply" })).toMatchObject(killed);
    appendFileSync(bench.workspace.journal, '{"v":1,"seq":5,"ts":"2026-');
    const last = await bench.resume();
    expect(last.code).toBe(0);
    expect(last.err).toMatch(/torn/);
    expect(await bench.cli(["journal", "verify", bench.workspace.journal])).toMatchObject({ code: 0 });
    const lines = readFileSync(bench.workspace.journal, "utf8").split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(lines.map((_line, at) => at + 1));
  });

  it("that began a tool_start says that nothing was done yet: the call runs", async () => {
    const bench = await smallBench(program, byReplies(call(writeNote), say("done")));
    expect(await bench.run("write a note", { type: "tool_start" })).toMatchObject(killed);
    writeFileSync(bench.workspace.journal, readFileSync(bench.workspace.journal, "utf8").slice(0, -20));
    expect(await bench.resume()).toMatchObject({ code: 0 });
    expect(resultsOf(await bench.state(), "write_file")).toEqual([expect.stringMatching(/^Created note\.txt/)]);
  });
});

describe("a call whose arguments held a secret", () => {
  const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const write = { name: "write_file", args: { path: "config.txt", content: `${secret}\n` } };

  it.each([["model_reply"], ["model_decision"]])("is not executed without it after a crash at %s", async (type) => {
    const bench = await smallBench(program, byReplies(call(write), say("I stop.")));
    expect(await bench.run("write it", { type }, "--max-attempts", "1")).toMatchObject(killed);
    await bench.resume();
    expect(bench.workspace.has("config.txt")).toBe(false);
    expect(resultsOf(await bench.state(), "write_file")).toEqual([
      expect.stringMatching(/^This call was not executed: its arguments held a secret/),
    ]);
  });

  it("is not executed by a later approval either", async () => {
    const echo = { name: "run_command", args: { command: `echo ${secret} > config.txt` } };
    const asking = { "donegate.yaml": "guardrails:\n  - { ask: { tool: run_command }, reason: sure? }\n" };
    const bench = await smallBench(program, byReplies(call(echo), say("I stop.")), asking);
    expect(await bench.run("write it", null, "--max-attempts", "1")).toMatchObject({ code: 3 });
    await bench.resume(["--approve", "A1"]);
    expect(bench.workspace.has("config.txt")).toBe(false);
    expect(resultsOf(await bench.state(), "run_command")).toEqual([expect.stringMatching(/^This call was not exec/)]);
  });
});

describe("the contract", () => {
  const files = {
    "donegate.yaml": 'verify:\n  maxAttempts: 1\n  checks:\n    - { name: unit, run: "python3 check.py" }\n',
    "check.py": "raise SystemExit(1)\n",
  };
  const edit = { name: "edit_file", args: { path: "check.py", old: "SystemExit(1)", new: "SystemExit(0)" } };

  it.each([["contract_amended"], ["tool_end"]])(
    "takes an approved change in once when the process died before %s",
    async (type) => {
      const bench = await smallBench(program, byReplies(call(edit), say("done")), files);
      const kill = { type, when: "before" } as const;
      const allowed = ["--allow-contract-change", "check.py"];
      expect(await bench.run("lower it", kill, ...allowed)).toMatchObject(killed);
      const last = await bench.resume();
      expect(outcomeOf(last)).toMatchObject({ status: "done", amendments: [{ path: "check.py" }] });
    },
  );

  it("that an interrupted command changed is named with that command", async () => {
    const sneak = "python3 -c \"open('che' + 'ck.py', 'w').write('raise SystemExit(0)')\"";
    const command = { name: "run_command", args: { command: sneak } };
    const bench = await smallBench(program, byReplies(call(command), say("done")), files);
    expect(await bench.run("lower it")).toMatchObject({ code: 3 });
    const kill = { type: "tool_end", when: "before" } as const;
    expect(await bench.resume(["--approve", "A1"], kill)).toMatchObject(killed);
    const last = await bench.resume();
    const { contractTouched } = await bench.state();
    expect(contractTouched).toEqual(["check.py"]);
    expect(outcomeOf(last)).toMatchObject({ status: "incomplete", limit: "completion", verdict: "FALSE-COMPLETION" });
  });
});

describe("a run killed after a command did the work", () => {
  it("counts what the command changed as its own, and repeats nothing", async () => {
    const yaml = "guardrails:\n  - { allow: { tool: run_command } }\n";
    const command = { name: "run_command", args: { command: "echo made >> made.txt" } };
    const bench = await smallBench(program, byReplies(call(command), say("I stop here.")), { "donegate.yaml": yaml });
    const kill = { type: "tool_end", when: "before" } as const;
    expect(await bench.run("make it", kill, "--kind", "edit")).toMatchObject(killed);
    expect(outcomeOf(await bench.resume())).toMatchObject({ status: "done", attempts: 1 });
    expect(bench.workspace.read("made.txt")).toBe("made\n");
    expect((await bench.state()).touched).toEqual(["made.txt"]);
  });
});
