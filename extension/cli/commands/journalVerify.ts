import type { DecodedJournal } from "../../core/journal/decodeJournal";
import { readLines } from "../../core/journal/loadJournal";
import { writeJson, type CliCommand } from "../cliCommand";
import type { CliIo } from "../cliIo";
import { composeBasics, readJournal } from "../compose";
import { escapeShort, escapeText } from "../escapeText";
import { exitCodes, type Refusal } from "../exitCodes";
import { existingJournalPath } from "../journalPath";
import { hasFlag, type ParsedArguments } from "../parseArguments";
import { bad, good, plain, writeLines } from "../storyLine";
import { storySink } from "../storySink";

export const journalVerifyCommand: CliCommand = {
  usage: "journal verify FILE [--json]",
  options: { workspace: "value", config: "value", json: "flag" },
  operands: { least: 1, most: 1, problem: "name one journal: donegate journal verify FILE" },
  toRefusedObject: (message) => ({ intact: false, sealed: false, status: null, problems: [], error: message }),
  run: verifyJournal,
};

const mostProblems = 50;

/** Reads only. Exit code 0: every line follows the one before it, every seal is valid, nothing is torn or cut off. */
async function verifyJournal(args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  const path = await existingJournalPath(args.operands[0] ?? null, io.cwd);
  if (!path.ok) return path;
  const store = readJournal(path.path);
  const { hasher } = composeBasics();
  const decoded = await readLines(store, hasher);
  const view = toView(decoded, path.path);
  tell(view, storySink(io, hasFlag(args, "json")));
  if (hasFlag(args, "json")) writeJson(io, view);
  return view.intact && view.sealed && view.tornBytes === 0 ? exitCodes.done : exitCodes.incomplete;
}

function toView(decoded: DecodedJournal, journal: string) {
  const { lines, problems, tornBytes, chain, unsealed } = decoded;
  const end = lines.findLast((line) => line.type === "agent_end" || line.type === "agent_resume");
  return {
    journal,
    run: lines[0]?.run ?? null,
    lines: lines.length,
    intact: chain === "intact" && lines.length > 0,
    /** Where there is no line, nothing vouches for anything. */
    sealed: unsealed.length === 0 && decoded.endIsVouched && lines.length > 0,
    tornBytes,
    resumable: decoded.resumable && chain === "intact" && lines.length > 0,
    /** Null: the run goes on, or its process was ended before it could say anything. */
    status: end?.type === "agent_end" && typeof end["status"] === "string" ? end["status"] : null,
    problems,
  };
}

function tell(view: ReturnType<typeof toView>, sink: ReturnType<typeof storySink>): void {
  const problems = view.problems.slice(0, mostProblems).map(({ message }) => bad(`  ${escapeShort(message, 300)}`));
  const left = view.problems.length - problems.length;
  writeLines(sink, [
    plain(`Journal: ${escapeText(view.journal)}`),
    plain(
      `Run: ${escapeText(view.run ?? "none")}, ${view.lines} line(s), status ${escapeText(view.status ?? "none: no end is journaled")}`,
    ),
    view.intact ? good("Chain: intact") : bad(view.lines === 0 ? "Chain: there is no line" : "Chain: broken"),
    view.sealed ? good("Seals: valid") : bad(view.lines === 0 ? "Seals: there is no line" : "Seals: not all valid"),
    ...problems,
    ...(left > 0 ? [bad(`  (${left} more)`)] : []),
  ]);
}
