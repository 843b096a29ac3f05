import { unknownPiece, type Word } from "./word";

export interface OptionSpec {
  /** Letters of short options whose value follows. */
  short?: string;
  /** Long options whose value follows unless it is glued on with `=`; with their dashes. */
  long?: readonly string[];
  /** The first operand ends the options: what follows belongs to another program. */
  stops?: boolean;
  /** `-name` is one option, as with find, go and terraform. */
  singleDash?: boolean;
}

export interface Option {
  /** `-o` or `--output`. */
  name: string;
  value: Word | null;
}

export interface ParsedOptions {
  options: readonly Option[];
  operands: readonly Word[];
  /** Some word before the operands may be an option, and only the running command will tell. */
  unclear: boolean;
}

export function parseOptions(args: readonly Word[], spec: OptionSpec = {}): ParsedOptions {
  const options: Option[] = [];
  const operands: Word[] = [];
  let unclear = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word;
    if (word.text === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (!word.text.startsWith("-") || word.text === "-") {
      if (word.open || word.text.startsWith(unknownPiece)) unclear = true;
      operands.push(word);
      if (spec.stops === true) {
        operands.push(...args.slice(at + 1));
        break;
      }
      continue;
    }
    const next = args[at + 1] ?? null;
    const isLong = word.text.startsWith("--") || spec.singleDash === true;
    const read = isLong ? readLong(word, next, spec) : readShort(word, next, spec);
    options.push(...read.options);
    if (read.tookNext) at++;
  }
  return { options, operands, unclear };
}

interface ReadOption {
  options: readonly Option[];
  tookNext: boolean;
}

function readLong(word: Word, next: Word | null, { long = [] }: OptionSpec): ReadOption {
  const equals = word.text.indexOf("=");
  if (equals > 0) {
    const value = { ...word, text: word.text.slice(equals + 1) };
    return { options: [{ name: word.text.slice(0, equals), value }], tookNext: false };
  }
  const takes = long.includes(word.text) && next !== null;
  return { options: [{ name: word.text, value: takes ? next : null }], tookNext: takes };
}

function readShort(word: Word, next: Word | null, { short = "" }: OptionSpec): ReadOption {
  const options: Option[] = [];
  const letters = word.text.slice(1);
  for (let at = 0; at < letters.length; at++) {
    const name = `-${letters[at] ?? ""}`;
    if (!short.includes(letters[at] ?? "")) {
      options.push({ name, value: null });
      continue;
    }
    const glued = letters.slice(at + 1);
    const value = glued !== "" ? { ...word, text: glued } : next;
    options.push({ name, value });
    return { options, tookNext: glued === "" && next !== null };
  }
  return { options, tookNext: false };
}

/** The first value of one of these options. Programs accept long names cut short, so a beginning counts as the name. */
export function optionValue({ options }: ParsedOptions, ...names: readonly string[]): Word | null {
  return options.find((option) => names.some((name) => isOption(option.name, name)))?.value ?? null;
}

export function hasOption({ options }: ParsedOptions, ...names: readonly string[]): boolean {
  return options.some((option) => names.some((name) => isOption(option.name, name)));
}

const shortestCut = 4;

function isOption(given: string, name: string): boolean {
  return given === name || (given.startsWith("--") && given.length >= shortestCut && name.startsWith(given));
}
