import { afterAll, describe, expect, it } from "vitest";
import type { CommandExplanation } from "../../../extension/core/agents/explainCommand";
import { useCli } from "../../support/cliRunner";
import { createGuardedWorkspace } from "../../support/guardedWorkspace";

const cli = useCli();
const place = createGuardedWorkspace();
place.file("workspace/package.json", JSON.stringify({ scripts: { test: "jest" } }));
place.file("workspace/tests/test_api.py");
afterAll(() => place.dispose());

async function check(text: string, ...words: readonly string[]): Promise<CommandExplanation> {
  const result = await cli(["check-command", "--json", ...words, "--workspace", place.root, "--", text]);
  expect(result).toMatchObject({ code: 0, err: "" });
  return JSON.parse(result.out) as CommandExplanation;
}

describe("check-command", () => {
  it("says what would be allowed, and each command that it found", async () => {
    expect(await check("cat package.json | head -3")).toMatchObject({
      verdict: "allow",
      level: null,
      reason: "",
      parts: [
        { text: "cat package.json", verdict: "allow" },
        { text: "head -3", verdict: "allow" },
      ],
    });
  });

  it("names the part that decided", async () => {
    const { verdict, level, reason, parts } = await check("ls && bash -c 'kubectl delete ns prod'");
    expect({ verdict, level }).toEqual({ verdict: "ask", level: "prod" });
    expect(reason).toContain("changes or enters a cluster");
    expect(parts.find(({ decided }) => decided)).toMatchObject({ text: "kubectl delete ns prod", level: "prod" });
    expect(parts.filter(({ decided }) => decided)).toHaveLength(1);
  });

  it("says why a command is denied", async () => {
    expect(await check("rm tests/test_api.py")).toMatchObject({ verdict: "deny", level: null, rule: "paths.contract" });
    expect(await check("ls \u202E")).toMatchObject({ verdict: "deny", rule: "command.hidden-character" });
  });

  it("counts the workspace's rules", async () => {
    const config = place.file(
      "rules.yaml",
      'guardrails:\n  - { deny: { tool: run_command, command: "npm test*" }, id: no-tests, reason: not here }\n',
    );
    expect(await check("FOO=1 npm   test", "--config", config)).toMatchObject({
      verdict: "deny",
      rule: "no-tests",
      reason: "not here",
    });
    expect(await check("npm run lint", "--config", config)).toMatchObject({ verdict: "allow" });
  });

  it("answers one object a line for one JSON string a line, and never allows what it cannot read", async () => {
    const lines = [JSON.stringify("ls"), "{", "[1]", JSON.stringify("rm -rf /\nls"), JSON.stringify("")];
    const through = ["bash", "-c", `printf '%s\\n' "$LINES_IN" | "$@"`, "feed"];
    const result = await cli(["check-command", "-", "--workspace", place.root], {
      through,
      env: { LINES_IN: lines.join("\n") },
    });
    const verdicts = result.out
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as CommandExplanation).verdict);
    expect(verdicts).toEqual(["allow", "deny", "deny", "deny", "allow"]);
  });

  it("refuses two texts", async () => {
    expect(await cli(["check-command", "a", "b"])).toMatchObject({ code: 64 });
  });
});
