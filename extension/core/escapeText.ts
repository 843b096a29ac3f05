/**
 * Characters that show nothing, turn the direction of writing, move the cursor or only look like a space. An ordinary
 * space is none of them.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}]/gu;

/** One line for a person: whatever would not be seen as what it is, is written as `\u{...}`. */
export function escapeText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
