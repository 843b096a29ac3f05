import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RuleConfig } from "../../../../extension/core/config/donegateConfig";
import { createCommandReader, type CommandReader } from "../../../../extension/core/guardrails/commandReader";
import { createPathPolicy } from "../../../../extension/core/guardrails/pathGuard";
import { createPlacePath } from "../../../../extension/core/guardrails/placePath";
import { acceptedOnly, createRules } from "../../../../extension/core/guardrails/rules";
import type { GuardedCall } from "../../../../extension/core/guardrails/verdict";
import { TreeSitterGrammar } from "../../../../extension/node/treeSitterGrammar";
import { commandCall, createGuardedWorkspace, editCall, guardedCall } from "../../../support/guardedWorkspace";

const place = createGuardedWorkspace();
const placePath = createPlacePath(place.root, place.realPaths);
let reader: CommandReader;
beforeAll(async () => {
  const { root, home, realPaths } = place;
  const paths = createPathPolicy({ root, realPaths, contract: [], protect: [], hidden: [], stateFolders: [] });
  reader = createCommandReader({ root, home, paths, prodPatterns: [], grammar: new TreeSitterGrammar() });
  await reader.prepare(commandCall("ls"));
});
afterAll(() => place.dispose());

function rule(decision: RuleConfig["decision"], match: RuleConfig["match"]): RuleConfig {
  return { id: "r", decision, match, level: "normal", reason: "because" };
}

function matches(decision: RuleConfig["decision"], match: RuleConfig["match"], call: GuardedCall): boolean {
  return (
    createRules({ scope: "workspace", rules: [rule(decision, match)], placePath, reader }).verdicts(call).length === 1
  );
}

const deploy = (env: unknown): GuardedCall =>
  guardedCall({ tool: "deploy", args: { env }, tags: ["command", "network"] });

describe("arguments", () => {
  it.each([
    ["prod"],
    ["PROD"],
    [" Prod "],
    ["ｐｒｏｄ"],
    [["prod"]],
    [["dev", "PROD"]],
    ['["prod"]'],
    [{ name: "prod" }],
  ])("an ask on env: prod sees %j", (env) => {
    expect(matches("ask", { tool: "deploy", args: { env: "prod" } }, deploy(env))).toBe(true);
  });

  it.each([["dev"], ["product"], [undefined], [null], [[]]])("and does not see it in %j", (env) => {
    expect(matches("ask", { tool: "deploy", args: { env: "prod" } }, deploy(env))).toBe(false);
  });

  it("an allow counts only when every value matches", () => {
    expect(matches("allow", { args: { env: "dev" } }, deploy("DEV"))).toBe(true);
    expect(matches("allow", { args: { env: "dev" } }, deploy(["dev", "dev"]))).toBe(true);
    expect(matches("allow", { args: { env: "dev" } }, deploy(["dev", "prod"]))).toBe(false);
    expect(matches("allow", { args: { env: "dev" } }, deploy([]))).toBe(false);
    expect(matches("allow", { args: { env: "dev" } }, deploy(undefined))).toBe(false);
  });

  it("numbers and booleans compare by their text", () => {
    const call = guardedCall({ args: { count: 3, force: true } });
    expect(matches("deny", { args: { count: 3, force: true } }, call)).toBe(true);
    expect(matches("deny", { args: { count: 4 } }, call)).toBe(false);
  });

  it("a name every object inherits is no argument", () => {
    expect(matches("deny", { args: { constructor: "x" } }, deploy("dev"))).toBe(false);
  });
});

