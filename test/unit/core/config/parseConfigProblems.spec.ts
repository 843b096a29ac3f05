import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../extension/core/config/parseConfig";

function problemsOf(text: string): string[] {
  const result = parseConfig(text, "d");
  if (result.ok) throw new Error("it was accepted");
  return result.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

const withCheck = (fields: string): string => `verify:\n  maxAttempts: 1\n  checks:\n    - { ${fields} }\n`;

describe("text that is not plain YAML", () => {
  it.each([
    ["a tab", "verify:\n\tmaxAttempts: 1\n", "2:1 a tab may not indent: use spaces"],
    ["a key twice", "prod: {}\nprod: {}\n", "2:1 this key stands twice in the same map"],
    ["a key twice, deep", "budget:\n  maxTurns: 1\n  maxTurns: 2\n", "3:3 this key stands twice in the same map"],
    ["two documents", "prod: {}\n---\nbudget: {}\n", "2:1 only one document may stand in the file"],
    ["an alias", "prod: &p { patterns: [x] }\nbudget: *p\n", "2:9 aliases are not supported: write the value out"],
    ["a key that is a number", "1: x\n", "1:1 a key has to be text: put it in quotes"],
    ["a key that is a list", "? [a]\n: b\n", "1:3 a key has to be text: put it in quotes"],
    ["a prototype key", "tools:\n  __proto__: { x: 1 }\n", '2:3 "__proto__" may not be a key'],
  ])("%s", (_, text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  it.each([
    "verify: [1\n",
    "a: b: c\n",
    "prod: @x\n",
    "prod: !!js/function 'x'\n",
    "prod: !mine x\n",
    "%YAML 1.2\n",
    "%%%",
  ])("%j", (text) => {
    expect(problemsOf(text)[0]).toMatch(/^[12]:\d+ not valid YAML: /);
  });

  it("a bomb of aliases is refused, not expanded", () => {
    const lists = Array.from(
      { length: 12 },
      (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(", ")}]`,
    );
    expect(problemsOf(["a0: &a0 [x]", ...lists].join("\n"))[0]).toMatch(/^2:\d+ aliases are not supported/);
  });

  it.each([
    `prod: ${"[".repeat(5000)}${"]".repeat(5000)}`,
    `prod: ${"[".repeat(100_000)}`,
    `prod: ${"{a: ".repeat(50_000)}`,
    `${"? ".repeat(20_000)}x`,
    `${"- ".repeat(20_000)}x`,
    `prod: ${'["]", '.repeat(5000)}`,
  ])("endless nesting is refused before it is read: case %#", (text) => {
    expect(problemsOf(text)[0]).toMatch(/^1:\d+ nested deeper than 40 levels$/);
  });

  it("endless text is refused", () => {
    expect(problemsOf(`# ${"x".repeat(300_000)}`)).toEqual(["1:1 the file is longer than 256 KB"]);
  });

  it.each(["just text", "[1, 2]", "42"])("%s at the top is not a map", (text) => {
    expect(problemsOf(text)[0]).toMatch(/^1:1 expected a map, found/);
  });

  it("every problem is told, in order of place", () => {
    const text = "verify: { maxAttempts: 0 }\nprods: {}\nbudget: { maxTurns: x }\n";
    expect(problemsOf(text)).toEqual([
      "1:24 verify.maxAttempts: has to be at least 1, found 0",
      '2:1 unknown key "prods" (did you mean "prod"?)',
      '3:21 budget.maxTurns: expected a number, found the text "x"',
    ]);
  });
});

describe("maxAttempts", () => {
  it.each([
    ["0", "has to be at least 1, found 0"],
    ["-1", "has to be at least 1, found -1"],
    ["1.5", "expected a whole number, found 1.5"],
    [".nan", "expected a number, found NaN"],
    [".inf", "expected"],
    ['"3"', 'expected a number, found the text "3"'],
    ["true", "expected a number, found true"],
    ["[3]", "expected a number, found a list"],
    ["", "expected a number, found nothing"],
  ])("%s is refused", (value, message) => {
    const [problem] = problemsOf(`verify:\n  maxAttempts: ${value}\n`);
    expect(problem).toMatch(/^2:\d+ verify\.maxAttempts: /);
    expect(problem).toContain(message);
  });

  it.each(["verify:\n  checks: []\n", "verify:\n", "verify: {}\n"])("missing in %j is told at the section", (text) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(/^1:1 verify\.maxAttempts: is missing: .* no default/)]);
  });

  it("missing in an agent's completion is told there", () => {
    expect(problemsOf("agents:\n  a: { does: d, completion: { verify: diff } }\n")[0]).toMatch(
      /^2:17 agents\.a\.completion\.maxAttempts: is missing/,
    );
  });
});

