// The command line: words in, exit code out. Everything the process has comes in through `io`.
import { AgentError } from "../core/agentError";
import { writeJson, type CliCommand } from "./cliCommand";
import type { CliIo } from "./cliIo";
import { checkCommandCommand } from "./commands/checkCommand";
import { journalShowCommand } from "./commands/journalShow";
import { journalVerifyCommand } from "./commands/journalVerify";
import { planCommand } from "./commands/plan";
import { resumeCommand } from "./commands/resume";
import { runCommand } from "./commands/run";
import { verifyCommand } from "./commands/verify";
import { escapeLines } from "./escapeText";
import { exitCodes, refuse, type Refusal } from "./exitCodes";
import { hasFlag, parseArguments, type ParsedArguments } from "./parseArguments";
import { commandUsage, fullUsage } from "./usage";

const commands: Readonly<Record<string, CliCommand>> = {
  run: runCommand,
  resume: resumeCommand,
  verify: verifyCommand,
  plan: planCommand,
  "check-command": checkCommandCommand,
  "journal verify": journalVerifyCommand,
  "journal show": journalShowCommand,
};

/** Never rejects. */
export async function runCli(words: readonly string[], io: CliIo): Promise<number> {
  if (words.includes("--help") || words.includes("-h") || words[0] === "help") {
    io.out.write(fullUsage(Object.values(commands)));
    return exitCodes.done;
  }
  const found = findCommand(words);
  if (found === null) {
    const named = words[0] === undefined ? "no command is given" : `there is no command "${words[0]}"`;
    return say(refuse(`${named}\n${fullUsage(Object.values(commands))}`, exitCodes.usage), io);
  }
  const { command, rest } = found;
  const parsed = readWords(command, rest);
  const wantsJson = parsed.ok ? hasFlag(parsed, "json") : rest.includes("--json");
  const result = parsed.ok ? await runSafely(command, parsed, io) : parsed;
  if (typeof result === "number") return result;
  if (wantsJson) writeJson(io, result.report ?? command.toRefusedObject(result.message));
  return say(result, io);
}

function findCommand(words: readonly string[]): { command: CliCommand; rest: readonly string[] } | null {
  for (const count of [1, 2]) {
    const name = words.slice(0, count).join(" ");
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command !== undefined) return { command, rest: words.slice(count) };
  }
  return null;
}

function readWords(command: CliCommand, words: readonly string[]): ({ ok: true } & ParsedArguments) | Refusal {
  const usage = commandUsage(command);
  const parsed = parseArguments(words, command.options);
  if (!parsed.ok) return refuse(`${parsed.message}\n${usage}`, exitCodes.usage);
  const { least, most, problem } = command.operands;
  const { length } = parsed.operands;
  return length < least || length > most ? refuse(`${problem}\n${usage}`, exitCodes.usage) : parsed;
}

/** The one catch around commands: what arrives here is a mistake of ours or an engine that refuses. */
async function runSafely(command: CliCommand, args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  try {
    return await command.run(args, io);
  } catch (error: unknown) {
    const text = error instanceof Error ? error.message : String(error);
    if (AgentError.is(error)) return refuse(text);
    if ((io.env["DONEGATE_DEBUG"] ?? "") !== "" && error instanceof Error) io.err.write(`${error.stack ?? ""}\n`);
    return refuse(`unexpected: ${text}`);
  }
}

function say({ message, exitCode }: Refusal, io: CliIo): number {
  io.err.write(`${escapeLines(message, 200).join("\n")}\n`);
  return exitCode;
}
