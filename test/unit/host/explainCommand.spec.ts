import { expect, it } from "vitest";
import type { CommandExplanation } from "../../../extension/core/agents/explainCommand";
import { renderExplanation } from "../../../extension/host/explain/explanationText";
import { plainEnglish } from "../../../extension/host/projections/translate";
import { EditorBench } from "../../support/editorBench";

async function explain(bench: EditorBench, command: string): Promise<CommandExplanation> {
  const report = await bench.open().explainCommand(bench.root, command);
  if (!report.ok) throw new Error(report.message);
  return report.explained;
}

it("names the part that decides, by the folder's rules and contract", async () => {
  const bench = new EditorBench();
  bench.put(
    "donegate.yaml",
    'guardrails:\n  - { deny: { command: "terraform *" }, reason: never from here, id: tf }\n',
  );
  bench.put("package.json", JSON.stringify({ scripts: { test: "node --test" } }));
  expect(await explain(bench, "ls | head -3")).toMatchObject({ verdict: "allow", level: null });
  const denied = await explain(bench, "ls && sudo terraform destroy");
  expect(denied).toMatchObject({ verdict: "deny", rule: "tf", reason: "never from here" });
  expect(await explain(bench, "rm package.json")).toMatchObject({ verdict: "deny", rule: "paths.contract" });
});

it("asks nobody, starts no run and leaves the folder alone", async () => {
  const bench = new EditorBench();
  bench.put("donegate.yaml", 'guardrails: [{ allow: { command: "make deploy" } }]\n');
  expect(await explain(bench, "touch made; make deploy")).toMatchObject({ verdict: "allow" });
  expect(bench.accepted).toEqual([]);
  expect(bench.journals()).toEqual([]);
  expect(bench.has("made")).toBe(false);
});

it("answers nothing in Restricted Mode, and names the place of a mistake in donegate.yaml", async () => {
  const bench = new EditorBench();
  bench.put("donegate.yaml", "nonsense: 1\n");
  expect(await bench.open().explainCommand(bench.root, "ls")).toMatchObject({ code: "config", at: { line: 1 } });
  bench.isTrusted = false;
  expect(await bench.open().explainCommand(bench.root, "ls")).toMatchObject({ ok: false, code: "restricted" });
});

function render(command: string, explained: CommandExplanation): string {
  return renderExplanation({ command, explained, folder: "/work", config: "/work/donegate.yaml" }, plainEnglish);
}

const asked = { verdict: "ask", level: "prod", rule: "prod.cluster", reason: "changes a cluster" } as const;
const allowed = { verdict: "allow", level: null, rule: "command", reason: "" } as const;

it("shows verdict, level, reason, rule and every part, the deciding one marked", () => {
  const parts = [
    { text: "ls", ...allowed, decided: false },
    { text: "kubectl delete ns prod", ...asked, decided: true },
  ];
  const text = render("ls && kubectl delete ns prod", { ...asked, parts });
  expect(text).toMatch(/^Asks, at level prod: only a person's answer/);
  expect(text).toContain("Reason  changes a cluster\n");
  expect(text).toContain("Rule    prod.cluster\n");
  expect(text).toContain("\n  allow        ls\n");
  expect(text).toContain("\n> ask prod     kubectl delete ns prod\n               changes a cluster [prod.cluster]\n");
  expect(text).toContain("Nothing was run. /work/donegate.yaml counts as accepted.");
});

it("writes out what cannot be seen, and keeps long lines in sight whole", () => {
  const command = `ls \u202e${" ".repeat(300)}; rm -rf ~\nsecond`;
  const text = render(command, { ...asked, parts: [{ text: command, ...asked, decided: true }] });
  expect(text).toContain("ls \\u{202e}");
  expect(text).toContain("   2 | second\n");
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
