/** Stands in a word's text for a piece that is only known when the command runs. No real word can hold it. */
export const unknownPiece = "\0";

/** What reaches the next command along with some text. */
export interface Carried {
  /** It came over the network. */
  network: boolean;
  /** It was decoded from something unreadable. */
  decoded: boolean;
  /** It may hold a secret. */
  secret: boolean;
}

export const nothingCarried: Carried = { network: false, decoded: false, secret: false };

/** A word as the program gets it. */
export interface Word {
  text: string;
  /** As written, for people. */
  raw: string;
  /** Some unquoted `*`, `?` or `[` in it makes the shell look for files. */
  glob: boolean;
  /** An unquoted unknown piece: it may be no word at all, or several. */
  open: boolean;
  carried: Carried;
}

/** What a command writes to its standard output. */
export interface Output extends Carried {
  /** Null: not known before it runs. */
  text: string | null;
  /** Folders and files whose names it lists, where that is known. */
  places?: readonly Word[];
}

export const silent: Output = { ...nothingCarried, text: "" };
export const unknownOutput: Output = { ...nothingCarried, text: null };

export function literal(text: string, raw = text): Word {
  return { text, raw, glob: false, open: false, carried: nothingCarried };
}

export function unknownWord(raw: string, carried: Carried = nothingCarried): Word {
  return { text: unknownPiece, raw, glob: false, open: true, carried };
}

/** Names that are listed from `word` on: itself, and everything below it. */
export function listedFrom(word: Word): readonly Word[] {
  if (word.glob) return [word];
  const below = word.text === "." ? "./**/*" : `${word.text.replace(/\/+$/, "")}/**/*`;
  return [word, { ...word, text: below, glob: true }];
}

export function isKnown(word: Word): boolean {
  return !word.text.includes(unknownPiece) && !word.glob;
}

export function carryBoth(a: Carried, b: Carried): Carried {
  return { network: a.network || b.network, decoded: a.decoded || b.decoded, secret: a.secret || b.secret };
}

export function carriedBy(words: readonly Word[]): Carried {
  return words.reduce<Carried>((sum, word) => carryBoth(sum, word.carried), nothingCarried);
}
