// The workspace that the command tables assume, on a real disk, with the contract that a run would freeze there.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineAgent, mainAgent } from "../../extension/core/agents/agentDefinition";
import { freezeWorkspacePlan } from "../../extension/core/agents/workspacePart";
import { createCommandGate } from "../../extension/core/guardrails/commandGate";
import { createCommandReader } from "../../extension/core/guardrails/commandReader";
import { createJudge } from "../../extension/core/guardrails/judge";
import { createPathPolicy } from "../../extension/core/guardrails/pathGuard";
import type { Verdict } from "../../extension/core/guardrails/verdict";
import { NodeCommandRunner } from "../../extension/node/nodeCommandRunner";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { NodeWorkspaceFiles } from "../../extension/node/nodeWorkspaceFiles";
import { SystemClock } from "../../extension/node/systemClock";
import { TreeSitterGrammar } from "../../extension/node/treeSitterGrammar";
import { commandCall, createGuardedWorkspace, type GuardedWorkspace } from "./guardedWorkspace";

export interface CommandRow {
  command: string;
  verdict: "allow" | "ask" | "deny";
  level: string;
  why: string;
}

/** Rows of a table in test/fixtures/commands; `⏎` stands for a line end. */
export function readCommandTable(name: string): readonly CommandRow[] {
  const text = readFileSync(join(import.meta.dirname, "..", "fixtures", "commands", name), "utf8");
  return text
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => {
      const [command = "", verdict = "", level = "", why = ""] = line.split("\t");
      return { command: command.replaceAll("⏎", "\n"), verdict: verdict as CommandRow["verdict"], level, why };
    });
}

const scripts = {
  test: "jest",
  build: "tsc -p .",
  lint: "eslint src",
  dev: "node src/index.js",
  deploy: "./deploy.sh",
};

const filesOf: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ name: "app", scripts, jest: {}, devDependencies: { jest: "30.0.0" } }, null, 2),
  "package-lock.json": "{}",
  Makefile: "test:\n\tpytest -q\ndeploy:\n\t./deploy.sh\n",
  "tests/test_api.py": "def test_api():\n    assert True\n",
  "conftest.py": "",
  "test/app.test.ts": "test('app', () => {});\n",
  "jest.config.js": "module.exports = {};\n",
  ".github/workflows/ci.yml":
    "on: push\njobs:\n  test:\n    runs-on: x\n    steps:\n      - run: npm test\n      - run: pytest -q\n",
  "src/index.ts": "export {};\n",
  "src/a.ts": "export const a = 1;\n",
  "src/words.txt": "b\na\n",
  "scripts/hook.sh": "echo\n",
  "packages/web/package.json": JSON.stringify({ name: "web", scripts: { test: "jest" } }),
  "infra/prod/main.tf": "\n",
  ".env": "A=1\n",
  ".env.example": "A=\n",
  "tsconfig.json": "{}\n",
  "README.md": "# App\n",
};

export interface CommandTable {
  place: GuardedWorkspace;
  judge(command: string, cwd?: string): Promise<Verdict>;
}

export async function createCommandTable(prodPatterns: readonly string[] = []): Promise<CommandTable> {
  const place = createGuardedWorkspace();
  for (const [path, text] of Object.entries(filesOf)) place.file(`workspace/${path}`, text);
  execFileSync("git", ["init", "-q", place.root]);
  const defined = defineAgent({ config: null, accepted: true, agent: mainAgent, kind: "auto", maxAttempts: 3 });
  if (!defined.ok) throw new Error(defined.message);
  const ports = {
    files: new NodeWorkspaceFiles(),
    hasher: new NodeHasher(),
    commands: new NodeCommandRunner({ runTag: "table" }),
  };
  const plan = await freezeWorkspacePlan(place.root, defined.agent, ports);
  const { root, home, realPaths } = place;
  const paths = createPathPolicy({
    root,
    realPaths,
    contract: plan.contract,
    protect: [],
    hidden: [],
    stateFolders: [],
  });
  const reader = createCommandReader({ root, home, paths, prodPatterns, grammar: new TreeSitterGrammar() });
  const gate = createCommandGate({ root, checks: [], paths, reader });
  const judge = createJudge({ ruleSets: [gate], guardrails: [], clock: new SystemClock(), deadlineMs: 1000 });
  const { signal } = new AbortController();
  return { place, judge: (command, cwd) => judge(commandCall(command, cwd), "allow", signal) };
}

export function wordFor(verdict: Verdict): string {
  return verdict.decision === "ask" && verdict.level === "prod" ? "ask prod" : verdict.decision;
}
