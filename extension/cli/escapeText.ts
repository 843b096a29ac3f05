/**
 * Characters that show nothing, turn the direction of writing, move the cursor or only look like a space. An ordinary
 * space is none of them.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u2800\u3164\uFE00-\uFE0F\uFFA0\u{E0100}-\u{E01EF}]/gu;

/** One line for a terminal: whatever would not be seen as what it is, is written as `\u{...}`. */
export function escapeText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The lines of a text, each escaped, at most `most`; a last line counts the rest. Tabs are shown as two spaces. */
export function escapeLines(text: string, most: number): string[] {
  const lines = text.replace(/\r\n/g, "\n").replace(/\n+$/, "").split("\n");
  const shown = lines.slice(0, most).map((line) => escapeText(shorten(line.replaceAll("\t", "  "), longestLine)));
  return lines.length > most ? [...shown, `(${lines.length - most} more lines)`] : shown;
}

const longestLine = 500;

/** `text` on one line and no longer than `most` characters. */
export function escapeShort(text: string, most: number): string {
  return escapeText(shorten(text.replace(/\s*\n\s*/g, " "), most));
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** A value of a call as JSON, exact and on one line. */
export function escapeValue(value: unknown): string {
  return escapeText(JSON.stringify(value) ?? "undefined");
}

/** `key: value` pairs of a call on one line, cut to fit. */
export function shortArgs(args: Readonly<Record<string, unknown>>, most = 100): string {
  const words = Object.entries(args).map(([key, value]) => {
    const isPlain = typeof value === "string" && /^[\w./@:-]+$/.test(value);
    return `${key}=${isPlain ? value : JSON.stringify(value)}`;
  });
  return escapeShort(words.join(" "), most);
}
