import { explainCommand, type CommandExplanation } from "../../core/agents/explainCommand";
import { createWorkspaceGuard, type WorkspaceGuard } from "../../core/agents/workspaceGuard";
import { errorText } from "../../core/errorText";
import { writeJson, type CliCommand } from "../cliCommand";
import type { CliIo } from "../cliIo";
import { composeGuard } from "../compose";
import { escapeText } from "../escapeText";
import { exitCodes, type Refusal } from "../exitCodes";
import { freezeAsNow } from "../freezeAsNow";
import { hasFlag, type ParsedArguments } from "../parseArguments";
import { plain, quiet, writeLines } from "../storyLine";
import { storySink } from "../storySink";

export const checkCommandCommand: CliCommand = {
  usage: 'check-command [--workspace DIR] [--config FILE] [--json] "<text>" | -',
  options: { workspace: "value", config: "value", json: "flag" },
  operands: {
    least: 1,
    most: 1,
    problem: "check-command takes one text, or - for one JSON string a line on standard input",
  },
  toRefusedObject: (message) => toUnread(message),
  run: checkCommand,
};

/** Runs nothing: says what a run in this workspace would do with the command, and which part decides. */
async function checkCommand(args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  const frozen = await freezeAsNow(args, io);
  if (!frozen.ok) return frozen;
  const { basics, root, agent, plan } = frozen;
  const guard = createWorkspaceGuard({ root, kind: "auto", agent, plan }, composeGuard(root, basics));
  const [text = ""] = args.operands;
  if (text === "-") await explainLines(guard, root, io);
  else tell(await explainCommand(guard, text, root), args, io);
  return exitCodes.done;
}

/** One JSON string a line in, one object a line out, in the same order. */
async function explainLines(guard: WorkspaceGuard, root: string, io: CliIo): Promise<void> {
  for await (const line of io.inputLines()) {
    if (line.trim() !== "") writeJson(io, await explainLine(line, guard, root));
  }
}

async function explainLine(line: string, guard: WorkspaceGuard, root: string): Promise<object> {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === "string"
      ? await explainCommand(guard, text, root)
      : toUnread("the line is not a JSON string");
  } catch (error: unknown) {
    return toUnread(errorText(error));
  }
}

/** What could not be read is never allowed. */
function toUnread(message: string): CommandExplanation & { error: string } {
  return { verdict: "deny", level: null, rule: "unread", reason: message, parts: [], error: message };
}

function tell(explained: CommandExplanation, args: ParsedArguments, io: CliIo): void {
  // A program that reads the output gets the object; a person gets lines.
  if (hasFlag(args, "json") || io.terminal === null) return writeJson(io, explained);
  const { verdict, level, reason, parts } = explained;
  const sink = storySink(io, false);
  writeLines(sink, [plain(`${describe(verdict, level)}${reason === "" ? "" : `: ${escapeText(reason)}`}`)]);
  const lines = parts.map((part) => {
    const why = part.reason === "" ? "" : `  ${escapeText(part.reason)} [${part.rule}]`;
    return quiet(
      `  ${part.decided ? ">" : " "} ${describe(part.verdict, part.level).padEnd(11)} ${escapeText(part.text)}${why}`,
    );
  });
  writeLines(sink, lines);
}

function describe(verdict: string, level: string | null): string {
  return level === null || level === "normal" ? verdict : `${verdict} ${level}`;
}
