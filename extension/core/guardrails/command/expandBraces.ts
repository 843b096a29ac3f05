/** One character of a word on its way through the shell's expansions. */
export interface Letter {
  text: string;
  quoted: boolean;
  /** It came from an unquoted expansion: white space in it separates words. */
  splits: boolean;
}

const mostWords = 64;

/** `a{b,c}` and `{1..3}` as the shell expands them. Null: too many to follow. */
export function expandBraces(letters: readonly Letter[]): readonly (readonly Letter[])[] | null {
  const brace = findBrace(letters);
  if (brace === null) return [letters];
  const words: (readonly Letter[])[] = [];
  for (const choice of brace.choices) {
    const expanded = expandBraces([...letters.slice(0, brace.start), ...choice, ...letters.slice(brace.end + 1)]);
    if (expanded === null || words.length + expanded.length > mostWords) return null;
    words.push(...expanded);
  }
  return words;
}

interface Brace {
  start: number;
  end: number;
  choices: readonly (readonly Letter[])[];
}

function findBrace(letters: readonly Letter[]): Brace | null {
  for (let start = 0; start < letters.length; start++) {
    const isDollar = start > 0 && isPlain(letters[start - 1], "$");
    if (isPlain(letters[start], "{") && !isDollar) {
      const brace = readBrace(letters, start);
      if (brace !== null) return brace;
    }
  }
  return null;
}

function readBrace(letters: readonly Letter[], start: number): Brace | null {
  const commas: number[] = [];
  let depth = 0;
  for (let at = start; at < letters.length; at++) {
    if (isPlain(letters[at], "{")) depth++;
    else if (isPlain(letters[at], ",") && depth === 1) commas.push(at);
    else if (isPlain(letters[at], "}") && --depth === 0) {
      const choices = commas.length > 0 ? between(letters, [start, ...commas, at]) : readRange(letters, start, at);
      return choices === null ? null : { start, end: at, choices };
    }
  }
  return null;
}

function between(letters: readonly Letter[], marks: readonly number[]): readonly (readonly Letter[])[] {
  return marks.slice(1).map((mark, index) => letters.slice((marks[index] ?? 0) + 1, mark));
}

function readRange(letters: readonly Letter[], start: number, end: number): readonly (readonly Letter[])[] | null {
  const inner = letters.slice(start + 1, end);
  const text = inner.map((letter) => letter.text).join("");
  const found = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?\d+)?$/.exec(text);
  if (found === null || inner.some((letter) => letter.quoted)) return null;
  const [, from = "", to = ""] = found;
  const isNumber = /\d/.test(from) && /\d/.test(to);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const count = Math.min(Math.abs(last - first) + 1, mostWords + 1);
  const step = last < first ? -1 : 1;
  return Array.from({ length: count }, (_, index) => {
    const value = first + index * step;
    return [...(isNumber ? String(value) : String.fromCharCode(value))].map((each) => ({
      text: each,
      quoted: true,
      splits: false,
    }));
  });
}

function isPlain(letter: Letter | undefined, text: string): boolean {
  return letter !== undefined && !letter.quoted && !letter.splits && letter.text === text;
}
