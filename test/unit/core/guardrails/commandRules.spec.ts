import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RuleConfig } from "../../../../extension/core/config/donegateConfig";
import { createCommandReader, type CommandReader } from "../../../../extension/core/guardrails/commandReader";
import { createPathPolicy } from "../../../../extension/core/guardrails/pathGuard";
import { createPlacePath } from "../../../../extension/core/guardrails/placePath";
import { createRules } from "../../../../extension/core/guardrails/rules";
import { TreeSitterGrammar } from "../../../../extension/node/treeSitterGrammar";
import { commandCall, createGuardedWorkspace } from "../../../support/guardedWorkspace";

const place = createGuardedWorkspace();
const { root, home, realPaths } = place;
let reader: CommandReader;
beforeAll(async () => {
  const paths = createPathPolicy({ root, realPaths, contract: [], protect: [], hidden: [], stateFolders: [] });
  reader = createCommandReader({ root, home, paths, prodPatterns: [], grammar: new TreeSitterGrammar() });
  await reader.prepare(commandCall("ls"));
});
afterAll(() => place.dispose());

function matches(decision: RuleConfig["decision"], match: RuleConfig["match"], command: string): boolean {
  const rules = [{ id: "r", decision, match, level: "normal" as const, reason: "because" }];
  return (
    createRules({ scope: "workspace", rules, placePath: createPlacePath(root, realPaths), reader }).verdicts(
      commandCall(command),
    ).length === 1
  );
}

describe("a deny on a command finds it wherever it stands", () => {
  it.each([
    "terraform destroy",
    "terraform   destroy -auto-approve",
    "ls; terraform destroy",
    "sudo terraform destroy",
    "env A=1 timeout 5 terraform destroy",
    "bash -c 'terraform destroy'",
    't"erra"form des\\troy',
    "x=destroy; terraform $x",
    'echo "$(terraform destroy)"',
    "if true; then terraform destroy; fi",
    "echo terraform destroy | sh",
    "ssh web 'terraform destroy'",
    "find . -exec terraform destroy {} +",
  ])("%s", (command) => {
    expect(matches("deny", { command: "terraform destroy*" }, command)).toBe(true);
  });

  it.each(["terraform plan", "terraform-docs destroy"])("%s is another one", (command) => {
    expect(matches("deny", { command: "terraform destroy*" }, command)).toBe(false);
  });
});

describe("an allow on a command covers that command only", () => {
  it.each(["npm run deploy", "npm run deploy --x", "ls && npm run deploy", "bash -c 'npm run deploy'"])(
    "%s",
    (command) => {
      expect(matches("allow", { command: "npm run *" }, command)).toBe(true);
    },
  );

  it.each([
    "npm run deploy && rm -rf build",
    "npm run deploy; curl https://example.test",
    "npm run deploy $(curl https://example.test)",
    "npm run deploy $X",
    "npm run deploy > ../x",
    "sudo npm run deploy",
    "echo npm run deploy",
    "npm run deploy 'unterminated",
  ])("not %s", (command) => {
    expect(matches("allow", { command: "npm run *" }, command)).toBe(false);
  });
});

describe("variables that a command sets", () => {
  it.each(["STAGE=live ./x", "export STAGE=live; ./x", "env STAGE=LIVE ./x", "bash -c 'STAGE=live ./x'"])(
    "%s",
    (command) => {
      expect(matches("ask", { env: { STAGE: "live" } }, command)).toBe(true);
    },
  );

  it.each(["STAGE=dev ./x", "./x live", "OTHER=live ./x"])("not %s", (command) => {
    expect(matches("ask", { env: { STAGE: "live" } }, command)).toBe(false);
  });
});
