import { foldText } from "../guardrails/foldText";
import type { RuleConfig, RuleMatch } from "./donegateConfig";

/** The first of `others` that matches every call `rule` matches, as far as the written patterns show it. */
export function coveringRule(rule: RuleConfig, others: readonly RuleConfig[]): RuleConfig | null {
  return others.find((other) => covers(other.match, rule.match)) ?? null;
}

function covers(wide: RuleMatch, narrow: RuleMatch): boolean {
  return (
    coversText(wide.tool, narrow.tool, coversWildcard) &&
    coversText(wide.tag, narrow.tag, (a, b) => a === b) &&
    coversText(wide.command, narrow.command, coversWildcard) &&
    coversText(wide.path, narrow.path, coversGlob) &&
    coversValues(wide.args, narrow.args) &&
    coversValues(wide.env, narrow.env)
  );
}

function coversValues(wide: RuleMatch["args"], narrow: RuleMatch["args"]): boolean {
  return Object.entries(wide ?? {}).every(
    ([name, value]) => narrow !== undefined && Object.hasOwn(narrow, name) && sameValue(narrow[name], value),
  );
}

function coversText(
  wide: string | undefined,
  narrow: string | undefined,
  test: (a: string, b: string) => boolean,
): boolean {
  if (wide === undefined) return true;
  return narrow !== undefined && test(foldText(wide), foldText(narrow));
}

/** Equal, or `start*` over anything that begins with `start` for certain. */
function coversWildcard(wide: string, narrow: string): boolean {
  if (wide === narrow) return true;
  const start = wide.slice(0, -1);
  return wide.endsWith("*") && !/[*?]/.test(start) && narrow.startsWith(start);
}

function coversGlob(wide: string, narrow: string): boolean {
  if (wide === narrow || wide === "**") return true;
  const folder = wide.endsWith("/**") ? wide.slice(0, -2) : `${wide}/`;
  return !/[*?[\]{}()!+@]/.test(folder) && narrow.startsWith(folder);
}

function sameValue(a: unknown, b: unknown): boolean {
  return foldText(String(a)) === foldText(String(b));
}
