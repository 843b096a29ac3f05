// Folds what a program prints into what is worth reading: the last frame of every line that was drawn over,
// no escape sequences, head and tail of what is long. Works on text as it comes, in bounded memory.

export interface FoldLimits {
  /** Characters kept from the start and from the end once the text is longer than both together. */
  headChars: number;
  tailChars: number;
  /** Characters kept of the full text; what lies between this and the tail is gone for good. */
  fullChars: number;
}

export interface FoldedOutput {
  output: string;
  /** All of it (up to `fullChars`) when `output` is not all of it, else null. */
  fullOutput: string | null;
}

export interface OutputFold {
  /** Takes the next piece of text; answers what is folded by now and will not change any more. */
  push(text: string): string;
  /** Ends the text; the fold is used up afterwards. */
  end(): FoldedOutput;
}

/** Head, tail and the line between them stay under `maxResultCharacters`, so that no result is cut a second time. */
const defaultFoldLimits: FoldLimits = { headChars: 7_900, tailChars: 7_900, fullChars: 8_388_608 };

const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const wholeSequence =
  /(?:\u001b\[|\u009b)([\u0030-\u003f]*)[\u0020-\u002f]*([\u0040-\u007e])|\u001b[\]PX^_][^\u0007\u001b\n]*(?:\u0007|\u001b\\)/y;
const cutSequence =
  /(?:\u001b\[|\u009b)[\u0030-\u003f]*[\u0020-\u002f]*$|\u001b[\]PX^_][^\u0007\u001b\n]*\u001b?$|\u001b[\u0020-\u002f]*$/y;
const shortSequence = /\u001b[\u0020-\u002f]*[\u0030-\u007e]?|\u009b/y;

/** An escape sequence longer than this is not one; a line longer than this is no longer redrawn. */
const longestSequence = 4_096;
const longestLine = 65_536;

export function createOutputFold(limits: FoldLimits = defaultFoldLimits): OutputFold {
  const kept = createExcerpt(limits);
  const line = createLine();
  let unread = "";

  function push(chunk: string): string {
    const text = unread + chunk;
    unread = "";
    let position = 0;
    while (position < text.length) {
      control.lastIndex = position;
      const next = control.exec(text)?.index ?? text.length;
      if (next > position) line.write(text.slice(position, next));
      if (next === text.length) break;
      const read = readControl(text, next, line);
      if (read === "cut") {
        unread = text.slice(next);
        break;
      }
      position = next + read;
    }
    return kept.add(line.take());
  }

  function end(): FoldedOutput {
    line.finish();
    kept.add(line.take());
    return kept.result();
  }

  return { push, end };
}

/** Folds a text that is there as a whole. */
export function foldOutput(text: string, limits: FoldLimits = defaultFoldLimits): FoldedOutput {
  const fold = createOutputFold(limits);
  fold.push(text);
  return fold.end();
}

/** Reads one control character or escape sequence; answers its length, or `cut` when the rest has yet to come. */
function readControl(text: string, at: number, line: Line): number | "cut" {
  const character = text[at];
  if (character === "\r") line.goToStart();
  if (character === "\b") line.back();
  if (character !== "\u001b" && character !== "\u009b") return 1;
  wholeSequence.lastIndex = at;
  const whole = wholeSequence.exec(text);
  if (whole) {
    const [sequence, parameters = "", final] = whole;
    if (final === "G" && /^[01]?$/.test(parameters)) line.goToStart();
    if (final === "K") line.erase(parameters === "2");
    return sequence.length;
  }
  cutSequence.lastIndex = at;
  if (text.length - at < longestSequence && cutSequence.test(text)) return "cut";
  shortSequence.lastIndex = at;
  return shortSequence.exec(text)?.[0].length ?? 1;
}

type Line = ReturnType<typeof createLine>;

/** The line that is being drawn, and the lines that are finished and not yet taken. */
function createLine() {
  let current = "";
  let atStart = false;
  let finished = "";

  function extend(part: string): void {
    if (part === "") return;
    current = atStart ? part : current + part;
    atStart = false;
    if (current.length <= longestLine) return;
    finished += current;
    current = "";
  }

  return {
    write(text: string): void {
      const first = text.indexOf("\n");
      if (first === -1) return extend(text);
      const last = text.lastIndexOf("\n");
      extend(text.slice(0, first));
      finished += current + text.slice(first, last + 1);
      current = text.slice(last + 1);
      atStart = false;
    },
    /** What is there stays until something is drawn over it, so CR LF is a plain line end. */
    goToStart(): void {
      atStart = true;
    },
    back(): void {
      if (!atStart) current = current.slice(0, -1);
    },
    erase(whole: boolean): void {
      if (whole || atStart) current = "";
    },
    finish(): void {
      finished += current;
      current = "";
    },
    take(): string {
      const text = finished;
      finished = "";
      return text;
    },
  };
}

function createExcerpt(limits: FoldLimits) {
  const fullChars = Math.max(limits.fullChars, limits.headChars + limits.tailChars);
  const pieces: string[] = [];
  let piecesLength = 0;
  let tail = "";
  let length = 0;
  let lines = 0;

  function between(start: string, end: string): string {
    const head = cutAtLineEnd(start);
    const foot = cutAtLineStart(end);
    const leftOutLines = lines - countLines(head) - countLines(foot);
    const note = `[... ${length - head.length - foot.length} characters (${leftOutLines} lines) left out ...]`;
    return `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}${note}\n${foot}`;
  }

  return {
    add(text: string): string {
      if (text === "") return text;
      length += text.length;
      lines += countLines(text);
      tail = (text.length < limits.tailChars ? tail + text : text).slice(-limits.tailChars);
      if (piecesLength < fullChars) {
        const piece = text.slice(0, fullChars - piecesLength);
        pieces.push(piece);
        piecesLength += piece.length;
      }
      return text;
    },
    result(): FoldedOutput {
      const start = pieces.join("");
      if (length <= limits.headChars + limits.tailChars) return { output: start, fullOutput: null };
      const fullOutput = length <= fullChars ? start : between(start.slice(0, fullChars - limits.tailChars), tail);
      return { output: between(start.slice(0, limits.headChars), tail), fullOutput };
    },
  };
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

/** Whole lines where that costs at most half; never half a surrogate pair. */
function cutAtLineEnd(text: string): string {
  const lineEnd = text.lastIndexOf("\n") + 1;
  if (lineEnd > text.length / 2) return text.slice(0, lineEnd);
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function cutAtLineStart(text: string): string {
  const lineStart = text.indexOf("\n") + 1;
  if (lineStart > 0 && lineStart < text.length / 2) return text.slice(lineStart);
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
