// Reads the arguments of one tool call. What a model meant is never guessed: the text is taken as it is,
// repaired where there is exactly one reading, or refused with a message that the model can act on.
import { asRecord } from "./asRecord";
import type { ParsedArguments } from "./modelReply";

export interface ReadArguments {
  args: ParsedArguments;
  /** JSON text of one object, fit to be sent back; `{}` when refused. */
  text: string;
  /** What was put right, null when nothing was. */
  note: string | null;
}

/** `text` is the joined argument text of one call. Blank and `null` mean no arguments. */
export function parseArguments(text: string): ReadArguments {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "null") return { args: { ok: true, value: {} }, text: "{}", note: null };

  const plain = parseJson(text);
  if (plain.ok) return fromValue(plain.value, text, null);

  const escaped = escapeControlCharacters(text);
  const repaired = escaped === null ? plain : parseJson(escaped);
  if (escaped !== null && repaired.ok) {
    return fromValue(repaired.value, escaped, "raw control characters in the arguments were escaped");
  }
  return refuse(explain(text, plain.ok ? "" : plain.message));
}

/** True when the text is one whole JSON object. */
export function isWholeObject(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  const parsed = parseArguments(text);
  return parsed.args.ok;
}

type Parsed = { ok: true; value: unknown } | { ok: false; message: string };

function parseJson(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error: unknown) {
    return { ok: false, message: error instanceof SyntaxError ? error.message : String(error) };
  }
}

function fromValue(value: unknown, text: string, note: string | null): ReadArguments {
  const plain = asRecord(value);
  if (plain !== null) return { args: { ok: true, value: plain }, text, note };
  if (typeof value === "string") {
    const inner = parseJson(value);
    const unwrapped = inner.ok ? asRecord(inner.value) : null;
    if (unwrapped !== null) {
      return { args: { ok: true, value: unwrapped }, text: value, note: "the arguments were encoded twice" };
    }
  }
  return refuse(`the arguments are ${nameOf(value)}, but must be one JSON object`);
}

function refuse(reason: string): ReadArguments {
  return { args: { ok: false, message: `${reason}; nothing was run` }, text: "{}", note: null };
}

function explain(text: string, parserMessage: string): string {
  const end = endOfFirstObject(text);
  if (end === null && text.trimStart().startsWith("{")) {
    return "the JSON of the arguments ends before it is complete";
  }
  const rest = end === null ? "" : text.slice(end).trim();
  if (rest !== "" && end !== null && parseJson(text.slice(0, end)).ok) {
    return `extra data after the first JSON object: ${excerpt(rest)}. Make one call for each object`;
  }
  return `the arguments are not valid JSON (${parserMessage})`;
}

/** The position after the closing brace of the object the text starts with, or null. */
function endOfFirstObject(text: string): number | null {
  let depth = 0;
  let position = 0;
  for (const { character, inString } of walkJson(text)) {
    position += character.length;
    if (inString) continue;
    if (character === "{" || character === "[") depth += 1;
    if (character === "}" || character === "]") depth -= 1;
    if (depth === 0 && character === "}") return position;
  }
  return null;
}

/** Null where a control character follows a backslash: that has no single reading. */
function escapeControlCharacters(text: string): string | null {
  let escaped = "";
  for (const { character, inString, isEscaped } of walkJson(text)) {
    const isControl = character < " ";
    if (inString && isControl && isEscaped) return null;
    escaped += inString && isControl ? JSON.stringify(character).slice(1, -1) : character;
  }
  return escaped;
}

/** Every UTF-16 unit with its place: inside a string (quotes not included), and right after a backslash. */
function* walkJson(text: string): Generator<{ character: string; inString: boolean; isEscaped: boolean }> {
  let inString = false;
  let isEscaped = false;
  for (let position = 0; position < text.length; position += 1) {
    const character = text.charAt(position);
    const isQuote = character === '"' && !isEscaped;
    if (isQuote) inString = !inString;
    yield { character, inString: inString && !isQuote, isEscaped };
    isEscaped = inString && character === "\\" && !isEscaped;
  }
}

function excerpt(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

function nameOf(value: unknown): string {
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
