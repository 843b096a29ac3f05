// `donegate.yaml`: text in, a whole configuration or every problem with its place out. Nothing is guessed and nothing ignored.
import { builtInParameters } from "./builtInParameters";
import { checkBudget } from "./checkBudget";
import { createConfigReport } from "./configReport";
import type { ConfigReport } from "./configReport";
import { configSchema } from "./configSchema";
import type { ConfigShape } from "./configSchema";
import type { ConfigProblem, DonegateConfig } from "./donegateConfig";
import { isRootOrAbove } from "./pathAbove";
import { knownToolNames, readAgents } from "./readAgents";
import { readRules } from "./readRules";
import { readTools } from "./readTools";
import { readVerify } from "./readVerify";
import { toConfigProblems } from "./schemaProblems";
import { parseYaml } from "./yamlSource";
import type { YamlSource } from "./yamlSource";

export type ParsedConfig = { ok: true; config: DonegateConfig } | { ok: false; problems: readonly ConfigProblem[] };

const mostProblems = 50;

/** `digest` is the SHA-256 of the file's bytes. Never throws; problems are sorted by place and at least one when not ok. */
export function parseConfig(text: string, digest: string): ParsedConfig {
  const yaml = parseYaml(text);
  if (!yaml.ok) return failed(yaml.problems);
  const { source } = yaml;
  const { value, off } = takeOff(source.value);
  const shape = configSchema.safeParse(value);
  if (!shape.success) return failed(toConfigProblems(shape.error, configSchema, { ...source, value }));
  const report = createConfigReport(source);
  const config = readSections(shape.data, report);
  if (report.problems.length > 0) return failed(report.problems);
  const warnings = [...emptyWarning(source), ...report.warnings];
  return { ok: true, config: { digest, ...config, verify: off ? "off" : config.verify, warnings } };
}

function readSections(shape: ConfigShape, report: ConfigReport): Omit<DonegateConfig, "digest" | "warnings"> {
  const knownTools = knownToolNames(Object.keys(shape.tools ?? {}));
  const parameters = knownParameters(shape.tools ?? {});
  const rules = { shapes: shape.guardrails ?? [], path: ["guardrails"], earlier: [], knownTools, parameters };
  const guardrails = readRules(rules, report);
  const hidden = shape.contract?.hidden ?? [];
  hidden.forEach((folder, index) => {
    if (isRootOrAbove(folder)) report.problem(["contract", "hidden", index], "would hide the workspace itself");
  });
  checkBudget(shape.budget ?? {}, ["budget"], report);
  return {
    verify: shape.verify === undefined ? null : readVerify(shape.verify, report),
    contract: { protect: shape.contract?.protect ?? [], hidden },
    guardrails,
    tools: readTools(shape.tools ?? {}, report),
    agents: readAgents({ shapes: shape.agents ?? {}, workspaceRules: guardrails, knownTools, parameters }, report),
    prod: { patterns: shape.prod?.patterns ?? [] },
    budget: shape.budget ?? {},
  };
}

function knownParameters(tools: NonNullable<ConfigShape["tools"]>): ReadonlyMap<string, readonly string[]> {
  const own = Object.entries(tools).map(([name, tool]) => [name, Object.keys(tool.parameters ?? {})] as const);
  return new Map([...own, ...Object.entries(builtInParameters)]);
}

/** Takes out `verify: off`. An empty `verify:` is a section that misses everything; an empty file is a map without keys. */
function takeOff(value: unknown): { value: unknown; off: boolean } {
  if (value === null) return { value: {}, off: false };
  if (typeof value !== "object" || !("verify" in value)) return { value, off: false };
  const { verify, ...rest } = value;
  if (verify === "off") return { value: rest, off: true };
  return { value: verify === null ? { ...rest, verify: {} } : value, off: false };
}

function emptyWarning(source: YamlSource): readonly ConfigProblem[] {
  return source.value === null ? [{ line: 1, column: 1, message: "the file is empty: nothing is configured" }] : [];
}

function failed(problems: readonly ConfigProblem[]): ParsedConfig {
  const sorted = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return { ok: false, problems: sorted.slice(0, mostProblems) };
}
