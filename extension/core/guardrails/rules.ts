// Written rules: what a person or a configuration says about calls. Denies and asks match widely, allows narrowly,
// so that a doubt about what a call means never makes it easier.
import type { RuleConfig, RuleMatch } from "../config/donegateConfig";
import { foldText, foldedValues } from "./foldText";
import { createGlobSet } from "./globSet";
import type { Part } from "./command/analyseCommand";
import { unknownPiece } from "./command/word";
import type { CommandReader } from "./commandReader";
import type { PlacePath } from "./placePath";
import type { GuardedCall, RuleSet, Verdict } from "./verdict";
import { matchesWildcard } from "./wildcard";

export type RuleScope = "built-in" | "user" | "workspace" | "agent";

export interface RulesOptions {
  scope: RuleScope;
  rules: readonly RuleConfig[];
  placePath: PlacePath;
  /** Null: commands are matched by their text alone, and allowed only word for word. */
  reader: CommandReader | null;
}

export function createRules({ scope, rules, placePath, reader }: RulesOptions): RuleSet {
  const prepared = rules.map((rule) => ({ rule, matches: createMatch(rule, placePath, reader) }));
  const reads = reader !== null && rules.some(({ match }) => match.command !== undefined || match.env !== undefined);
  return {
    id: `rules.${scope}`,
    ...(reads ? { prepare: (call: GuardedCall) => reader.prepare(call) } : {}),
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
function createMatch({ match, decision }: RuleConfig, placePath: PlacePath, reader: CommandReader | null): Matcher {
  const narrow = decision === "allow";
  const parts = [
    match.tool === undefined ? null : matchTool(match.tool),
    match.tag === undefined ? null : matchTag(match.tag),
    match.command === undefined ? null : matchCommand(match.command, narrow, reader),
    match.env === undefined ? null : matchVariables(match.env, narrow, reader),
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

function matchCommand(pattern: string, narrow: boolean, reader: CommandReader | null): Matcher {
  return (call) => {
    const command = call.args["command"];
    if (typeof command !== "string") return false;
    const parts = reader?.read(call)?.parts ?? null;
    if (narrow) return allowsCommand(pattern, command, parts);
    const forms = [...commandForms(command), ...(parts ?? []).flatMap((part) => commandForms(part.words.join(" ")))];
    return forms.some((form) => matchesWildcard(foldText(pattern), form));
  };
}

const collapse = (text: string): string => text.trim().replace(/[ \t]+/g, " ");

/**
 * The very text, or a command in which every part is matched or needs no question: a `*` never reaches from one part into
 * another. Without a grammar only the very text counts.
 */
function allowsCommand(pattern: string, command: string, parts: readonly Part[] | null): boolean {
  if (command.trim() === pattern.trim()) return true;
  if (parts === null || parts.length === 0) return false;
  const isMatched = ({ words }: Part): boolean =>
    words.length > 0 &&
    !words.some((word) => word.includes(unknownPiece)) &&
    matchesWildcard(collapse(pattern), collapse(words.join(" ")));
  return parts.some(isMatched) && parts.every((part) => part.verdict.decision === "allow" || isMatched(part));
}

function matchVariables(wanted: NonNullable<RuleMatch["env"]>, narrow: boolean, reader: CommandReader | null): Matcher {
  return (call) => {
    const set = reader?.read(call)?.assignments ?? [];
    return Object.entries(wanted).every(([name, pattern]) => {
      const values = set.filter((each) => foldText(each.name) === foldText(name)).map((each) => foldText(each.value));
      const isMatched = (value: string): boolean => matchesWildcard(foldText(String(pattern)), value);
      return narrow ? values.length > 0 && values.every(isMatched) : values.some(isMatched);
    });
  };
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
