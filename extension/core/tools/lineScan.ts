// Looks at a file too large to hold: keeps the lines that are wanted and what there is to say about all of it.
import { decodeUtf8, toByteText, utf8Bom, whyBinary, type TextFile } from "./textFile";

/** Some lines of a text, and the whole of it in numbers. */
export interface TextView extends Omit<TextFile, "text"> {
  /** From the first wanted line on, without line ends; the last one may be cut where no more was kept. */
  lines: readonly string[];
  isCut: boolean;
  total: number;
  /** Whether the last line ends with a line end. */
  ended: boolean;
}

export interface LineScan {
  /** The next piece of the file; nothing of it is kept that is not wanted. */
  take(piece: Uint8Array): void;
  end(): { ok: true; view: TextView } | { ok: false; reason: string };
}

const lineFeed = 10;
const carriageReturn = 13;
/** As far as a NUL is looked for in any file. */
const probeBytes = 8_000;

export function createLineScan(first: number, limit: number, mostBytes: number): LineScan {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let probe = new Uint8Array(0);
  let isUtf8 = true;
  let lineFeeds = 0;
  let pairs = 0;
  let last: number | undefined;

  function keep(part: Uint8Array): void {
    if (part.length === 0 || keptBytes >= mostBytes) return;
    const wanted = part.slice(0, mostBytes - keptBytes);
    kept.push(wanted);
    keptBytes += wanted.length;
  }

  function check(piece?: Uint8Array): void {
    if (!isUtf8) return;
    try {
      decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      isUtf8 = false;
    }
  }

  return {
    take(piece) {
      if (probe.length < probeBytes) probe = join([probe, piece.slice(0, probeBytes - probe.length)]);
      check(piece);
      let from = 0;
      for (let at = piece.indexOf(lineFeed); at !== -1; at = piece.indexOf(lineFeed, from)) {
        // The line end goes with its line.
        if (isWanted()) keep(piece.subarray(from, at + 1));
        if ((at === 0 ? last : piece[at - 1]) === carriageReturn) pairs += 1;
        lineFeeds += 1;
        from = at + 1;
      }
      if (isWanted()) keep(piece.subarray(from));
      last = piece.at(-1) ?? last;
    },
    end() {
      check();
      const reason = whyBinary(probe);
      if (reason !== null) return { ok: false, reason };
      const ended = last === lineFeed;
      const bom = isUtf8 && toByteText(probe.subarray(0, 3)) === utf8Bom;
      const text = toText(join(kept), isUtf8);
      const lines = (bom && first === 1 ? text.slice(1) : text).replaceAll("\r\n", "\n").split("\n");
      if (lines.at(-1) === "") lines.pop();
      const total = lineFeeds + (ended || last === undefined ? 0 : 1);
      const lineEnds = lineFeeds === 0 ? "none" : pairs === 0 ? "lf" : pairs === lineFeeds ? "crlf" : "mixed";
      return {
        ok: true,
        view: {
          encoding: isUtf8 ? "utf-8" : "unknown",
          bom,
          lineEnds,
          lines,
          isCut: keptBytes >= mostBytes,
          total,
          ended,
        },
      };
    },
  };

  function isWanted(): boolean {
    return lineFeeds + 1 >= first && lineFeeds + 1 < first + limit;
  }
}

/** What was kept may end inside a character. */
function toText(bytes: Uint8Array, isUtf8: boolean): string {
  if (!isUtf8) return toByteText(bytes);
  for (let left = 0; left < 4; left += 1) {
    const text = decodeUtf8(bytes.subarray(0, bytes.length - left));
    if (text !== null) return text;
  }
  return toByteText(bytes);
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
