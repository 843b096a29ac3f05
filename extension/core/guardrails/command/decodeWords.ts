// From the grammar's nodes to the words a program gets: quotes, escapes, braces, tildes, variables with a known value.
import type { ShellSyntax } from "../../ports/shellGrammar";
import { decodeEscapes } from "./decodeEscapes";
import { expandBraces, type Letter } from "./expandBraces";
import type { Scope } from "./scope";
import {
  carryBoth,
  nothingCarried,
  unknownPiece,
  unknownWord,
  unknownOutput,
  type Carried,
  type Output,
  type Word,
} from "./word";

export interface WordSource {
  scope: Scope;
  /** The person's home folder. */
  home: string;
  /** Absolute. */
  root: string;
  /** Judges what is inside `$(…)` or `<(…)` and answers what it writes. */
  run(node: ShellSyntax): Output;
  /** Something in the word asks by itself. */
  ask(rule: string, reason: string): void;
}

/** One way a piece of a word may come out. */
interface Reading {
  letters: readonly Letter[];
  carried: Carried;
}

const mostReadings = 16;

/** The words of an argument list. Variables with several possible values make several lists; each has to be judged. */
export function decodeWords(nodes: readonly ShellSyntax[], source: WordSource): readonly (readonly Word[])[] {
  let lists: readonly (readonly Word[])[] = [[]];
  for (const group of groupAdjacent(nodes)) {
    const raw = group.map((node) => node.text).join("");
    const options = combine(group.flatMap((node) => readNode(node, false, source))).map((reading) =>
      toWords(reading, raw, source),
    );
    const joined = lists.flatMap((list) => options.map((words) => [...list, ...words]));
    lists = joined.length > mostReadings ? lists.map((list) => [...list, unknownWord(raw)]) : joined;
  }
  return lists;
}

/** The value of an assignment: never split, no file names. */
export function decodeValue(node: ShellSyntax | undefined, source: WordSource): readonly Word[] {
  if (node === undefined) return [{ ...unknownWord(""), text: "", open: false }];
  const nodes = node.type === "array" ? node.children.filter((child) => child.named) : [node];
  const lists = decodeWords(nodes, source);
  return lists.map((words) => ({
    text: words.map((word) => word.text).join(" "),
    raw: node.text,
    glob: words.some((word) => word.glob),
    open: words.some((word) => word.open),
    carried: words.reduce<Carried>((sum, word) => carryBoth(sum, word.carried), nothingCarried),
  }));
}

/** Nodes without white space between them are one word. */
function groupAdjacent(nodes: readonly ShellSyntax[]): readonly (readonly ShellSyntax[])[] {
  const groups: ShellSyntax[][] = [];
  for (const node of nodes) {
    const last = groups.at(-1);
    if (last !== undefined && last.at(-1)?.end === node.start && node.start > 0) last.push(node);
    else groups.push([node]);
  }
  return groups;
}

type Choice = readonly Reading[];

function combine(choices: readonly Choice[]): readonly Reading[] {
  let readings: readonly Reading[] = [{ letters: [], carried: nothingCarried }];
  for (const choice of choices) {
    const next = readings.flatMap((reading) =>
      choice.map((piece) => ({
        letters: [...reading.letters, ...piece.letters],
        carried: carryBoth(reading.carried, piece.carried),
      })),
    );
    readings = next.length > mostReadings ? [unknownReading(false)] : next;
  }
  return readings;
}

function plain(text: string, quoted: boolean, splits = false): Choice {
  return [{ letters: [...text].map((each) => ({ text: each, quoted, splits })), carried: nothingCarried }];
}

function unknownReading(quoted: boolean, carried: Carried = nothingCarried): Reading {
  return { letters: [{ text: unknownPiece, quoted, splits: false }], carried };
}

