// Which known runner a command line is, and what kind of check it makes.
import { toProgramName } from "../runnerRules";
import { startedRunner } from "../runners/startedRunner";
import type { Scripts } from "../expandScripts";
import type { CheckKind, Ecosystem, FoundCheck } from "./discovery";
import { isPlaceholder } from "./placeholder";

export type KnownCommand = Pick<FoundCheck, "ecosystem" | "kind" | "name">;

/** Words that show, watch or change something instead of checking it. */
const notAChecks =
  /^(?:--help|-h|help|--version|-V|--watch(?:All)?|-w|--fix|--write|--update(?:-snapshots?)?|-u|--list(?:-tests)?|--collect-only|--co|--no-run|--dry-run|--init|-DskipTests|-Dmaven\.test\.skip)(?:=|$)/;

/** Null for what is no known runner, or one that is told not to check. */
export function classifyCommand(words: readonly string[], scripts: Scripts): KnownCommand | null {
  if (words.some((word) => notAChecks.test(word))) return null;
  if (words.some((word) => /^[A-Za-z_]\w*=/.test(word)) && /^[A-Za-z_]\w*=/.test(words[0] ?? "")) return null;
  return classifyScript(words, scripts) ?? classifyTool(words) ?? classifyRunner(words);
}

/** A script of the package: what it is called says what it is for, and it has to be there. */
function classifyScript(words: readonly string[], scripts: Scripts): KnownCommand | null {
  const [manager, ...rest] = words;
  if (manager === undefined || !["npm", "pnpm", "yarn", "bun"].includes(manager)) return null;
  const operands = rest.filter((word) => !word.startsWith("-"));
  const first = operands[0] ?? "";
  const isRun = first === "run" || first === "run-script";
  if (!isRun && manager === "bun") return null;
  const script = isRun ? (operands[1] ?? "") : first === "t" || first === "tst" ? "test" : first;
  if (!isRun && manager === "npm" && script !== "test") return null;
  const kind = kindOf(script);
  if (kind === null || isPlaceholder(scripts[script] ?? "")) return null;
  return { ecosystem: "script", kind, name: script };
}

function kindOf(script: string): CheckKind | null {
  if (/^(?:type-?check|check-types|tsc|types)(?::|$)/.test(script)) return "typecheck";
  if (/^(?:lint|eslint|stylelint)(?::|$)/.test(script)) return "lint";
  return /^(?:test|tests|spec|unit|vitest|jest|mocha|check)(?:[:-](?!watch|debug|update)[\w:-]+)?$/.test(script)
    ? "test"
    : null;
}

const tools: readonly (readonly [readonly string[], Ecosystem, CheckKind])[] = [
  [["cargo", "test"], "rust", "test"],
  [["cargo", "clippy"], "rust", "lint"],
  [["cargo", "check"], "rust", "typecheck"],
  [["go", "vet"], "go", "lint"],
  [["golangci-lint", "run"], "go", "lint"],
  [["tox"], "python", "test"],
  [["nox"], "python", "test"],
  [["hatch", "test"], "python", "test"],
  [["ruff", "check"], "python", "lint"],
  [["flake8"], "python", "lint"],
  [["pylint"], "python", "lint"],
  [["mypy"], "python", "typecheck"],
  [["pyright"], "python", "typecheck"],
  [["eslint"], "script", "lint"],
  [["biome", "check"], "script", "lint"],
  [["biome", "lint"], "script", "lint"],
  [["biome", "ci"], "script", "lint"],
  [["tsc"], "script", "typecheck"],
  [["vue-tsc"], "script", "typecheck"],
  [["ava"], "script", "test"],
  [["bun", "test"], "script", "test"],
  [["deno", "test"], "deno", "test"],
  [["deno", "lint"], "deno", "lint"],
  [["deno", "check"], "deno", "typecheck"],
  [["deno", "task", "test"], "deno", "test"],
  [["rake", "test"], "ruby", "test"],
  [["rake", "spec"], "ruby", "test"],
  [["rails", "test"], "ruby", "test"],
  [["rubocop"], "ruby", "lint"],
  [["composer", "test"], "php", "test"],
  [["composer", "run", "test"], "php", "test"],
  [["phpstan", "analyse"], "php", "typecheck"],
  [["mix", "test"], "elixir", "test"],
  [["mix", "credo"], "elixir", "lint"],
  [["make", "test"], "make", "test"],
  [["make", "check"], "make", "test"],
  [["make", "lint"], "make", "lint"],
  [["make", "typecheck"], "make", "typecheck"],
];
const starters: readonly (readonly string[])[] = [
  [],
  ["npx"],
  ["pnpm", "exec"],
  ["pnpm"],
  ["yarn"],
  ["yarn", "run"],
  ["bunx"],
  ["uv", "run"],
  ["uvx"],
  ["poetry", "run"],
  ["pdm", "run"],
  ["pipenv", "run"],
  ["bundle", "exec"],
  ["python", "-m"],
  ["python3", "-m"],
];

function classifyTool(words: readonly string[]): KnownCommand | null {
  const names = words.map(toProgramName);
  for (const [tool, ecosystem, kind] of tools) {
    const isStarted = starters.some((start) => [...start, ...tool].every((word, at) => names[at] === word));
    if (isStarted) return { ecosystem, kind, name: tool.join("-") };
  }
  return null;
}

const ecosystems: Readonly<Record<string, Ecosystem>> = {
  "node-test": "script",
  vitest: "script",
  jest: "script",
  mocha: "script",
  pytest: "python",
  unittest: "python",
  nextest: "rust",
  go: "go",
  maven: "jvm",
  gradle: "jvm",
  rspec: "ruby",
  phpunit: "php",
  dotnet: "dotnet",
};

function classifyRunner(words: readonly string[]): KnownCommand | null {
  const started = startedRunner(words);
  const ecosystem = started === null ? undefined : ecosystems[started.rule.id];
  return started === null || ecosystem === undefined ? null : { ecosystem, kind: "test", name: started.rule.id };
}
