import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../extension/core/config/parseConfig";
import type { DonegateConfig } from "../../../../extension/core/config/donegateConfig";

const design = `verify:
  maxAttempts: 3
  checks:
    - { name: tests, run: pytest -q, timeout: 600 }   # seconds
  require: [todos, diff, receipts, diagnostics]
contract: { protect: ["fixtures/**"], hidden: ["../contract"] }
guardrails:
  - { deny: { tool: run_command, command: "terraform destroy*" }, reason: never from here }
  - { ask: { tool: deploy, args: { env: prod } }, level: prod, reason: prod needs human approval }
tools:
  deploy: { description: Deploy the service, parameters: { env: { enum: [dev, prod] } }, run: ["./deploy.sh", "\${env}"], readback: ["./deploy.sh", "--status", "\${env}"] }
agents:
  shipper: { does: ships the release, completion: { verify: todos, maxAttempts: 3 }, guardrails: [], tools: [read_file, todowrite] }
prod: { patterns: ["*.prod.example.com"] }
budget: { maxTurns: 60, maxTokens: 400000, maxWallMs: 1800000 }
`;

function parsed(text: string): DonegateConfig {
  const result = parseConfig(text, "d1");
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.config;
}

function warningsOf(text: string): string[] {
  return parsed(text).warnings.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

describe("the example of the design", () => {
  it("parses whole, without a warning", () => {
    expect(parsed(design)).toEqual({
      digest: "d1",
      verify: {
        maxAttempts: 3,
        checks: [{ name: "tests", run: "pytest -q", cwd: ".", timeoutMs: 600_000, provenance: "donegate.yaml:4" }],
        require: ["todos", "diff", "receipts", "diagnostics"],
        outputs: [],
      },
      contract: { protect: ["fixtures/**"], hidden: ["../contract"] },
      guardrails: [
        {
          id: "config:guardrails[0]",
          decision: "deny",
          match: { tool: "run_command", command: "terraform destroy*" },
          level: "normal",
          reason: "never from here",
        },
        {
          id: "config:guardrails[1]",
          decision: "ask",
          match: { tool: "deploy", args: { env: "prod" } },
          level: "prod",
          reason: "prod needs human approval",
        },
      ],
      tools: {
        deploy: {
          description: "Deploy the service",
          parameters: { env: { enum: ["dev", "prod"] } },
          run: ["./deploy.sh", "${env}"],
          readback: ["./deploy.sh", "--status", "${env}"],
          timeoutMs: 600_000,
        },
      },
      agents: {
        shipper: {
          does: "ships the release",
          model: null,
          prompt: null,
          tools: ["read_file", "todowrite"],
          completion: { verify: "todos", maxAttempts: 3 },
          guardrails: [],
          budget: {},
        },
      },
      prod: { patterns: ["*.prod.example.com"] },
      budget: { maxTurns: 60, maxTokens: 400_000, maxWallMs: 1_800_000 },
      warnings: [],
    });
  });

  it("parses the same with a byte order mark and Windows line ends", () => {
    expect(parsed(`\uFEFF${design.replaceAll("\n", "\r\n")}`)).toEqual(parsed(design));
  });
});

describe("what may be absent", () => {
  it("an absent section is null or empty", () => {
    const config = parsed("prod: {}\n");
    expect(config).toMatchObject({ verify: null, guardrails: [], tools: {}, agents: {}, budget: {} });
    expect(config.contract).toEqual({ protect: [], hidden: [] });
  });

  it.each(["", "# only a comment\n", "---\n", "\n\n"])("an empty file configures nothing and says so: %j", (text) => {
    expect(parsed(text).verify).toBeNull();
    expect(warningsOf(text)).toEqual(["1:1 the file is empty: nothing is configured"]);
  });

  it("verify: off is off", () => {
    expect(parsed("verify: off\n").verify).toBe("off");
  });

  it("checks absent are discovered, an empty list is none", () => {
    expect(parsed("verify: { maxAttempts: 1 }\n").verify).toMatchObject({ checks: null });
    expect(parsed("verify: { maxAttempts: 1, checks: [] }\n").verify).toMatchObject({ checks: [] });
  });

  it("require absent has three checks, written it is exactly that list", () => {
    expect(parsed("verify: { maxAttempts: 1 }\n").verify).toMatchObject({ require: ["todos", "diff", "receipts"] });
    expect(parsed("verify: { maxAttempts: 1, require: [diff] }\n").verify).toMatchObject({ require: ["diff"] });
    expect(parsed("verify: { maxAttempts: 1, require: [] }\n").verify).toMatchObject({ require: [] });
  });
});

describe("checks", () => {
  const checkOf = (fields: string): unknown => {
    const { verify } = parsed(`verify:\n  maxAttempts: 1\n  checks:\n    - name: a\n${fields}`);
    return verify === null || verify === "off" ? null : verify.checks?.[0];
  };

  it("run is a text or an argv; a text stays a text", () => {
    expect(checkOf("      run: make test\n")).toMatchObject({ run: "make test", provenance: "donegate.yaml:4" });
    expect(checkOf("      run: [make, test]\n")).toMatchObject({ run: ["make", "test"] });
  });

  it("timeout is given in seconds and kept in milliseconds", () => {
    expect(checkOf("      run: x\n      timeout: 1.5\n")).toMatchObject({ timeoutMs: 1500 });
    expect(checkOf("      run: x\n")).toMatchObject({ timeoutMs: 600_000 });
  });

  it("cwd is the root unless said", () => {
    expect(checkOf("      run: x\n      cwd: packages/web\n")).toMatchObject({ cwd: "packages/web" });
    expect(checkOf("      run: x\n")).toMatchObject({ cwd: "." });
  });

  const warned = (run: string): string[] =>
    warningsOf(`verify: { maxAttempts: 1, checks: [{ name: a, run: ${run} }] }`);

  it.each([
    ['"npm test || true"', /\|\|. hides a failure/],
    ['"npm test ; echo ok"', /;. can hide a failure/],
    ['"npm test &"', /trailing .&. hides the result/],
    ['[bash, -c, "npm test || true"]', /\|\|. hides a failure/],
    ['[/bin/sh, -ec, "npm test; true"]', /;. can hide a failure/],
  ])("%s is warned about", (run, message) => {
    expect(warned(run)).toEqual([expect.stringMatching(message)]);
    expect(warned(run)[0]).toMatch(/^1:\d+ verify\.checks\[0\]\.run: /);
  });

  it.each([
    '"npm test && npm run lint"',
    "\"grep -c 'a;b||c' x\"",
    '"npm test 2>&1"',
    '"npm test &> log"',
    '"npm test | tee log"',
    '"echo \\"a || b\\""',
    '[npm, test, "||", "true"]',
    '"npm test # ; not a command"',
  ])("%s is not", (run) => {
    expect(warned(run)).toEqual([]);
  });
});

describe("rules", () => {
  it("take an id of their own or one from their place", () => {
    const text = `guardrails:
  - { allow: { tool: a } }
  - { id: mine, ask: { tag: network }, reason: why }
agents:
  x: { does: things, guardrails: [{ deny: { path: "infra/**" }, reason: no }] }
`;
    const config = parsed(text);
    expect(config.guardrails.map((rule) => [rule.id, rule.level])).toEqual([
      ["config:guardrails[0]", "normal"],
      ["mine", "normal"],
    ]);
    expect(config.agents["x"]?.guardrails.map((rule) => rule.id)).toEqual(["config:agents.x.guardrails[0]"]);
  });

  it("an argument may be text, a number or a switch", () => {
    const config = parsed("guardrails: [{ deny: { args: { a: x, b: 2, c: true } }, reason: no }]");
    expect(config.guardrails[0]?.match.args).toEqual({ a: "x", b: 2, c: true });
  });

  it("a wider ask or a narrower deny before a rule leaves it reachable", () => {
    const text = `guardrails:
  - { deny: { tool: run_command, command: "terraform destroy*" }, reason: no }
  - { ask: { tool: run_command }, reason: why }
  - { deny: { tool: run_command, command: "terraform apply*" }, reason: no }
  - { deny: { tool: deploy, args: { env: prod } }, reason: no }
  - { allow: { tool: deploy, args: { env: dev } } }
tools: { deploy: { description: d, parameters: { env: {} }, run: [x, "\${env}"] } }
`;
    expect(warningsOf(text)).toEqual([]);
  });

  it("warn about a tool that nearly has a name, and about rules that can never decide", () => {
    expect(warningsOf("guardrails: [{ deny: { tool: run_comand }, reason: no }]")).toEqual([
      '1:30 guardrails[0].deny.tool: no tool is called "run_comand" (did you mean "run_command"?)',
    ]);
    const text = `guardrails:
  - { allow: { tool: deploy_x, args: { env: dev } } }
  - { deny: { tool: deploy_x }, reason: no }
  - { ask: { tag: forge }, level: guarded, reason: why }
  - { allow: { tag: forge, tool: other } }
`;
    expect(warningsOf(text)).toEqual([
      "3:5 guardrails[1]: config:guardrails[0] can never decide: this rule denies everything it matches",
      "5:5 guardrails[3]: can never decide: config:guardrails[2] asks first, at level guarded",
    ]);
  });
});

describe("tools and agents", () => {
  it("a parameter nothing uses is a warning", () => {
    expect(warningsOf("tools: { a: { description: d, parameters: { x: {} }, run: [y] } }")).toEqual([
      "1:45 tools.a.parameters.x: is not used in run or readback",
    ]);
  });

  it("a tool an agent lists and nobody knows may be the editor's: a warning", () => {
    expect(warningsOf("agents: { a: { does: d, tools: [read_fil] } }")).toEqual([
      '1:33 agents.a.tools[0]: no built-in or custom tool is called "read_fil" (did you mean "read_file"?)',
    ]);
  });

  it("an agent may use a custom tool", () => {
    expect(warningsOf("tools: { x: { description: d, run: [y] } }\nagents: { a: { does: d, tools: [x] } }")).toEqual(
      [],
    );
  });

  it("costs can be limited where prices are given", () => {
    const budget = "budget: { maxCost: 1.5, prices: { input: 1, output: 2 } }";
    expect(parsed(budget).budget).toEqual({ maxCost: 1.5, prices: { input: 1, output: 2 } });
  });
});
