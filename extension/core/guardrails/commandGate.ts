// May this command run? A frozen check's own command may; every other text is read with the shell's grammar and each
// command in it is judged. What cannot be read asks or is denied, it never runs unseen.
import type { FrozenCheck } from "../contract/verificationPlan";
import { normalisePath, resolveWorkspacePath } from "../tools/workspacePath";
import type { CommandReader } from "./commandReader";
import { longestCommand, mentionedWords } from "./commandWords";
import { hiddenCharacterIn } from "./hiddenCharacters";
import { toCommandText } from "./toCommandText";
import type { PathPolicy } from "./pathGuard";
import { isAbsolutePath, isWindowsPath } from "./pathKeys";
import { badCommandCalls } from "./selfProof";
import { deny } from "./verdict";
import type { GuardedCall, RuleSet, Verdict } from "./verdict";

export interface CommandGateOptions {
  /** Absolute. */
  root: string;
  checks: readonly FrozenCheck[];
  paths: PathPolicy;
  reader: CommandReader;
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
    prepare: (call) => (call.tool === "run_command" ? options.reader.prepare(call) : Promise.resolve(false)),
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
  return judge(call, { text: command, cwd: resolveWorkspacePath(options.root, cwd ?? ".").relative }, options);
}

function judge(call: GuardedCall, command: Command, options: CommandGateOptions): readonly Verdict[] {
  const place = options.paths.judgeDeclared({ path: command.cwd, use: "list", surface: "shell" });
  const words = mentionedIn(command, options);
  const denials = [...place, ...words.flatMap((word) => options.paths.judgeNamed(word))].filter(
    (verdict) => verdict.decision === "deny",
  );
  if (denials.length > 0) return denials;
  if (isOwnCommandOfCheck(command, options.checks))
    return [...place, { decision: "allow", rule: "command.check", byDefault: true }];
  const analysis = options.reader.read(call);
  if (analysis === null)
    return [deny("command.no-grammar", options.reader.problem() ?? "the command could not be read")];
  const unread = analysis.verdicts.some(({ rule }) => rule === "command.unparsable" || rule === "command.too-complex");
  const mentioned = unread ? words.flatMap((word) => options.paths.judgeMentioned(word)) : [];
  const verdicts = [...place, ...analysis.verdicts, ...mentioned.filter(({ decision }) => decision === "deny")];
  return verdicts.length > 0 ? distinct(verdicts) : [{ decision: "allow", rule: "command.known", byDefault: true }];
}

/** Every piece of the text that may name a file, from the root and from the command's own folder. */
function mentionedIn(command: Command, { root }: CommandGateOptions): readonly string[] {
  return [...new Set(mentionedWords(command.text).flatMap((word) => [word, fromFolder(word, command.cwd, root)]))];
}

/** One verdict a rule and reason is enough for a person to read. */
function distinct(verdicts: readonly Verdict[]): readonly Verdict[] {
  return [...new Map(verdicts.map((verdict) => [JSON.stringify(verdict), verdict])).values()];
}

function isOwnCommandOfCheck(command: Command, checks: readonly FrozenCheck[]): boolean {
  const text = command.text.trim();
  return checks.some((check) => toCommandText(check.run) === text && normalisePath(check.cwd) === command.cwd);
}

function fromFolder(path: string, cwd: string, root: string): string {
  return cwd === "." || path.startsWith("~") || isAbsolutePath(path, isWindowsPath(root)) ? path : `${cwd}/${path}`;
}
