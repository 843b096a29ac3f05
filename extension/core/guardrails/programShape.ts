export interface ReadOnlyCommand {
  /** Files and folders the command reads, as written. */
  paths: readonly { path: string; use: "read" | "list" }[];
  /** It reads or names everything below these folders. */
  sweeps: readonly string[];
  /** It may print any file a git repository holds. */
  printsRepository: boolean;
}

export interface ProgramShape {
  /** Flags without a value of their own, whole words. */
  flags: RegExp;
  /** Flags whose value is the next word, with the shape of that value. */
  values?: Readonly<Record<string, RegExp>>;
  operands: "none" | "text" | "files" | "folders" | "pattern-then-files";
  /** This flag makes it descend into folders; `always` when it does so anyway. */
  descends?: RegExp | "always";
}

export const nothingRead: ReadOnlyCommand = { paths: [], sweeps: [], printsRepository: false };

export interface ParsedWords {
  flags: readonly string[];
  operands: readonly string[];
}

/** Null when a flag is not listed or its value has another shape. */
export function parseWords(shape: ProgramShape, words: readonly string[]): ParsedWords | null {
  if (shape.operands === "text") return { flags: [], operands: words };
  const flags: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      operands.push(...words.slice(at + 1));
      break;
    }
    const value = shape.values !== undefined && Object.hasOwn(shape.values, word) ? shape.values[word] : undefined;
    if (!word.startsWith("-") || word === "-") operands.push(word);
    else if (value !== undefined && value.test(words[at + 1] ?? "")) at++;
    else if (value === undefined && shape.flags.test(word)) flags.push(word);
    else return null;
  }
  return { flags, operands };
}
