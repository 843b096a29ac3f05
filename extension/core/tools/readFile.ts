import * as z from "zod";
import { headOf, maxResultCharacters } from "./boundText";
import { defineTool } from "./defineTool";
import { readForText } from "./fileBytes";
import { openText } from "./textFile";
import type { TextFile } from "./textFile";
import type { ToolResult } from "./toolDef";
import { refuse, refuseFile, succeed } from "./toolResult";
import { normalisePath, pathArgument, resolveWorkspacePath } from "./workspacePath";

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
    const read = await readForText(place, context);
    if (!read.ok && read.code === "is-directory") {
      return refuse("refused", `${place.relative}: this is a folder; use list_files`);
    }
    if (!read.ok) return refuseFile(place, read);
    const opened = openText(read.value.bytes);
    if (!opened.ok) {
      return refuse("refused", `${place.relative} (${read.value.bytes.length} bytes): ${opened.reason}`);
    }
    const shown = showLines(place.relative, opened.file, offset ?? 1, limit ?? defaultLines);
    return shown.ok ? succeed(shown.output, [{ path: place.relative, digest: read.value.digest }]) : shown;
  },
});

function showLines(path: string, file: TextFile, first: number, limit: number): ToolResult {
  if (file.text === "") return { ok: true, output: `${path}: the file is empty` };
  const ended = file.text.endsWith("\n");
  const lines = (ended ? file.text.slice(0, -1) : file.text).split("\n");
  if (first > lines.length) return refuse("not-found", `${path} has only ${lines.length} lines`);
  const chosen = takeLines(lines, first, limit, maxResultCharacters - headerRoom - path.length);
  const last = first + chosen.count - 1;
  const notes = [
    ...(last < lines.length ? [`read on with offset ${last + 1}`] : []),
    ...(chosen.note === null ? [] : [chosen.note]),
    ...(last === lines.length && !ended ? ["no newline at the end"] : []),
    ...describeFile(file),
  ];
  const header = [`${path}, lines ${first} to ${last} of ${lines.length}`, ...notes].join("; ");
  return { ok: true, output: `${header}\n${chosen.text}${last === lines.length && !ended ? "" : "\n"}` };
}

/** Whole lines that fit into `room`; at least one, cut when it alone is too long. */
function takeLines(lines: readonly string[], first: number, limit: number, room: number) {
  const line = lines[first - 1] ?? "";
  if (line.length > room) {
    return {
      count: 1,
      text: headOf(line, room),
      note: `line ${first} has ${line.length} characters, the first ${room} are shown`,
    };
  }
  let count = 0;
  let size = 0;
  for (const next of lines.slice(first - 1, first - 1 + limit)) {
    if (size + next.length + 1 > room && count > 0) break;
    size += next.length + 1;
    count += 1;
  }
  return { count, text: lines.slice(first - 1, first - 1 + count).join("\n"), note: null };
}

function describeFile(file: TextFile): string[] {
  return [
    ...(file.lineEnds === "crlf" ? ["line ends are CR LF, shown as LF"] : []),
    ...(file.lineEnds === "mixed" ? ["line ends are mixed, shown as LF"] : []),
    ...(file.encoding === "unknown"
      ? ["not UTF-8: bytes above 127 are shown as Latin-1; only ASCII text can be changed"]
      : []),
  ];
}
