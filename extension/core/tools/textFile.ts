// Text as it lies in files. Everything here keeps bytes: what is not understood is carried, never converted.

/** A string with one character for each byte. */
export type ByteText = string;

export const utf8Bom: ByteText = "\u00EF\u00BB\u00BF";

export interface TextFile {
  /** `unknown`: not valid UTF-8; each byte above 127 is shown as the Latin-1 character of that number. */
  encoding: "utf-8" | "unknown";
  bom: boolean;
  lineEnds: "lf" | "crlf" | "mixed" | "none";
  /** Without byte order mark, CR LF shown as LF. */
  text: string;
}

export type OpenedText = { ok: true; file: TextFile } | { ok: false; reason: string };

export function openText(bytes: Uint8Array): OpenedText {
  const binary = whyBinary(bytes);
  if (binary !== null) return { ok: false, reason: binary };
  const decoded = decodeUtf8(bytes);
  const raw = decoded ?? toByteText(bytes);
  const bom = decoded !== null && decoded.startsWith("\uFEFF");
  const body = bom ? raw.slice(1) : raw;
  return {
    ok: true,
    file: {
      encoding: decoded === null ? "unknown" : "utf-8",
      bom,
      lineEnds: lineEndsOf(body),
      text: body.replaceAll("\r\n", "\n"),
    },
  };
}

/** Asked of the first bytes of a file, at least 8,000 where it has as many. */
export function whyBinary(bytes: Uint8Array): string | null {
  const first = bytes[0];
  const second = bytes[1];
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return "it is encoded in UTF-16, which these tools do not edit";
  }
  return bytes.subarray(0, 8000).includes(0) ? "it is a binary file" : null;
}

export function lineEndsOf(text: string): TextFile["lineEnds"] {
  const all = countOf(text, "\n");
  const pairs = countOf(text, "\r\n");
  if (all === 0) return "none";
  if (pairs === 0) return "lf";
  return pairs === all ? "crlf" : "mixed";
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** Null when the bytes are not UTF-8. A byte order mark stays as U+FEFF. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function isAscii(text: string): boolean {
  return !/[^\0-\u007F]/.test(text);
}

export function toByteText(bytes: Uint8Array): ByteText {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join("");
}

export function fromByteText(text: ByteText): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
