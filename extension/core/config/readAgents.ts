import { reservedToolNames } from "./reservedToolNames";
import type { ConfigReport } from "./configReport";
import type { AgentShape } from "./configSchema";
import { didYouMean } from "./didYouMean";
import type { AgentConfig, RuleConfig } from "./donegateConfig";
import { checkBudget } from "./checkBudget";
import { readRules, type RuleReading } from "./readRules";

export interface AgentReading {
  shapes: Readonly<Record<string, AgentShape>>;
  /** The workspace's own rules, which hold for every agent. */
  workspaceRules: readonly RuleConfig[];
  knownTools: readonly string[];
  parameters: RuleReading["parameters"];
}

export function readAgents(reading: AgentReading, report: ConfigReport): Readonly<Record<string, AgentConfig>> {
  return Object.fromEntries(Object.keys(reading.shapes).map((name) => [name, readAgent(name, reading, report)]));
}

function readAgent(
  name: string,
  { shapes, workspaceRules, knownTools, parameters }: AgentReading,
  report: ConfigReport,
): AgentConfig {
  const shape = shapes[name] as AgentShape;
  const path = ["agents", name];
  checkTools(name, shape, knownTools, report);
  checkBudget(shape.budget ?? {}, [...path, "budget"], report);
  const rules: RuleReading = {
    shapes: shape.guardrails ?? [],
    path: [...path, "guardrails"],
    earlier: workspaceRules,
    ...{ knownTools, parameters },
  };
  return {
    does: shape.does,
    model: shape.model ?? null,
    prompt: shape.prompt ?? null,
    tools: shape.tools ?? null,
    completion: shape.completion ?? null,
    guardrails: readRules(rules, report),
    budget: shape.budget ?? {},
  };
}

function checkTools(
  name: string,
  { tools, completion }: AgentShape,
  known: readonly string[],
  report: ConfigReport,
): void {
  const path = ["agents", name];
  tools?.forEach((tool, index) => {
    if (known.includes(tool)) return;
    report.warn([...path, "tools", index], `no built-in or custom tool is called "${tool}"${didYouMean(tool, known)}`);
  });
  if (completion?.verify === "todos" && tools !== undefined && !tools.includes("todowrite")) {
    report.problem(
      [...path, "completion", "verify"],
      "the todos check needs the tool todowrite, which this agent does not have",
    );
  }
}

/** Every tool name a configuration may speak of without a doubt. */
export function knownToolNames(customTools: readonly string[]): readonly string[] {
  return [...reservedToolNames, ...customTools];
}