function readNode(node: ShellSyntax, quoted: boolean, source: WordSource): readonly Choice[] {
  switch (node.type) {
    case "raw_string":
      return [plain(node.text.slice(1, -1), true)];
    case "ansi_c_string":
      return [plain(decodeEscapes(node.text.slice(2, -1)), true)];
    case "string":
      return readString(node, source);
    case "translated_string":
      return node.children.filter((child) => child.type === "string").flatMap((child) => readString(child, source));
    case "concatenation":
    case "command_name":
      return node.children.length === 0
        ? [readPlainText(node.text)]
        : node.children.flatMap((child) => readNode(child, quoted, source));
    case "simple_expansion":
      return [readVariable(node.text.slice(1), quoted, source)];
    case "expansion":
      return [readExpansion(node, quoted, source)];
    case "command_substitution":
    case "process_substitution":
      return [readOutput(node, quoted, source)];
    case "arithmetic_expansion":
      source.run(node);
      return [[unknownReading(true)]];
    default:
      return readOther(node, source);
  }
}

function readOther(node: ShellSyntax, source: WordSource): readonly Choice[] {
  if (node.text === "$" && !node.named) return [plain("", false)];
  if (node.children.length === 0 || !holdsExpansion(node)) return [readPlainText(node.text)];
  source.run(node);
  return [[unknownReading(false)]];
}

function holdsExpansion(node: ShellSyntax): boolean {
  return /expansion|substitution/.test(node.type) || node.children.some(holdsExpansion);
}

/** Unquoted text: a backslash keeps the next character, and disappears with a line end. */
function readPlainText(text: string): Choice {
  const letters: Letter[] = [];
  for (let at = 0; at < text.length; at++) {
    const escaped = text[at] === "\\" && at + 1 < text.length;
    if (escaped) at++;
    const letter = text[at] ?? "";
    if (!(escaped && letter === "\n")) letters.push({ text: letter, quoted: escaped, splits: false });
  }
  return [{ letters, carried: nothingCarried }];
}

function readString(node: ShellSyntax, source: WordSource): readonly Choice[] {
  const choices: Choice[] = [];
  const [first, last] = [node.start + 1, node.end - 1];
  let at = first;
  const textUpTo = (end: number): void => {
    if (end > at) choices.push(plain(unescapeQuoted(node.text.slice(at - node.start, end - node.start)), true));
  };
  for (const child of node.children) {
    if (!child.named || child.type === "string_content") continue;
    textUpTo(child.start);
    choices.push(...readNode(child, true, source));
    at = child.end;
  }
  textUpTo(last);
  return choices;
}

