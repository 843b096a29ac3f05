import { parseWords } from "./programShape";
import type { ProgramShape, ReadOnlyCommand } from "./programShape";

interface GitShape extends ProgramShape {
  printsFiles?: true;
}

const names = "--stat|--shortstat|--numstat|--name-only|--name-status";

// No `-c`, `-C` or `--git-dir` before the subcommand, nothing that writes a file, formats by template or checks signatures.
const subcommands: Readonly<Record<string, GitShape>> = {
  status: { flags: /^(?:-[sb]+|--short|--branch|--porcelain|--porcelain=v[12]|--ignored)$/, operands: "files" },
  log: {
    flags: new RegExp(`^(?:-\\d+|-n\\d+|--oneline|--graph|--decorate|--all|--no-merges|--follow|--reverse|${names})$`),
    values: { "-n": /^\d+$/ },
    operands: "files",
  },
  diff: {
    flags: new RegExp(`^(?:--cached|--staged|--check|--word-diff|-[wb]|-U\\d+|${names})$`),
    operands: "files",
    printsFiles: true,
  },
  show: { flags: new RegExp(`^(?:-s|--no-patch|--oneline|${names})$`), operands: "files", printsFiles: true },
  branch: { flags: /^(?:--show-current|-[arv]+|--list)$/, operands: "none" },
  "rev-parse": {
    flags: /^(?:--short|--abbrev-ref|--verify|--show-toplevel|--is-inside-work-tree)$/,
    operands: "files",
  },
  blame: { flags: /^-w$/, values: { "-L": /^\d+,\+?\d+$/ }, operands: "files", printsFiles: true },
};

/** `words` follow `git`. A revision counts as a path as well: it names nothing on the disk, or it is judged as what it names. */
export function readOnlyGit(words: readonly string[]): ReadOnlyCommand | null {
  const [name = "", ...rest] = words;
  const shape = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  const parsed = shape === undefined ? null : parseWords(shape, rest);
  if (shape === undefined || parsed === null) return null;
  if (shape.operands === "none" && parsed.operands.length > 0) return null;
  const paths = parsed.operands.flatMap((operand) => [operand, ...objectPath(operand)]);
  return {
    paths: paths.map((path) => ({ path, use: "read" as const })),
    sweeps: [],
    printsRepository: shape.printsFiles === true,
  };
}

/** `HEAD:src/a.ts` reads `src/a.ts`. */
function objectPath(operand: string): readonly string[] {
  const colon = operand.lastIndexOf(":");
  return colon < 0 || colon === operand.length - 1 ? [] : [operand.slice(colon + 1)];
}
