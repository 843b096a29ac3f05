import { escapeText } from "../core/escapeText";

export { escapeText };

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
