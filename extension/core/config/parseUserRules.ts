// The rules of a person's own settings: the same form as `guardrails` in donegate.yaml, for every folder.
import * as z from "zod";
import type { ParseShell } from "../ports/shellGrammar";
import { builtInParameters } from "./builtInParameters";
import { reportExamples } from "./checkExamples";
import { createConfigReport } from "./configReport";
import { rules } from "./configSchema";
import type { RuleConfig } from "./donegateConfig";
import { knownToolNames } from "./readAgents";
import { readRules } from "./readRules";
import { toConfigProblems } from "./schemaProblems";
import type { YamlSource } from "./yamlSource";

const setting = "donegate.guardrails";
const schema = z.strictObject({ [setting]: rules });

export type ParsedUserRules = { ok: true; rules: readonly RuleConfig[] } | { ok: false; message: string };

/** `given` is the setting's value as it stands. Never throws; a message names setting and index of each mistake. */
export function parseUserRules(given: unknown): ParsedUserRules {
  const source = toSource(given);
  const shape = schema.safeParse(source.value);
  if (!shape.success) return failed(toConfigProblems(shape.error, schema, source));
  const report = createConfigReport(source);
  const shapes = shape.data[setting] ?? [];
  // Which tools of its own a folder has is not known here: a misspelt name is no mistake, an argument that no tool has is.
  const parameters = new Map(Object.entries(builtInParameters));
  const reading = { shapes, path: [setting], earlier: [], knownTools: knownToolNames([]), parameters };
  const found = readRules({ ...reading, origin: "settings" }, report);
  return report.problems.length > 0 ? failed(report.problems) : { ok: true, rules: found };
}

/** Null: what the rules' examples say is so. `parse` null: the grammar is missing, and no example can be checked. */
export function findWrongExample(
  given: unknown,
  userRules: readonly RuleConfig[],
  parse: ParseShell | null,
): string | null {
  const report = createConfigReport(toSource(given));
  reportExamples(userRules, parse, report);
  return report.problems.length === 0 ? null : toMessage(report.problems);
}

/** Settings have no lines: the path says where. */
function toSource(given: unknown): YamlSource {
  return { value: { [setting]: given }, placeOf: () => ({ line: 1, column: 1 }) };
}

const toMessage = (problems: readonly { message: string }[]): string =>
  `the settings are wrong: ${problems.map(({ message }) => message).join("\n")}`;

const failed = (problems: readonly { message: string }[]) => ({ ok: false as const, message: toMessage(problems) });
