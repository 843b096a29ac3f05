import { describe, expect, it } from "vitest";
import { answersInTurn, call, say, WorkspaceBench } from "../../support/workspaceBench";

const counted = { name: "run_command", args: { command: "echo ran >> log.txt" } };
const results = (bench: WorkspaceBench): string[] =>
  (bench.server.requests[1]?.json.messages ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => (typeof content === "string" ? content : ""));

describe("the same batch twice in one reply", () => {
  it("runs what has effects once, says so, and asks a person once", async () => {
    const bench = new WorkspaceBench();
    bench.put("donegate.yaml", "guardrails:\n  - { ask: { tool: run_command }, reason: sure? }\nverify: off\n");
    const write = { name: "write_file", args: { path: "note.txt", content: "x\n" } };
    const person = answersInTurn({ approve: true });
    const batch = [counted, write];
    const started = await bench.start([call(...batch, ...batch), say("done")], {}, person);
    expect((await started.end()).end?.status).toBe("done");
    expect(bench.read("log.txt")).toBe("ran\n");
    expect(person.asked).toHaveLength(1);
    expect(results(bench).map((result) => result.startsWith("Not executed"))).toEqual([false, false, true, true]);
  });

  it("in another spelling of its JSON is the same", async () => {
    const bench = new WorkspaceBench();
    bench.put("donegate.yaml", "guardrails:\n  - { allow: { tool: run_command } }\nverify: off\n");
    const spelled = { name: "run_command", args: ' { "command" : "echo ran >> log.txt" } ' };
    const started = await bench.start([call(counted, spelled), say("done")]);
    await started.end();
    expect(bench.read("log.txt")).toBe("ran\n");
  });

  it("reads as often as it likes, and a later reply may make the call again", async () => {
    const bench = new WorkspaceBench();
    bench.put("donegate.yaml", "guardrails:\n  - { allow: { tool: run_command } }\nverify: off\n");
    const list = { name: "list_files", args: {} };
    const started = await bench.start([call(list, list, counted), call(counted), say("done")]);
    await started.end();
    expect(results(bench).some((result) => result.startsWith("Not executed"))).toBe(false);
    expect(bench.read("log.txt")).toBe("ran\nran\n");
  });
});
