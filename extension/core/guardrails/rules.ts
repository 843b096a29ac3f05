// Written rules: what a person or a configuration says about calls. Denies and asks match widely, allows narrowly,
// so that a doubt about what a call means never makes it easier.
import type { RuleConfig, RuleMatch } from "../config/donegateConfig";
import { foldText, foldedValues } from "./foldText";
import { createGlobSet } from "./globSet";
import { literalWords } from "./literalCommand";
import type { PlacePath } from "./placePath";
import type { GuardedCall, RuleSet, Verdict } from "./verdict";
import { matchesWildcard } from "./wildcard";

export type RuleScope = "built-in" | "user" | "workspace" | "agent";

export interface RulesOptions {
  scope: RuleScope;
  rules: readonly RuleConfig[];
  placePath: PlacePath;
}

export function createRules({ scope, rules, placePath }: RulesOptions): RuleSet {
  const prepared = rules.map((rule) => ({ rule, matches: createMatch(rule, placePath) }));
  return {
    id: `rules.${scope}`,
    verdicts: (call) => prepared.filter(({ matches }) => matches(call)).map(({ rule }) => toVerdict(rule)),
  };
}

/** What counts of a workspace file nobody has accepted: it may restrict, never permit. */
export function acceptedOnly(rules: readonly RuleConfig[]): readonly RuleConfig[] {
  return rules.filter((rule) => rule.decision !== "allow");
}

function toVerdict({ id, decision, reason, level }: RuleConfig): Verdict {
  if (decision === "allow") return { decision, rule: id };
  if (decision === "deny") return { decision, rule: id, reason };
  return { decision, rule: id, reason, level };
}

type Matcher = (call: GuardedCall) => boolean;

/** A rule without any part matches nothing when it allows, everything otherwise. */
function createMatch({ match, decision }: RuleConfig, placePath: PlacePath): Matcher {
  const narrow = decision === "allow";
  const parts = [
    match.tool === undefined ? null : matchTool(match.tool),
    match.tag === undefined ? null : matchTag(match.tag),
    match.command === undefined ? null : matchCommand(match.command, narrow),
    match.path === undefined ? null : matchPath(match.path, narrow, placePath),
    match.args === undefined ? null : matchArgs(match.args, narrow),
  ].filter((part) => part !== null);
  if (parts.length === 0) return () => !narrow;
  return (call) => parts.every((part) => part(call));
}

function matchTool(tool: string): Matcher {
  return (call) => matchesWildcard(foldText(tool), foldText(call.tool));
}

function matchTag(tag: string): Matcher {
  return (call) => call.tags.some((each) => each === tag);
}

function matchCommand(pattern: string, narrow: boolean): Matcher {
  return (call) => {
    const command = call.args["command"];
    if (typeof command !== "string") return false;
    return narrow
      ? allowsCommand(pattern, command)
      : commandForms(command).some((form) => matchesWildcard(foldText(pattern), form));
  };
}

/** The very text, or one literal command that the pattern matches: a `*` never reaches over `;` or `$(…)`. */
function allowsCommand(pattern: string, command: string): boolean {
  const collapse = (text: string): string => text.trim().replace(/[ \t]+/g, " ");
  if (command.trim() === pattern.trim()) return true;
  return literalWords(command) !== null && matchesWildcard(collapse(pattern), collapse(command));
}

/** The whole text and each part between separators, without quotes too. */
function commandForms(command: string): readonly string[] {
  const parts = [command, ...command.split(/[;&|\n(){}`]+/)];
  return [...new Set(parts.flatMap((part) => [foldText(part), foldText(part.replace(/["'\\]/g, ""))]))];
}

function matchPath(glob: string, narrow: boolean, placePath: PlacePath): Matcher {
  const globs = createGlobSet([glob]);
  return (call) => {
    const places = call.paths.map((use) => placePath(use.path));
    if (!narrow) return places.some((place) => place !== null && globs.matches([...place.inRoot, ...place.keys]));
    return (
      places.length > 0 &&
      places.every((place) => place?.inside === true && place.inRoot.every((key) => globs.matches([key])))
    );
  };
}

function matchArgs(args: NonNullable<RuleMatch["args"]>, narrow: boolean): Matcher {
  const wanted = Object.entries(args).map(([name, value]) => ({ name, value: foldText(String(value)) }));
  return (call) =>
    wanted.every(({ name, value }) => {
      const values = Object.hasOwn(call.args, name) ? foldedValues(call.args[name]) : [];
      return narrow ? values.length > 0 && values.every((each) => each === value) : values.includes(value);
    });
}