describe("tools and tags", () => {
  it("a tag rule holds whatever the tool is called", () => {
    expect(matches("deny", { tag: "network" }, guardedCall({ tool: "ops_deploy", tags: ["network"] }))).toBe(true);
    expect(matches("deny", { tag: "forge" }, guardedCall({ tool: "ops_deploy", tags: ["network"] }))).toBe(false);
  });

  it("all given parts have to match", () => {
    expect(matches("deny", { tool: "deploy", args: { env: "prod" } }, deploy("dev"))).toBe(false);
    expect(matches("deny", { tool: "other", args: { env: "prod" } }, deploy("prod"))).toBe(false);
  });

  it("a name may hold a wildcard", () => {
    expect(matches("deny", { tool: "git_*" }, guardedCall({ tool: "git_finish" }))).toBe(true);
    expect(matches("deny", { tool: "git_*" }, guardedCall({ tool: "read_file" }))).toBe(false);
  });

  it("a rule without any part allows nothing", () => {
    expect(matches("allow", {}, deploy("dev"))).toBe(false);
    expect(matches("deny", {}, deploy("dev"))).toBe(true);
  });
});

describe("commands", () => {
  it.each([
    "terraform destroy",
    "terraform  destroy -auto-approve",
    "Terraform destroy",
    " terraform\tdestroy x",
    "cd infra && terraform destroy",
    "echo $(terraform destroy)",
    "'terraform' destroy",
  ])("a deny on `terraform destroy*` sees %j", (command) => {
    expect(matches("deny", { command: "terraform destroy*" }, commandCall(command))).toBe(true);
  });

  it.each(["terraform plan", "echo terraform destroy", "tf destroy"])("and not %j", (command) => {
    expect(matches("deny", { command: "terraform destroy*" }, commandCall(command))).toBe(false);
  });

  it.each([
    ["npm run build", true],
    ["npm run  build", true],
    ["npm run build:web", true],
    ["npm run build; rm -rf x", false],
    ["npm run build && curl x | sh", false],
    ["npm run build $(id)", false],
    ["npm run build > donegate.yaml", false],
    ["npm run build\nrm x", false],
  ])("an allow on `npm run build*` for %j: %s", (command, expected) => {
    expect(matches("allow", { command: "npm run build*" }, commandCall(command))).toBe(expected);
  });

  it("an allow may name one whole text", () => {
    expect(matches("allow", { command: "npm run a && npm run b" }, commandCall("npm run a && npm run b"))).toBe(true);
  });
});

describe("paths", () => {
  it("denies by the real path, in any case", () => {
    expect(matches("deny", { path: "infra/**" }, editCall("src/../INFRA/main.tf"))).toBe(true);
    expect(matches("deny", { path: "infra" }, editCall("infra/deep/main.tf"))).toBe(true);
    expect(matches("deny", { path: "infra/**" }, editCall("src/main.tf"))).toBe(false);
  });

  it("allows only when every path of the call matches", () => {
    const both = guardedCall({
      paths: [
        { path: "docs/a.md", use: "delete", surface: "edit-tool" },
        { path: "src/a.md", use: "write", surface: "edit-tool" },
      ],
    });
    expect(matches("allow", { path: "docs/**" }, editCall("docs/a.md"))).toBe(true);
    expect(matches("allow", { path: "docs/**" }, both)).toBe(false);
    expect(matches("allow", { path: "**" }, editCall("../x"))).toBe(false);
    expect(matches("allow", { path: "docs/**" }, guardedCall({}))).toBe(false);
  });
});

it("of a file nobody accepted only what restricts counts", () => {
  const rules = [rule("allow", { tool: "a" }), rule("ask", { tool: "b" }), rule("deny", { tool: "c" })];
  expect(acceptedOnly(rules).map((each) => each.decision)).toEqual(["ask", "deny"]);
});

it("verdicts carry the rule's id, reason and level", () => {
  const asking: RuleConfig = {
    id: "config:guardrails[1]",
    decision: "ask",
    match: { tool: "deploy" },
    level: "prod",
    reason: "why",
  };
  const set = createRules({ scope: "workspace", rules: [asking], placePath, reader });
  expect(set.verdicts(deploy("x"))).toEqual([
    { decision: "ask", rule: "config:guardrails[1]", reason: "why", level: "prod" },
  ]);
});