describe("keys and types", () => {
  it.each([
    ["verfy: off\n", '1:1 unknown key "verfy" (did you mean "verify"?)'],
    [
      "verify:\n  maxAttempts: 1\n  maxattempts: 2\n",
      '3:3 verify: unknown key "maxattempts" (did you mean "maxAttempts"?)',
    ],
    [withCheck("name: a, run: x, timout: 3"), '4:26 verify.checks[0]: unknown key "timout" (did you mean "timeout"?)'],
    [
      "guardrails:\n  - { deny: { tol: x }, reason: no }\n",
      '2:15 guardrails[0].deny: unknown key "tol" (did you mean "tool"?)',
    ],
    ["tools: { a: { description: d, run: [x], command: y } }\n", '1:41 tools.a: unknown key "command"'],
    ["agents: { a: { does: d, budget: { turns: 1 } } }\n", '1:35 agents.a.budget: unknown key "turns"'],
    ["verify: false\n", "1:9 verify: expected a map or the word off, found false"],
    ["verify: on\n", '1:9 verify: expected a map or the word off, found the text "on"'],
    ["guardrails:\n", "1:12 guardrails: expected a list, found nothing"],
    ["guardrails: {}\n", "1:13 guardrails: expected a list, found a map"],
    ["contract: { hidden: x }\n", '1:21 contract.hidden: expected a list, found the text "x"'],
    [
      "verify: { maxAttempts: 1, require: [todo] }\n",
      '1:37 verify.require[0]: expected one of todos, diff, diagnostics, receipts, found the text "todo" (did you mean "todos"?)',
    ],
    ["budget: { maxTurns: 0 }\n", "1:21 budget.maxTurns: has to be at least 1, found 0"],
    ["budget: { maxCost: 0 }\n", "1:20 budget.maxCost: has to be more than 0, found 0"],
    ["budget:\n  maxCost: 2\n", "2:3 budget.maxCost: needs prices: without them no cost can be known"],
    ["contract: { hidden: [.] }\n", "1:22 contract.hidden[0]: would hide the workspace itself"],
    ["contract: { hidden: [x/.., ../..] }\n", "1:22 contract.hidden[0]: would hide the workspace itself"],
    ['contract: { protect: [""] }\n', "1:23 contract.protect[0]: must not be empty"],
  ])("%j", (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });
});

describe("checks", () => {
  it.each([
    ["name: a", "4:7 verify.checks[0].run: is missing"],
    ["run: x", "4:7 verify.checks[0].name: is missing"],
    ["name: a, run: 5", "4:23 verify.checks[0].run: has to be a text or a list of texts"],
    ["name: a, run: []", "4:23 verify.checks[0].run: must not be empty"],
    ['name: a, run: "  "', "4:23 verify.checks[0].run: must not be empty"],
    ["name: a, run: [node, 1]", "4:30 verify.checks[0].run[1]: has to be text: put it in quotes"],
    ["name: '', run: x", "4:15 verify.checks[0].name: must not be empty"],
    ["name: a, run: x, timeout: 0", "4:35 verify.checks[0].timeout: has to be more than 0, found 0"],
    ["name: a, run: x, timeout: 10m", '4:35 verify.checks[0].timeout: expected a number, found the text "10m"'],
    [
      "name: a, run: x, cwd: ..",
      "4:31 verify.checks[0].cwd: has to be a folder inside the workspace, relative to its root",
    ],
    [
      "name: a, run: x, cwd: a/../../b",
      "4:31 verify.checks[0].cwd: has to be a folder inside the workspace, relative to its root",
    ],
    [
      "name: a, run: x, cwd: /tmp",
      "4:31 verify.checks[0].cwd: has to be a folder inside the workspace, relative to its root",
    ],
    ["name: todos, run: x", '4:15 verify.checks[0].name: "todos" names a structural check'],
  ])("{ %s }", (fields, problem) => {
    expect(problemsOf(withCheck(fields))).toContain(problem);
  });

  it("two of one name", () => {
    const text = `${withCheck("name: a, run: x")}    - { name: a, run: y }\n`;
    expect(problemsOf(text)).toEqual(['5:15 verify.checks[1].name: another check is called "a" already']);
  });
});

