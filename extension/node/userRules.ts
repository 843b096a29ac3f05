import { findWrongExample, parseUserRules, type ParsedUserRules } from "../core/config/parseUserRules";
import { TreeSitterGrammar } from "./treeSitterGrammar";

/** The rules of a person's settings, their examples checked too; a mistake in one leaves none to go on with. */
export async function readUserRules(given: unknown): Promise<ParsedUserRules> {
  const parsed = parseUserRules(given);
  if (!parsed.ok || parsed.rules.every(({ examples }) => examples === undefined)) return parsed;
  const loaded = await new TreeSitterGrammar().load();
  const wrong = findWrongExample(given, parsed.rules, loaded.ok ? loaded.parse : null);
  return wrong === null ? parsed : { ok: false, message: wrong };
}
