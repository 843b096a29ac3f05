import { decodeUtf8, encodeUtf8, fromByteText, isAscii, toByteText, utf8Bom } from "./textFile";
import type { ByteText } from "./textFile";

export type Replacement =
  | { ok: true; bytes: Uint8Array; firstLine: number; lastLine: number }
  | { ok: false; problem: "no-match" }
  | { ok: false; problem: "several"; lines: readonly number[] }
  /** The file is not UTF-8 and the edit cannot be made without knowing what it is. */
  | { ok: false; problem: "encoding"; why: string };

/**
 * Replaces the one place where `oldText` stands. Line ends match whatever they are and stay as the file has them;
 * bytes that `oldText` and `newText` share at their edges, and all others outside, are not touched.
 */
export function replaceOnce(bytes: Uint8Array, oldText: string, newText: string): Replacement {
  const isUtf8 = decodeUtf8(bytes) !== null;
  const whole = toByteText(bytes);
  const start = isUtf8 && whole.startsWith(utf8Bom) ? utf8Bom.length : 0;
  const body = whole.slice(start);
  const encode = isUtf8 ? (text: string): ByteText => toByteText(encodeUtf8(text)) : (text: string): ByteText => text;
  const wanted = encode(toLf(oldText));

  const view = toLf(body);
  const places = findAll(view, wanted);
  const place = places[0];
  if (place === undefined) return { ok: false, problem: "no-match" };
  if (places.length > 1) return { ok: false, problem: "several", lines: places.map((at) => lineAt(view, at)) };

  const given = encode(toLf(start > 0 && place === 0 ? withoutBom(newText) : newText));
  const head = sharedHead(wanted, given);
  const tail = sharedTail(wanted.slice(head), given.slice(head));
  const from = rawOffset(body, place + head);
  const to = rawOffset(body, place + wanted.length - tail);
  const inserted = given.slice(head, given.length - tail);
  const why = isUtf8 ? null : whyUnsafe(body, from, to, inserted);
  if (why !== null) return { ok: false, problem: "encoding", why };

  const fitted = usesCrlf(body, from) ? inserted.replaceAll("\n", "\r\n") : inserted;
  const firstLine = lineAt(view, place);
  return {
    ok: true,
    bytes: fromByteText(whole.slice(0, start) + body.slice(0, from) + fitted + body.slice(to)),
    firstLine,
    lastLine: firstLine + lineAt(given, given.length) - 1 - (given.endsWith("\n") ? 1 : 0),
  };
}

function toLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** A model that copies a byte order mark into the text must not double the one the file keeps. */
function withoutBom(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Overlapping places count: which of them was meant is just as unclear. Stops at 20. */
function findAll(text: string, part: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1 && places.length < 20; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function sharedHead(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

function sharedTail(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}

/** Where an index into the text with LF lies in the same text with its CR LF pairs. */
function rawOffset(raw: string, index: number): number {
  let offset = index;
  for (let pair = raw.indexOf("\r\n"); pair !== -1 && pair < offset; pair = raw.indexOf("\r\n", pair + 2)) offset += 1;
  return offset;
}

/** New lines end as the line does in which the change begins; at the end of a file as the line before. */
function usesCrlf(body: string, from: number): boolean {
  const next = body.indexOf("\n", from);
  const end = next === -1 ? body.lastIndexOf("\n") : next;
  return end > 0 && body[end - 1] === "\r";
}

function whyUnsafe(body: ByteText, from: number, to: number, inserted: string): string | null {
  if (!isAscii(inserted))
    return "the new text has characters outside ASCII, and which bytes they would be is not known";
  if (mayJoin(body, from) || mayJoin(body, to)) {
    return "the changed text touches a byte above 127, and may be half of a character";
  }
  return null;
}

/** In Shift-JIS, GBK and Big5 the second byte of a character can look like an ASCII digit, letter or backslash. */
function mayJoin(body: ByteText, at: number): boolean {
  return at > 0 && at < body.length && body.charCodeAt(at - 1) >= 0x80 && body.charCodeAt(at) >= 0x30;
}
