import { describe, expect, it } from "vitest";
import { findWrongExample, parseUserRules } from "../../../../extension/core/config/parseUserRules";
import { readUserRules } from "../../../../extension/node/userRules";

function messageOf(given: unknown): string {
  const parsed = parseUserRules(given);
  return parsed.ok ? "" : parsed.message;
}

describe("the rules of a person's settings", () => {
  it("are read as those of donegate.yaml are, with ids that say where they stand", () => {
    const parsed = parseUserRules([
      { deny: { command: "terraform destroy*" }, reason: "never from here" },
      { allow: { tool: "run_command", command: "make docs" }, id: "docs" },
    ]);
    expect(parsed).toMatchObject({
      ok: true,
      rules: [
        { id: "settings:donegate.guardrails[0]", decision: "deny", reason: "never from here" },
        { id: "docs", decision: "allow" },
      ],
    });
    expect(parseUserRules([])).toEqual({ ok: true, rules: [] });
  });

  it.each<[unknown, string]>([
    ["deny all", "donegate.guardrails: expected a list"],
    [{ deny: {} }, "donegate.guardrails: expected a list"],
    [[{ allow: { command: "ls" } }, 7], "donegate.guardrails[1]: expected a map, found 7"],
    [[{ deny: { comand: "ls" }, reason: "no" }], 'donegate.guardrails[0].deny: unknown key "comand"'],
    [[{ deny: { command: "ls" } }], "donegate.guardrails[0]: reason is missing"],
    [[{ reason: "no" }], "donegate.guardrails[0]: a rule has exactly one of deny, ask and allow"],
    [[{ allow: {} }], "donegate.guardrails[0].allow: the rule has nothing to match"],
    [[{ deny: { tool: "edit_file", args: { pth: "a" } }, reason: "no" }], "donegate.guardrails[0].deny.args.pth: "],
    [
      [{ deny: { tool: "edit_file" }, reason: "no" }, { allow: { tool: "edit_file", path: "a" } }],
      "donegate.guardrails[1]: unreachable",
    ],
  ])("%j are refused with the setting and the index", (given, message) => {
    expect(messageOf(given)).toContain(message);
  });

  it("are held against their examples, and count as wrong where none can be checked", async () => {
    const rule = { deny: { command: "npm publish*" }, reason: "no" };
    const right = [{ ...rule, examples: { deny: ["npm publish"], allow: ["npm test"] } }];
    const wrong = [{ ...rule, examples: { deny: ["npm test"] } }];
    expect(await readUserRules(right)).toMatchObject({ ok: true });
    const refused = await readUserRules(wrong);
    expect(refused).toMatchObject({ ok: false });
    expect(refused.ok ? "" : refused.message).toContain("donegate.guardrails[0].examples.deny[0]");
    const parsed = parseUserRules(right);
    expect(findWrongExample(right, parsed.ok ? parsed.rules : [], null)).toContain("unchecked");
  });
});
