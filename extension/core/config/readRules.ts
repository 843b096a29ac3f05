import { foldText } from "../guardrails/foldText";
import type { ConfigReport } from "./configReport";
import type { RuleShape } from "./configSchema";
import { didYouMean } from "./didYouMean";
import type { RuleConfig, RuleMatch } from "./donegateConfig";
import { coveringRule } from "./ruleCover";
import type { YamlPath } from "./yamlSource";

export interface RuleReading {
  shapes: readonly RuleShape[];
  /** Where the list stands: `["guardrails"]` or below an agent. */
  path: YamlPath;
  /** Begins the ids of rules without one of their own; `config` when absent. */
  origin?: "settings";
  /** Rules that apply before these. */
  earlier: readonly RuleConfig[];
  knownTools: readonly string[];
  /** Names of the parameters of tools whose parameters are known, by tool. */
  parameters: ReadonlyMap<string, readonly string[]>;
}

export function readRules(
  { shapes, path, origin, earlier, knownTools, parameters }: RuleReading,
  report: ConfigReport,
): readonly RuleConfig[] {
  const rules: RuleConfig[] = [];
  shapes.forEach((shape, index) => {
    const place = [...path, index];
    const rule = readRule(shape, place, origin ?? "config", report);
    if (rule === null) return;
    checkTool(rule, place, knownTools, report);
    checkArgs(rule, place, parameters, report);
    checkReach(rule, place, [...earlier, ...rules], report);
    rules.push(rule);
  });
  return rules;
}

const decisions = ["deny", "ask", "allow"] as const;

function readRule(shape: RuleShape, path: YamlPath, origin: string, report: ConfigReport): RuleConfig | null {
  const given = decisions.filter((decision) => shape[decision] !== undefined);
  const [decision] = given;
  const match = decision === undefined ? undefined : shape[decision];
  if (decision === undefined || match === undefined || given.length > 1) {
    report.problem(
      path,
      `a rule has exactly one of deny, ask and allow, this one has ${given.length === 0 ? "none" : given.join(" and ")}`,
    );
    return null;
  }
  if (isEmptyMatch(match)) report.problem([...path, decision], "the rule has nothing to match", "key");
  if (shape.level !== undefined && decision !== "ask")
    report.problem([...path, "level"], "only an ask has a level", "key");
  if (shape.reason === undefined && decision !== "allow") {
    report.problem(path, "reason is missing: it is what the model and the person are told");
  }
  return {
    id: shape.id ?? defaultId(path, origin),
    decision,
    match,
    level: shape.level ?? "normal",
    reason: shape.reason ?? "",
    ...(shape.examples === undefined ? {} : { examples: shape.examples, place: path }),
  };
}

/** `config:guardrails[0]`, `config:agents.shipper.guardrails[0]`, `settings:donegate.guardrails[0]`. */
function defaultId(path: YamlPath, origin: string): string {
  return `${origin}:${path
    .map((each) => (typeof each === "number" ? `[${each}]` : `.${String(each)}`))
    .join("")
    .slice(1)}`;
}

function isEmptyMatch(match: RuleMatch): boolean {
  const { args, env, ...others } = match;
  const records = [args, env].filter((each) => each !== undefined);
  if (records.some((each) => Object.keys(each).length === 0)) return true;
  return records.length === 0 && Object.keys(others).length === 0;
}

function checkTool(rule: RuleConfig, path: YamlPath, known: readonly string[], report: ConfigReport): void {
  const { tool } = rule.match;
  if (tool === undefined || /[*?]/.test(tool) || known.includes(tool)) return;
  const hint = didYouMean(tool, known);
  if (hint !== "") report.warn([...path, rule.decision, "tool"], `no tool is called "${tool}"${hint}`);
}

/** A rule on an argument that no call can have matches nothing: a misspelt deny would protect nothing, unseen. */
function checkArgs(
  { decision, match }: RuleConfig,
  path: YamlPath,
  parameters: RuleReading["parameters"],
  report: ConfigReport,
): void {
  const { tool, args } = match;
  // As rules match: the case of a tool's name does not count, that of an argument's does.
  const known = tool === undefined ? undefined : parameters.get(foldText(tool));
  if (tool === undefined || known === undefined) return;
  for (const name of Object.keys(args ?? {}).filter((each) => !known.includes(each))) {
    const has = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
    const hint = didYouMean(name, known);
    report.problem(
      [...path, decision, "args", name],
      `${tool} has no parameter "${name}"${hint === "" ? `: ${has}` : hint}`,
      "key",
    );
  }
}

function checkReach(rule: RuleConfig, path: YamlPath, earlier: readonly RuleConfig[], report: ConfigReport): void {
  if (earlier.some((each) => each.id === rule.id)) report.problem(path, `another rule has the id "${rule.id}" already`);
  const denying = coveringRule(
    rule,
    earlier.filter((each) => each.decision === "deny"),
  );
  if (denying !== null) return report.problem(path, `unreachable: everything it matches is denied by ${denying.id}`);
  const asking = coveringRule(
    rule,
    earlier.filter((each) => each.decision === "ask" && each.level !== "normal"),
  );
  if (asking !== null && rule.decision === "allow") {
    report.warn(path, `can never decide: ${asking.id} asks first, at level ${asking.level}`);
  }
  const dead = rule.decision === "deny" ? earlier.filter((each) => coveringRule(each, [rule]) !== null) : [];
  for (const each of dead) report.warn(path, `${each.id} can never decide: this rule denies everything it matches`);
}
