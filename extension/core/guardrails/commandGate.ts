// May this command run? Until a real grammar reads shell text (a later issue), only two kinds run unasked:
// a frozen check's own command, and one literal command known to do nothing but read. Everything else asks or is denied.
import type { FrozenCheck } from "../contract/verificationPlan";
import { normalisePath, resolveWorkspacePath } from "../tools/workspacePath";
import { longestCommand, mentionedWords } from "./commandWords";
import { hiddenCharacterIn } from "./hiddenCharacters";
import { literalWords, toCommandText } from "./literalCommand";
import type { PathPolicy } from "./pathGuard";
import { isAbsolutePath, isWindowsPath } from "./pathKeys";
import { namesProd } from "./prodMarkers";
import type { ReadOnlyCommand } from "./programShape";
import { readOnlyCommand } from "./readOnlyCommands";
import { badCommandCalls } from "./selfProof";
import { ask, deny } from "./verdict";
import type { GuardedCall, RuleSet, Verdict } from "./verdict";

export interface CommandGateOptions {
  /** Absolute. */
  root: string;
  checks: readonly FrozenCheck[];
  paths: PathPolicy;
  prodPatterns: readonly string[];
}

interface Command {
  text: string;
  /** Relative to the root, `.` for the root itself; absolute outside it. */
  cwd: string;
}

export function createCommandGate(options: CommandGateOptions): RuleSet {
  return {
    id: "command",
    mustStop: badCommandCalls,
    verdicts: (call) => (call.tool === "run_command" ? judgeCall(call, options) : []),
  };
}

function judgeCall(call: GuardedCall, options: CommandGateOptions): readonly Verdict[] {
  const { command, cwd } = call.args;
  if (typeof command !== "string" || !(cwd === undefined || typeof cwd === "string")) {
    return [deny("command.shape", "the command and its folder have to be text")];
  }
  const character = hiddenCharacterIn(command, true);
  if (character !== null) {
    return [deny("command.hidden-character", `the command holds the invisible or control character ${character}`)];
  }
  if (command.length > longestCommand) return [deny("command.too-long", "the command is too long to be judged")];
  return judge({ text: command, cwd: resolveWorkspacePath(options.root, cwd ?? ".").relative }, options);
}

/** The rule sets that refuse a command wherever it names such a path, even one that only reads. */
const neverNamed: ReadonlySet<string> = new Set([
  "paths.engine-state",
  "paths.hidden-folder",
  "paths.credential-store",
]);

function judge(command: Command, options: CommandGateOptions): readonly Verdict[] {
  const place = options.paths.judgeDeclared({ path: command.cwd, use: "list", surface: "shell" });
  const mentioned = judgeMentions(command, options);
  const denials = [...place, ...mentioned].filter(
    (verdict) => verdict.decision === "deny" && neverNamed.has(verdict.rule),
  );
  if (denials.length > 0) return denials;
  if (isOwnCommandOfCheck(command, options.checks)) return [...place, { decision: "allow", rule: "command.check" }];
  const reads = readOnlyReads(command);
  const verdicts =
    reads === null ? [...place, ...mentioned, unknownCommand] : [...place, ...judgeReads(reads, command, options)];
  if (verdicts.length === 0) return [{ decision: "allow", rule: "command.read-only" }];
  return namesProd(command.text, options.prodPatterns) ? verdicts.map(raiseToProd) : verdicts;
}

const unknownCommand = ask(
  "command.unknown",
  "this command is neither a check's own nor one that is known only to read",
  "normal",
);

function judgeMentions(command: Command, { paths, root }: CommandGateOptions): readonly Verdict[] {
  const words = mentionedWords(command.text).flatMap((word) => [
    ...new Set([word, fromFolder(word, command.cwd, root)]),
  ]);
  const verdicts = words.flatMap((word) => paths.judgeMentioned(word));
  // One verdict a rule and reason is enough for a person to read.
  return [...new Map(verdicts.map((verdict) => [JSON.stringify(verdict), verdict])).values()];
}

function isOwnCommandOfCheck(command: Command, checks: readonly FrozenCheck[]): boolean {
  const text = command.text.trim();
  return checks.some((check) => toCommandText(check.run) === text && normalisePath(check.cwd) === command.cwd);
}

function readOnlyReads(command: Command): ReadOnlyCommand | null {
  const words = literalWords(command.text);
  return words === null ? null : readOnlyCommand(words);
}

function judgeReads(reads: ReadOnlyCommand, { cwd }: Command, { paths, root }: CommandGateOptions): readonly Verdict[] {
  const verdicts = reads.paths.flatMap(({ path, use }) =>
    paths.judgeDeclared({ path: fromFolder(path, cwd, root), use, surface: "shell" }),
  );
  const showsHidden =
    reads.sweeps.some((folder) => paths.holdsHidden(fromFolder(folder, cwd, root))) ||
    (reads.printsRepository && paths.repositoryHoldsHidden());
  if (!showsHidden) return verdicts;
  return [...verdicts, ask("command.may-show-hidden", "this command may show a hidden folder", "normal")];
}

function fromFolder(path: string, cwd: string, root: string): string {
  return cwd === "." || path.startsWith("~") || isAbsolutePath(path, isWindowsPath(root)) ? path : `${cwd}/${path}`;
}

function raiseToProd(verdict: Verdict): Verdict {
  if (verdict.decision !== "ask") return verdict;
  return { ...verdict, level: "prod", reason: `prod needs human approval: ${verdict.reason}` };
}