describe("rules", () => {
  it.each([
    ["{ reason: no }", /^2:5 guardrails\[0\]: a rule has exactly one of deny, ask and allow, this one has none$/],
    ["{ deny: { tool: a }, ask: { tool: a }, reason: no }", /this one has deny and ask$/],
    ["{ deny: {}, reason: no }", /^2:7 guardrails\[0\]\.deny: the rule has nothing to match$/],
    ["{ deny: { args: {} }, reason: no }", /^2:7 .*nothing to match$/],
    ["{ deny: { tool: '' }, reason: no }", /^2:21 guardrails\[0\]\.deny\.tool: must not be empty$/],
    ["{ deny: { tool: a } }", /^2:5 guardrails\[0\]: reason is missing/],
    ["{ ask: { tool: a }, reason: '' }", /^2:33 guardrails\[0\]\.reason: must not be empty$/],
    ["{ deny: { tool: a }, level: prod, reason: no }", /^2:26 guardrails\[0\]\.level: only an ask has a level$/],
    ["{ allow: { tool: a }, level: prod }", /only an ask has a level$/],
    ["{ ask: { tool: a }, level: high, reason: x }", /expected one of normal, guarded, prod, found the text "high"/],
    ["{ deny: { tag: networks }, reason: no }", /did you mean "network"/],
    [
      "{ deny: { args: { env: [a, b] } }, reason: no }",
      /^2:28 guardrails\[0\]\.deny\.args\.env: has to be text, a number, true or false$/,
    ],
  ])("%s", (rule, problem) => {
    expect(problemsOf(`guardrails:\n  - ${rule}\n`)).toEqual([expect.stringMatching(problem)]);
  });

  it.each([
    ["{ tool: a }", "{ tool: a }"],
    ["{ tool: a }", "{ tool: A }"],
    ["{ tool: a }", "{ tool: a, args: { x: 1 } }"],
    ["{ tool: 'git_*' }", "{ tool: git_commit }"],
    ["{ command: 'terraform*' }", "{ tool: run_command, command: 'terraform destroy*' }"],
    ["{ path: 'infra/**' }", "{ path: infra/prod/main.tf }"],
    ["{ path: infra }", "{ path: 'infra/**' }"],
    ["{ args: { env: prod } }", "{ tool: deploy, args: { env: PROD, force: true } }"],
    ["{ tag: network }", "{ tag: network, tool: deploy }"],
  ])("deny %s makes a later rule on %s unreachable", (first, second) => {
    for (const later of [`{ deny: ${second}, reason: no }`, `{ allow: ${second} }`, `{ ask: ${second}, reason: x }`]) {
      const text = `guardrails:\n  - { deny: ${first}, reason: no }\n  - ${later}\n`;
      expect(problemsOf(text)).toEqual([
        "3:5 guardrails[1]: unreachable: everything it matches is denied by config:guardrails[0]",
      ]);
    }
  });

  it("a rule of an agent is unreachable behind one of the workspace", () => {
    const text =
      "guardrails: [{ id: no-net, deny: { tag: network }, reason: no }]\nagents:\n  a:\n    does: d\n    guardrails:\n      - { allow: { tag: network } }\n";
    expect(problemsOf(text)).toEqual([
      "6:9 agents.a.guardrails[0]: unreachable: everything it matches is denied by no-net",
    ]);
  });

  it.each([
    [
      "deny: { tool: run_command, args: { comand: x } }",
      '3:40 X.deny.args.comand: run_command has no parameter "comand" (did you mean "command"?)',
    ],
    [
      "ask: { tool: deploy, args: { nev: prod } }",
      '3:34 X.ask.args.nev: deploy has no parameter "nev" (did you mean "env"?)',
    ],
    [
      "ask: { tool: Deploy, args: { region: eu } }",
      '3:34 X.ask.args.region: Deploy has no parameter "region": it has env',
    ],
    [
      "deny: { tool: deploy, args: { ENV: prod } }",
      '3:35 X.deny.args.ENV: deploy has no parameter "ENV" (did you mean "env"?)',
    ],
    ["deny: { tool: bare, args: { x: 1 } }", '3:33 X.deny.args.x: bare has no parameter "x": it has none'],
  ])("{ %s } names an argument that its tool does not have", (rule, problem) => {
    const tools = `tools: { deploy: { description: d, parameters: { env: {} }, run: [x, "\${env}"] }, bare: { description: d, run: [x] } }\n`;
    expect(problemsOf(`${tools}guardrails:\n- { ${rule}, reason: no }\n`)).toEqual([
      problem.replace("X", "guardrails[0]"),
    ]);
    const agent = `agents:\n a: { does: d, guardrails: [{ ${rule}, reason: no }] }\n`;
    expect(problemsOf(tools + agent)).toEqual([expect.stringContaining(problem.slice(problem.indexOf(".")))]);
  });

  it("arguments of tools that are not known, or only by a pattern, are nobody's mistake", () => {
    const rules = ["{ tool: git_commit, args: { x: 1 } }", "{ tool: 'dep*', args: { x: 1 } }", "{ args: { x: 1 } }"];
    const text = `guardrails:\n${rules.map((match) => `  - { deny: ${match}, reason: no }\n`).join("")}`;
    expect(parseConfig(text.split("\n").slice(0, 3).join("\n"), "d")).toMatchObject({ ok: true });
    expect(parseConfig(`guardrails: [{ deny: ${rules[2]}, reason: no }]`, "d")).toMatchObject({ ok: true });
  });

  it("two rules of one id", () => {
    const text =
      "guardrails:\n  - { id: a, deny: { tool: x }, reason: no }\n  - { id: a, deny: { tool: y }, reason: no }\n";
    expect(problemsOf(text)).toEqual(['3:5 guardrails[1]: another rule has the id "a" already']);
  });
});

