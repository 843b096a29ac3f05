// Examples of rules: what a person wrote that a command comes to, held against what the rules say.
import { composeVerdicts } from "../guardrails/composeVerdicts";
import { createTextReader } from "../guardrails/commandReader";
import { createRules } from "../guardrails/rules";
import type { GuardedCall } from "../guardrails/verdict";
import type { ParseShell } from "../ports/shellGrammar";
import { createConfigReport, type ConfigReport } from "./configReport";
import type { ConfigProblem, DonegateConfig, RuleConfig } from "./donegateConfig";
import { parseYaml } from "./yamlSource";

export function hasExamples(config: DonegateConfig): boolean {
  return listsOf(config).some((rules) => rules.some(({ examples }) => examples !== undefined));
}

/** `text` is the file that `config` was read from. `parse` null: the grammar is missing, and no example can be checked. */
export function checkExamples(
  text: string,
  config: DonegateConfig,
  parse: ParseShell | null,
): readonly ConfigProblem[] {
  const yaml = parseYaml(text);
  if (!yaml.ok) return yaml.problems;
  const report = createConfigReport(yaml.source);
  for (const rules of listsOf(config)) reportExamples(rules, parse, report);
  return report.problems;
}

/** One list of rules; an example is held against its rule with those before it. */
export function reportExamples(rules: readonly RuleConfig[], parse: ParseShell | null, report: ConfigReport): void {
  rules.forEach((rule, index) => {
    for (const { command, wanted, path } of examplesOf(rule)) {
      const found =
        parse === null
          ? "unchecked, because the shell grammar does not load"
          : verdictOf(command, rules.slice(0, index + 1), parse);
      if (found !== wanted)
        report.problem(
          path,
          `the example is written to be ${wanted === "ask" ? "asked about" : wanted === "deny" ? "denied" : "allowed"}, but the rules make it: ${found}`,
        );
    }
  });
}

function listsOf({ guardrails, agents }: DonegateConfig): readonly (readonly RuleConfig[])[] {
  return [guardrails, ...Object.values(agents).map((agent) => agent.guardrails)];
}

interface Example {
  command: string;
  wanted: string;
  path: readonly PropertyKey[];
}

function examplesOf({ examples, place = [] }: RuleConfig): readonly Example[] {
  return Object.entries(examples ?? {}).flatMap(([wanted, commands]) =>
    (commands ?? []).map((command, index) => ({ command, wanted, path: [...place, "examples", wanted, index] })),
  );
}

/** Only what the rules say: no opinion counts as allowed. */
function verdictOf(command: string, rules: readonly RuleConfig[], parse: ParseShell): string {
  const call: GuardedCall = {
    callId: "example",
    tool: "run_command",
    args: { command },
    tags: ["command"],
    paths: [],
    agent: "main",
    depth: 0,
    cwd: "/",
  };
  const set = createRules({ scope: "workspace", rules, placePath: () => null, reader: createTextReader(parse) });
  return composeVerdicts(set.verdicts(call), "allow").decision;
}
