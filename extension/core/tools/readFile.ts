import * as z from "zod";
import { headOf, maxResultCharacters } from "./boundText";
import { defineTool } from "./defineTool";
import { readForText } from "./fileBytes";
import { createLineScan, type TextView } from "./lineScan";
import { openText } from "./textFile";
import type { TextFile } from "./textFile";
import type { ToolContext, ToolResult } from "./toolDef";
import { refuse, refuseFile, succeed } from "./toolResult";
import { refuseMissing } from "./twinName";
import { normalisePath, pathArgument, resolveWorkspacePath } from "./workspacePath";
import type { WorkspacePath } from "./workspacePath";

const defaultLines = 2000;
/** Room for the line that says what is shown. */
const headerRoom = 400;

export const readFile = defineTool({
  name: "read_file",
  description:
    "Reads a text file. The first line of the result says which lines are shown; the text after it is exact, without line numbers.",
  args: z.strictObject({
    path: pathArgument.describe("Relative to the workspace root"),
    offset: z.int().min(1).optional().describe("First line to show, 1 when left out"),
    limit: z.int().min(1).optional().describe(`Number of lines to show, ${defaultLines} when left out`),
  }),
  tags: ["read"],
  paths: ({ path }) => [{ path: normalisePath(path), use: "read", surface: "read-tool" }],
  async run({ path, offset, limit }, context) {
    const place = resolveWorkspacePath(context.root, path);
    const wanted = { first: offset ?? 1, limit: limit ?? defaultLines };
    const read = await readForText(place, context);
    if (!read.ok && read.code === "too-large") return showLarge(place, wanted, context);
    if (!read.ok && read.code === "is-directory") {
      return refuse("refused", `${place.relative}: this is a folder; use list_files`);
    }
    if (!read.ok && read.code === "not-found") return refuseMissing(place, context);
    if (!read.ok) return refuseFile(place, read);
    const opened = openText(read.value.bytes);
    if (!opened.ok) {
      return refuse("refused", `${place.relative} (${read.value.bytes.length} bytes): ${opened.reason}`);
    }
    return finish(place, showLines(place.relative, viewOf(opened.file, wanted), wanted), read.value.digest);
  },
});

interface Wanted {
  first: number;
  limit: number;
}

function finish(place: WorkspacePath, shown: ToolResult, digest: string): ToolResult {
  return shown.ok ? succeed(shown.output, [{ path: place.relative, digest }]) : shown;
}

/** Never whole in memory, and read to its end all the same: its digest is what a later change is held against. */
async function showLarge(place: WorkspacePath, wanted: Wanted, context: ToolContext): Promise<ToolResult> {
  // A character takes up to three bytes for each place it takes in a text.
  const scan = createLineScan(wanted.first, wanted.limit, 3 * maxResultCharacters);
  const scanned = await context.ports.files.scan(place.absolute, (piece) => scan.take(piece), context.signal);
  if (context.signal.aborted) return refuse("cancelled", `${place.relative}: stopped before it was read`);
  if (!scanned.ok) return refuseFile(place, scanned);
  const found = scan.end();
  if (!found.ok) return refuse("refused", `${place.relative} (${scanned.value.size} bytes): ${found.reason}`);
  return finish(place, showLines(place.relative, found.view, wanted), scanned.value.digest);
}

function viewOf({ text, ...file }: TextFile, { first, limit }: Wanted): TextView {
  const ended = text.endsWith("\n");
  const lines = text === "" ? [] : (ended ? text.slice(0, -1) : text).split("\n");
  return { ...file, ended, isCut: false, total: lines.length, lines: lines.slice(first - 1, first - 1 + limit) };
}

function showLines(path: string, view: TextView, { first }: Wanted): ToolResult {
  const { total, ended } = view;
  if (total === 0) return { ok: true, output: `${path}: the file is empty` };
  if (first > total) return refuse("not-found", `${path} has only ${total} lines`);
  const chosen = takeLines(view, first, maxResultCharacters - headerRoom - path.length);
  const last = first + chosen.count - 1;
  const notes = [
    ...(last < total ? [`read on with offset ${last + 1}`] : []),
    ...(chosen.note === null ? [] : [chosen.note]),
    ...(last === total && !ended ? ["no newline at the end"] : []),
    ...describeFile(view),
  ];
  const header = [`${path}, lines ${first} to ${last} of ${total}`, ...notes].join("; ");
  return { ok: true, output: `${header}\n${chosen.text}${last === total && !ended ? "" : "\n"}` };
}

/** Whole lines that fit into `room`; at least one, cut when it alone is too long. */
function takeLines({ lines, isCut }: TextView, first: number, room: number) {
  const line = lines[0] ?? "";
  if (line.length > room) {
    const note = `line ${first} has ${isCut ? "more than " : ""}${line.length} characters, the first ${room} are shown`;
    return { count: 1, text: headOf(line, room), note };
  }
  let count = 0;
  let size = 0;
  for (const next of lines) {
    if (size + next.length + 1 > room && count > 0) break;
    size += next.length + 1;
    count += 1;
  }
  return { count, text: lines.slice(0, count).join("\n"), note: null };
}

function describeFile(file: Omit<TextFile, "text">): string[] {
  return [
    ...(file.lineEnds === "crlf" ? ["line ends are CR LF, shown as LF"] : []),
    ...(file.lineEnds === "mixed" ? ["line ends are mixed, shown as LF"] : []),
    ...(file.encoding === "unknown"
      ? ["not UTF-8: bytes above 127 are shown as Latin-1; only ASCII text can be changed"]
      : []),
  ];
}
