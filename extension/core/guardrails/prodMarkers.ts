// How production shows in a call: as a word of its own, or by a pattern of the configuration.
import { foldText } from "./foldText";
import { matchesWildcard } from "./wildcard";

const prodWord = /(?<!\p{L})(?:prod|production)(?!\p{L})/u;
const environmentWords: ReadonlySet<string> = new Set(["prod", "production", "live"]);

/** `value` in folded form. */
export function isEnvironmentWord(value: string): boolean {
  return environmentWords.has(value);
}

/** `acme-prod`, `db.prod.internal`, `RAILS_ENV=production`, `pr"o"d`; never `product`. Patterns match a whole word or a part of one. */
export function namesProd(text: string, patterns: readonly string[]): boolean {
  const folded = foldText(text);
  const unquoted = folded.replace(/["'\\]/g, "");
  if (prodWord.test(folded) || prodWord.test(unquoted)) return true;
  const wanted = patterns.map(foldText).filter((pattern) => pattern !== "");
  return (
    wanted.length > 0 && partsOf(folded, unquoted).some((part) => wanted.some((each) => matchesWildcard(each, part)))
  );
}

function partsOf(folded: string, unquoted: string): readonly string[] {
  const separators = [/\s+/, /[\s"'`=,;|&<>()@/]+/, /[\s"'`=,;|&<>()@/:]+/];
  const parts = [folded, unquoted].flatMap((text) => [
    text,
    ...separators.flatMap((separator) => text.split(separator)),
  ]);
  return [...new Set(parts)].filter((part) => part !== "");
}
