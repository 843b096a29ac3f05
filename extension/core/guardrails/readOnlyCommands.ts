// Programs that only read, with the flags under which that holds. Short and strict: a flag that is not listed asks.
import { nothingRead, parseWords } from "./programShape";
import type { ParsedWords, ProgramShape, ReadOnlyCommand } from "./programShape";
import { readOnlyGit } from "./readOnlyGit";

const count = /^\+?\d+$/;

const programs: Readonly<Record<string, ProgramShape>> = {
  ls: {
    flags: /^(?:-[aAlh1RtrSdFpi]+|--all|--almost-all|--recursive)$/,
    operands: "folders",
    descends: /^(?:-\w*R\w*|--recursive)$/,
  },
  pwd: { flags: /^-[LP]$/, operands: "none" },
  cat: { flags: /^-[nbsAeEtTv]+$/, operands: "files" },
  head: {
    flags: /^(?:-\d+|-[nc]\d+|-q|--lines=\d+|--bytes=\d+)$/,
    values: { "-n": count, "-c": count },
    operands: "files",
  },
  tail: { flags: /^(?:-\d+|-[nc]\+?\d+|-q|--lines=\+?\d+)$/, values: { "-n": count, "-c": count }, operands: "files" },
  wc: { flags: /^-[lwcmL]+$/, operands: "files" },
  grep: {
    flags: /^(?:-[invwxclLoHhEFGPsqa]+|-[ABCm]\d+|--count|--ignore-case|--line-number)$/,
    values: { "-A": count, "-B": count, "-C": count, "-m": count },
    operands: "pattern-then-files",
  },
  rg: {
    flags:
      /^(?:-[nilcwxFSsovHIN]+|-[ABCm]\d+|--files-with-matches|--count|--ignore-case|--line-number|--fixed-strings)$/,
    values: { "-A": count, "-B": count, "-C": count, "-m": count, "-t": /^[a-z]+$/ },
    operands: "pattern-then-files",
    descends: "always",
  },
  diff: { flags: /^(?:-[uqwbByi]+|-U\d+|--brief|--unified)$/, operands: "files" },
  file: { flags: /^(?:-[bi]+|--mime-type|--brief)$/, operands: "files" },
  stat: { flags: /^$/, values: { "-c": /^[%\w ]+$/ }, operands: "files" },
  echo: { flags: /^-[neE]+$/, operands: "text" },
  true: { flags: /^$/, operands: "none" },
};

const versionWords: Readonly<Record<string, string>> = {
  node: "--version",
  npm: "--version",
  python: "--version",
  python3: "--version",
  git: "--version",
  cargo: "--version",
  rustc: "--version",
  go: "version",
};

/** What a command of literal words reads, or null when it is not known to do nothing else. */
export function readOnlyCommand(words: readonly string[]): ReadOnlyCommand | null {
  const [program = "", ...rest] = words;
  if (Object.hasOwn(versionWords, program) && rest.length === 1 && rest[0] === versionWords[program])
    return nothingRead;
  if (program === "git") return readOnlyGit(rest);
  const shape = Object.hasOwn(programs, program) ? programs[program] : undefined;
  const parsed = shape === undefined ? null : parseWords(shape, rest);
  return shape === undefined || parsed === null ? null : toReads(shape, parsed);
}

function toReads(shape: ProgramShape, { flags, operands }: ParsedWords): ReadOnlyCommand | null {
  const { descends } = shape;
  if (shape.operands === "text") return nothingRead;
  if (shape.operands === "none") return operands.length === 0 ? nothingRead : null;
  const files = (shape.operands === "pattern-then-files" ? operands.slice(1) : operands).filter((word) => word !== "-");
  const use = shape.operands === "folders" ? "list" : "read";
  const sweeping = descends === "always" || (descends !== undefined && flags.some((flag) => descends.test(flag)));
  const targets = files.length > 0 ? files : ["."];
  return { paths: files.map((path) => ({ path, use })), sweeps: sweeping ? targets : [], printsRepository: false };
}