describe("tools and agents", () => {
  const tool = (fields: string): string => `tools:\n  t: { description: d, ${fields} }\n`;

  it.each([
    [
      "tools: { run_command: { description: d, run: [x] } }\n",
      "1:10 tools.run_command: this name belongs to a built-in tool",
    ],
    [
      "tools: { git_finish: { description: d, run: [x] } }\n",
      "1:10 tools.git_finish: this name belongs to a built-in tool",
    ],
    [
      "tools: { Deploy: { description: d, run: [x] } }\n",
      "1:10 tools.Deploy: a tool's name has lower-case letters, digits and _ only, a letter first",
    ],
    [
      "tools: { a-b: { description: d, run: [x] } }\n",
      "1:10 tools.a-b: a tool's name has lower-case letters, digits and _ only, a letter first",
    ],
    [tool("run: x"), '2:29 tools.t.run: expected a list, found the text "x"'],
    [tool("run: []"), "2:29 tools.t.run: must not be empty"],
    [tool('run: ["x", "${env}"]'), "2:35 tools.t.run[1]: ${env} is not a declared parameter"],
    [
      tool('parameters: { env: {} }, run: ["x", "${evn}", "${env}"]'),
      '2:60 tools.t.run[1]: ${evn} is not a declared parameter (did you mean "env"?)',
    ],
    [tool('run: ["x", "${toString}"]'), "2:35 tools.t.run[1]: ${toString} is not a declared parameter"],
    [tool('run: ["x"], readback: ["y", "--of=${id}"]'), "2:52 tools.t.readback[1]: ${id} is not a declared parameter"],
    [tool('run: ["x", "${env"]'), '2:35 tools.t.run[1]: "${env" has no closing }'],
    [
      tool('parameters: { p: {} }, run: ["${p}"]'),
      "2:53 tools.t.run[0]: the program itself may not come from an argument",
    ],
    [
      tool('parameters: { p: { enum: [1] } }, run: [x, "${p}"]'),
      "2:50 tools.t.parameters.p.enum[0]: expected text, found 1",
    ],
    [
      tool('parameters: { p: { type: number, enum: [a] } }, run: [x, "${p}"]'),
      "2:49 tools.t.parameters.p.type: a parameter with an enum is a string",
    ],
    [
      "agents: { a: { does: d, tools: [read_file], completion: { verify: todos, maxAttempts: 1 } } }\n",
      "1:67 agents.a.completion.verify: the todos check needs the tool todowrite, which this agent does not have",
    ],
    [
      "agents: { a: { does: d, completion: { verify: tests, maxAttempts: 1 } } }\n",
      '1:47 agents.a.completion.verify: expected one of todos, diff, diagnostics, receipts, checks, found the text "tests"',
    ],
    ["agents: { a: { } }\n", "1:11 agents.a.does: is missing"],
    [
      "agents: { a: { does: d, budget: { maxCost: 1 } } }\n",
      "1:35 agents.a.budget.maxCost: needs prices: without them no cost can be known",
    ],
  ])("%j", (text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });
});
