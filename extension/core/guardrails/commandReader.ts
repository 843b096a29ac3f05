// Reads a command once for everybody who judges it. The grammar loads with the first command.
import type { ParseShell, ShellGrammar } from "../ports/shellGrammar";
import { resolveWorkspacePath } from "../tools/workspacePath";
import { analyseCommand, type Analysis, type AnalysisOptions } from "./command/analyseCommand";
import type { PathPolicy } from "./pathGuard";
import type { GuardedCall } from "./verdict";

export interface CommandReader {
  /** Loads the grammar if the call holds a command; answers whether it does. Never rejects. */
  prepare(call: GuardedCall): Promise<boolean>;
  /** Null: the call holds no command, or nothing could read it; `problem` says why. */
  read(call: GuardedCall): Analysis | null;
  problem(): string | null;
}

export interface CommandReaderOptions extends Omit<AnalysisOptions, "parse"> {
  grammar: ShellGrammar;
}

export function createCommandReader({ grammar, ...options }: CommandReaderOptions): CommandReader {
  let parse: ParseShell | null = null;
  let failure: string | null = "the shell grammar is not loaded";
  let last: { key: string; analysis: Analysis } | null = null;
  return {
    async prepare(call) {
      if (commandOf(call) === null) return false;
      const loaded = await grammar.load();
      if (loaded.ok) [parse, failure] = [loaded.parse, null];
      else failure = loaded.message;
      return true;
    },
    read(call) {
      const command = commandOf(call);
      if (command === null || parse === null) return null;
      const cwd = resolveWorkspacePath(options.root, command.cwd).relative;
      const key = `${cwd}\n${command.text}`;
      if (last?.key !== key) last = { key, analysis: analyseCommand(command.text, cwd, { ...options, parse }) };
      return last.analysis;
    },
    problem: () => failure,
  };
}

const noPaths: PathPolicy = {
  judgeDeclared: () => [],
  judgeMentioned: () => [],
  judgeNamed: () => [],
  holdsHidden: () => false,
  repositoryHoldsHidden: () => false,
  contractMatching: () => [],
  secretsMatching: () => [],
  exists: () => false,
  contractFile: null,
};

/** For what a command says, whatever the workspace: its paths are not judged. */
export function createTextReader(parse: ParseShell): CommandReader {
  const options = { parse, paths: noPaths, home: "/home/user", root: "/workspace", prodPatterns: [] };
  return {
    prepare: () => Promise.resolve(true),
    read(call) {
      const command = commandOf(call);
      return command === null ? null : analyseCommand(command.text, ".", options);
    },
    problem: () => null,
  };
}

function commandOf({ args }: GuardedCall): { text: string; cwd: string } | null {
  const { command, cwd } = args;
  if (typeof command !== "string" || !(cwd === undefined || typeof cwd === "string")) return null;
  return { text: command, cwd: cwd ?? "." };
}
