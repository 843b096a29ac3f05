import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pendingApprovals } from "../../../extension/core/journal/runState";
import { EditorBench, idOf, untilEntry } from "../../support/editorBench";
import { call, say } from "../../support/workspaceBench";

const noDocs = [{ deny: { tool: "write_file", path: "docs/**" }, reason: "docs are mine", id: "no-docs" }];
const write = (path: string) => call({ name: "write_file", args: { path, content: "x\n" } });

async function verdictOf(bench: EditorBench, command: string): Promise<string> {
  const report = await bench.open().explainCommand(bench.root, command);
  if (!report.ok) throw new Error(report.message);
  const { verdict, level, rule } = report.explained;
  return [verdict, level, rule].filter((word) => word !== null).join(" ");
}

describe("rules in the person's settings", () => {
  it("count in a folder without a donegate.yaml, and stand in the journal", async () => {
    const bench = new EditorBench();
    bench.guardrails = noDocs;
    await bench.serve([write("docs/a.md"), say("Not written.")]);
    const runs = bench.open();
    const id = idOf(await runs.start(bench.wish()));
    const { state } = await untilEntry(runs, id, ({ mode }) => mode === "ended");
    expect(state.spec?.userRules).toEqual(noDocs);
    expect(state.spec?.rules.ids).toContain("no-docs");
    expect(state.denials).toMatchObject([{ rule: "no-docs", reason: "docs are mine" }]);
    expect(bench.has("docs/a.md")).toBe(false);
  });

  it("hold in a resumed run, whatever the settings say by then", async () => {
    const bench = new EditorBench();
    bench.guardrails = [
      ...noDocs,
      { ask: { tool: "run_command", command: "touch *" }, level: "guarded", reason: "ask me" },
    ];
    await bench.serve([call({ name: "run_command", args: { command: "touch made" } })]);
    const before = bench.open();
    const id = idOf(await before.start(bench.wish()));
    await untilEntry(before, id, ({ state }) => pendingApprovals(state).length === 1);
    await before.leave();

    bench.guardrails = [];
    await bench.serve([write("docs/a.md"), say("Made.")]);
    const runs = bench.open();
    await runs.load();
    const { digest, id: request } = pendingApprovals(runs.find(id)!.state)[0]!;
    expect(await runs.send(id, { type: "approve", id: request, digest, by: "Ada" })).toEqual({ ok: true });
    const { state } = await untilEntry(runs, id, ({ mode }) => mode === "ended");
    expect(bench.has("made")).toBe(true);
    expect(state.denials).toMatchObject([{ rule: "no-docs" }]);
  });

  it("allow what asks at level normal, and lift no denial and nothing at level guarded or prod", async () => {
    const bench = new EditorBench();
    bench.put("donegate.yaml", 'guardrails: [{ deny: { command: "make clean" }, reason: no, id: no-clean }]\n');
    expect(await verdictOf(bench, "make deploy-docs")).toMatch(/^ask normal/);
    bench.guardrails = [
      { allow: { tool: "*" }, id: "all" },
      { allow: { command: "*" }, id: "every-command" },
    ];
    expect(await verdictOf(bench, "make deploy-docs")).toMatch(/^allow/);
    expect(await verdictOf(bench, "make clean")).toBe("deny no-clean");
    expect(await verdictOf(bench, "kubectl delete ns prod")).toMatch(/^ask prod/);
    expect(await verdictOf(bench, "echo x > ../outside.txt")).toMatch(/^ask guarded|^deny/);
    expect(await verdictOf(bench, "echo x > donegate.yaml")).toMatch(/^deny/);
  });

  it("cannot be lifted by the folder's file", async () => {
    const bench = new EditorBench();
    bench.guardrails = [{ deny: { command: "make docs" }, reason: "mine", id: "mine" }];
    bench.put("donegate.yaml", 'guardrails: [{ allow: { command: "make docs" } }]\n');
    expect(await verdictOf(bench, "make docs")).toBe("deny mine");
  });

  it("start nothing when one is wrong: a denial that is not understood is not left out", async () => {
    const bench = new EditorBench();
    bench.guardrails = [{ deny: { comand: "ls" }, reason: "no" }];
    const runs = bench.open();
    const started = await runs.start(bench.wish());
    expect(started).toMatchObject({ ok: false, code: "config" });
    expect(started.ok ? "" : started.message).toContain("donegate.guardrails[0].deny");
    expect(await runs.explainCommand(bench.root, "ls")).toMatchObject({ ok: false, code: "config" });
    expect(bench.journals()).toEqual([]);
  });

  it("come from the person alone: no folder's settings can hold them", () => {
    const text = readFileSync(join(import.meta.dirname, "../../../package.json"), "utf8");
    const { contributes } = JSON.parse(text) as {
      contributes: { configuration: { properties: Record<string, { scope: string }> } };
    };
    expect(contributes.configuration.properties["donegate.guardrails"]?.scope).toBe("machine");
  });
});