function unescapeQuoted(text: string): string {
  return text.replace(/\\([$`"\\\n])/g, (_whole, letter: string) => (letter === "\n" ? "" : letter));
}

const secretName =
  /token|secret|passw|api_?key|private_?key|credential|access_?key|auth_?key|_pat$|^pat$|session_?key/i;

/** Whether a variable of this name usually holds a secret. */
export function namesSecret(name: string): boolean {
  return secretName.test(name);
}

function readVariable(name: string, quoted: boolean, { scope, home, root }: WordSource): Choice {
  const values = scope.variables.get(name);
  if (values !== undefined && values !== null) {
    return values.map(({ text, glob, carried }) => ({
      // A loop over `*.ts` gives files, also inside quotes.
      letters: [...text].map((each) => ({ text: each, quoted: quoted && !glob, splits: !quoted })),
      carried,
    }));
  }
  if (values === undefined && name === "HOME") return plain(home, true);
  const folder = scope.cwds?.length === 1 && !scope.remote ? scope.cwds[0] : undefined;
  if (values === undefined && name === "PWD" && folder !== undefined) return plain(absolute(folder, root), true);
  return [unknownReading(quoted, { ...nothingCarried, secret: namesSecret(name) })];
}

function absolute(folder: string, root: string): string {
  if (folder.startsWith("/") || /^[A-Za-z]:/.test(folder)) return folder;
  return folder === "." ? root : `${root}/${folder}`;
}

const defaulting = new Set([":-", "-", ":=", "="]);

function readExpansion(node: ShellSyntax, quoted: boolean, source: WordSource): Choice {
  const named = node.children.filter((child) => child.named);
  const [target, ...rest] = named;
  const operator = node.children.find((child) => child.field === "operator")?.text ?? "";
  if (/@[A-Za-z]\}$/.test(node.text) || operator === "@") {
    source.ask("command.evaluates-value", `${node.text} may run what the variable holds`);
  }
  for (const child of rest) if (holdsExpansion(child)) source.run(child);
  if (target === undefined || operator === "!" || operator === "#") return [unknownReading(quoted)];
  if (target.type === "subscript") return readElement(target, source);
  const value = readVariable(target.text, quoted, source);
  if (operator === "" || operator === ":?" || operator === "?") return value;
  if (!defaulting.has(operator)) return [unknownReading(quoted, value[0]?.carried)];
  const fallback = rest.flatMap((child) => readNode(child, quoted, { ...source, run: () => unknownOutput }));
  return [...value, ...combine(fallback)].slice(0, mostReadings);
}

function readElement(node: ShellSyntax, source: WordSource): Choice {
  source.run(node);
  const name = node.children[0]?.text ?? "";
  const whole = /\[[@*]\]$/.test(node.text);
  return whole ? readVariable(name, false, source) : [unknownReading(false)];
}

function readOutput(node: ShellSyntax, quoted: boolean, source: WordSource): Choice {
  const output = source.run(node);
  const isFile = node.type === "process_substitution";
  const carried: Carried = { network: output.network, decoded: output.decoded, secret: output.secret };
  if (isFile) return [{ letters: [..."/dev/fd/63"].map(quotedLetter), carried }];
  if (output.text === null) return [unknownReading(quoted, carried)];
  const letters = [...output.text.replace(/\n+$/, "")];
  return [{ letters: letters.map((text) => ({ text, quoted, splits: !quoted })), carried }];
}

function toWords({ letters, carried }: Reading, raw: string, source: WordSource): readonly Word[] {
  const braced = expandBraces(letters);
  if (braced === null) return [unknownWord(raw)];
  return braced.flatMap(splitFields).map((word) => toWord(expandTilde(word, source.home), raw, carried));
}

function splitFields(letters: readonly Letter[]): readonly (readonly Letter[])[] {
  if (!letters.some(isSeparator)) return [letters];
  const words: Letter[][] = [[]];
  for (const letter of letters) {
    if (isSeparator(letter)) words.push([]);
    else words.at(-1)?.push(letter);
  }
  return words.filter((word) => word.length > 0);
}

function isSeparator({ text, quoted, splits }: Letter): boolean {
  return splits && !quoted && /\s/.test(text);
}

function expandTilde(letters: readonly Letter[], home: string): readonly Letter[] {
  const text = letters.map((letter) => (letter.quoted ? "\uFFFF" : letter.text)).join("");
  const found = /^(?:[A-Za-z_]\w*=)?~(?=$|[/:])/.exec(text);
  if (found !== null && !letters.some((letter) => letter.splits)) {
    const before = letters.slice(0, found[0].length - 1);
    return [...before, ...[...home].map(quotedLetter), ...letters.slice(found[0].length)];
  }
  const user = /^~([A-Za-z_][\w-]*)(?=$|\/)/.exec(text);
  if (user === null) return letters;
  const folder = user[1] === "root" ? "/root" : `/home/${user[1] ?? ""}`;
  return [...[...folder].map(quotedLetter), ...letters.slice(user[0].length)];
}

function quotedLetter(text: string): Letter {
  return { text, quoted: true, splits: false };
}

function toWord(letters: readonly Letter[], raw: string, carried: Carried): Word {
  return {
    text: letters.map((letter) => letter.text).join(""),
    raw,
    glob: letters.some(({ text, quoted }) => !quoted && /[*?[]/.test(text)),
    open: letters.some(({ text, quoted }) => !quoted && text === unknownPiece),
    carried,
  };
}
