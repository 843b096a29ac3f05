// File names on a disk are bytes. Inside the snapshot code a path is a "byte path": one character (U+0000 to U+00FF) per byte.
// Outside it is text; bytes that are no UTF-8 become lone surrogates U+DC80 to U+DCFF, so that no two names meet and the way back is exact.

export function toBytePath(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text;
  if (!/[\udc80-\udcff]/.test(text)) return Buffer.from(text, "utf8").toString("latin1");
  return [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      const isEscapedByte = code >= 0xdc80 && code <= 0xdcff;
      return isEscapedByte ? String.fromCharCode(code - 0xdc00) : Buffer.from(character, "utf8").toString("latin1");
    })
    .join("");
}

export function toTextPath(bytePath: string): string {
  if (!/[\x80-\xff]/.test(bytePath)) return bytePath;
  const bytes = Buffer.from(bytePath, "latin1");
  const whole = decodeStrictly(bytes);
  if (whole !== null) return whole;
  let text = "";
  for (let at = 0; at < bytes.length;) {
    const size = characterSize(bytes, at);
    const character = decodeStrictly(bytes.subarray(at, at + size));
    text += character ?? String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += character === null ? 1 : size;
  }
  return text;
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strictDecoder.decode(bytes);
  } catch (error: unknown) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Length of the UTF-8 character that starts at `at`, as its first byte claims. */
function characterSize(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}
