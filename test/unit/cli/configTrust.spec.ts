import { describe, expect, it } from "vitest";
import { settleTrust } from "../../../extension/cli/configTrust";
import { listTrusted } from "../../../extension/core/config/listTrusted";
import type { ConfigFile } from "../../../extension/cli/configFile";
import { parseConfig } from "../../../extension/core/config/parseConfig";
import { RecordingSink, ScriptedTerminal } from "../../support/scriptedTerminal";

function configOf(text: string): ConfigFile {
  const parsed = parseConfig(text, "digest");
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return { path: "/w/donegate.yaml", text, config: parsed.config };
}

const settle = (file: ConfigFile, terminal: ScriptedTerminal | null, isTrusted = false) => {
  const sink = new RecordingSink();
  return { sink, trust: settleTrust({ file, isTrusted, terminal, sink }) };
};

const withCheck = configOf('verify: { maxAttempts: 2, checks: [{ name: t, run: [npm, test, "a b"] }] }');
const onlyStricter = configOf(
  'guardrails:\n  - { deny: { tool: run_command }, reason: no }\n  - { ask: { tool: edit_file }, reason: look }\nbudget: { maxTurns: 5 }\nprod: { patterns: ["x"] }\ncontract: { protect: ["fixtures/**"] }',
);

describe("what a configuration wants to be trusted with", () => {
  it.each([
    ["a check", 'verify: { maxAttempts: 2, checks: [{ name: t, run: "npm test" }] }', "check t: npm test"],
    ["no check at all", "verify: { maxAttempts: 2, checks: [] }", "no command is checked"],
    ["its own requirements", "verify: { maxAttempts: 2, require: [] }", "requires nothing structural"],
    ["outputs", 'verify: { maxAttempts: 2, outputs: ["src/**"] }', "verify.outputs: src/**"],
    ["verify: off", "verify: off", "verify: off"],
    ["a tool", "tools: { d: { description: x, run: [./d.sh] } }", "tool d: ./d.sh"],
    ["a readback", "tools: { d: { description: x, run: [a], readback: [b, c] } }", "tool d, to read back: b c"],
    ["an allow rule", "guardrails: [{ allow: { tool: run_command } }]", 'allow {"tool":"run_command"}'],
    ["an agent", "agents: { s: { does: ships } }", "agent s: ships"],
    [
      "an agent's allow rule",
      "agents: { s: { does: ships, guardrails: [{ allow: { tool: run_command } }] } }",
      'agent s: allow {"tool":"run_command"}',
    ],
  ])("names %s", (_what, text, line) => {
    expect(listTrusted(configOf(text).config).join("\n")).toContain(line);
  });

  it("shows hidden characters of a command", () => {
    const file = configOf('verify: { maxAttempts: 1, checks: [{ name: t, run: "true \\u202e x\\n rm -rf y" }] }');
    expect(listTrusted(file.config).join("\n")).toContain("check t: true \\u{202e} x\\u{a} rm -rf y");
  });

  it("is nothing for a file that only restricts", () => {
    expect(listTrusted(onlyStricter.config)).toEqual([]);
  });
});

describe("acceptance", () => {
  it("is refused without a terminal, naming the flag and what it would trust", async () => {
    const trust = await settle(withCheck, null).trust;
    expect(trust).toMatchObject({ ok: false, exitCode: 1 });
    const message = trust.ok ? "" : trust.message;
    expect(message).toContain("--trust-config");
    expect(message).toContain('check t: npm test "a b"');
  });

  it("is given by the flag, and nobody is asked", async () => {
    const trust = await settle(withCheck, new ScriptedTerminal(), true).trust;
    expect(trust).toEqual({ ok: true, acceptedBy: "--trust-config" });
  });

  it("is not needed for a file that only restricts, and then nobody has accepted it", async () => {
    expect(await settle(onlyStricter, null).trust).toEqual({ ok: true, acceptedBy: null });
  });

  it("takes the word yes at a terminal", async () => {
    const { sink, trust } = settle(withCheck, new ScriptedTerminal("yes"));
    expect(await trust).toEqual({ ok: true, acceptedBy: "person at the terminal" });
    expect(sink.text).toContain('check t: npm test "a b"');
  });

  it.each([[""], ["y"], ["no"], ["approve"], [null]])("takes %j for no", async (line) => {
    expect(await settle(withCheck, new ScriptedTerminal(line)).trust).toMatchObject({ ok: false, exitCode: 1 });
  });
});
