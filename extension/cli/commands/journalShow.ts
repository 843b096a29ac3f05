import type { JournalLine } from "../../core/journal/decodeJournal";
import { eventTypes, type JournaledEvent } from "../../core/journal/event";
import { fold } from "../../core/journal/fold";
import { readLines } from "../../core/journal/loadJournal";
import { initialState, type RunState } from "../../core/journal/runState";
import { writeJson, type CliCommand } from "../cliCommand";
import type { CliIo } from "../cliIo";
import { composeBasics, readJournal } from "../compose";
import { escapeShort, escapeText } from "../escapeText";
import { exitCodes, type Refusal } from "../exitCodes";
import { existingJournalPath } from "../journalPath";
import { hasFlag, type ParsedArguments } from "../parseArguments";
import { tellEvent } from "../story";
import { bad, plain, quiet, writeLines, type StoryLine } from "../storyLine";
import { storySink } from "../storySink";

export const journalShowCommand: CliCommand = {
  usage: "journal show FILE [--json]",
  options: { workspace: "value", config: "value", json: "flag" },
  operands: { least: 1, most: 1, problem: "name one journal: donegate journal show FILE" },
  toRefusedObject: (message) => ({ events: [], problems: [], error: message }),
  run: showJournal,
};

const longestRawLine = 300;

/** Shows what is there, believed or not, and says what cannot be believed. */
async function showJournal(args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  const path = await existingJournalPath(args.operands[0] ?? null, io.cwd);
  if (!path.ok) return path;
  const store = readJournal(path.path);
  const { hasher } = composeBasics();
  const { lines, problems } = await readLines(store, hasher);
  if (hasFlag(args, "json")) {
    writeJson(io, { events: lines, problems });
    return exitCodes.done;
  }
  const sink = storySink(io, false);
  let state = initialState;
  for (const line of lines) {
    const told = tellLine(line, state);
    state = told.state;
    writeLines(sink, told.lines);
  }
  writeLines(
    sink,
    problems.map(({ message }) => bad(`Problem: ${escapeShort(message, longestRawLine)}`)),
  );
  return exitCodes.done;
}

function tellLine(line: JournalLine, before: RunState): { lines: readonly StoryLine[]; state: RunState } {
  const time = line.ts.slice(11, 19);
  const head = `${String(line.seq).padStart(4)} ${escapeText(time).padEnd(8)} ${escapeText(line.type)}`;
  const told = tellKnown(line, before);
  if (told !== null) return { lines: [quiet(head), ...told.lines], state: told.state };
  return { lines: [quiet(head), plain(`    ${escapeShort(JSON.stringify(line), longestRawLine)}`)], state: before };
}

/** Null for a line that is no event of ours, whatever its type says. */
function tellKnown(line: JournalLine, before: RunState): { lines: readonly StoryLine[]; state: RunState } | null {
  if (!eventTypes.has(line.type)) return null;
  try {
    const event = line as unknown as JournaledEvent;
    const state = fold(before, event);
    const end =
      event.type === "agent_end" ? [plain(`Ended: ${escapeShort(`${event.status}: ${event.stoppedBy}`, 400)}`)] : [];
    return { lines: [...tellEvent(event, state), ...end], state };
  } catch {
    // A foreign line under a known type: it is shown raw, and the problems say that the chain does not hold.
    return null;
  }
}
