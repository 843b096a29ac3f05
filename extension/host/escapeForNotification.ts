import { escapeText } from "../core/escapeText";

/**
 * One line for a notification, an input box or a pick, at most `most` characters. There the editor turns
 * `[words](command:…)` into something to click and `$(name)` into an icon, which no text of a model may become.
 */
export function escapeForNotification(text: string, most = 300): string {
  return toOneLine(text, most).replaceAll("](", "] (").replaceAll("$(", "$ (");
}

/** One line for a row: line ends become spaces, what cannot be seen is written out. */
export function toOneLine(text: string, most = 200): string {
  const line = text.trim().replace(/\s*\n\s*/g, " ");
  return escapeText(line.length <= most ? line : `${line.slice(0, most - 1).trimEnd()}…`);
}
