import * as z from "zod";
import { defineTool } from "./defineTool";
import { noteOtherBytes, readForText, refuseStale } from "./fileBytes";
import { nearestText } from "./nearestText";
import { replaceOnce } from "./replaceOnce";
import type { Replacement } from "./replaceOnce";
import { openText } from "./textFile";
import type { ToolResult } from "./toolDef";
import { refuse, refuseFile, succeed } from "./toolResult";
import { refuseMissing } from "./twinName";
import { normalisePath, pathArgument, resolveWorkspacePath, textArgument } from "./workspacePath";

export const editFile = defineTool({
  name: "edit_file",
  description:
    "Replaces one piece of text in a file. `old` has to stand in the file exactly once. Encoding, byte order mark, line ends and mode stay as they are.",
  args: z.strictObject({
    path: pathArgument.describe("Relative to the workspace root"),
    old: textArgument.min(1).describe("The exact text to replace, with enough around it to be unique"),
    new: textArgument.describe("What stands there afterwards"),
  }),
  tags: ["write"],
  paths: ({ path }) => [{ path: normalisePath(path), use: "write", surface: "edit-tool" }],
  async run(args, context) {
    const place = resolveWorkspacePath(context.root, args.path);
    if (args.old === args.new)
      return refuse("invalid-arguments", "old and new are the same text: nothing would change");
    const read = await readForText(place, context);
    if (!read.ok && read.code === "not-found") return refuseMissing(place, context);
    if (!read.ok) return refuseFile(place, read);
    const stale = refuseStale(place, read.value, context);
    if (stale !== null) return stale;
    const opened = openText(read.value.bytes);
    if (!opened.ok) return refuse("refused", `${place.relative}: ${opened.reason}`);

    const replaced = replaceOnce(read.value.bytes, args.old, args.new);
    if (!replaced.ok) return refuseEdit(place.relative, replaced, opened.file.text, args.old);
    const after = context.ports.hasher.sha256(replaced.bytes);
    if (after === read.value.digest) {
      return refuse(
        "invalid-arguments",
        "old and new differ only in line ends, which edits keep: nothing would change",
      );
    }
    await context.begin({ files: [{ path: place.relative, before: read.value.digest, after }] });
    const written = await context.ports.files.write(place.absolute, replaced.bytes, read.value.digest);
    if (!written.ok) return refuseFile(place, written);
    const lines = describeLines(replaced.firstLine, replaced.lastLine);
    return succeed(`Edited ${place.relative}, ${lines}.${noteOtherBytes(after, written.value.digest)}`);
  },
});

function describeLines(first: number, last: number): string {
  return last > first ? `lines ${first} to ${last}` : `line ${first}`;
}

function refuseEdit(path: string, failure: Extract<Replacement, { ok: false }>, text: string, old: string): ToolResult {
  switch (failure.problem) {
    case "no-match":
      return refuse("not-found", `${path}: the old text does not stand in the file. ${nearestText(text, old)}`);
    case "several":
      return refuse(
        "conflict",
        `${path}: the old text stands in the file more than once, at lines ${failure.lines.join(", ")}. Give more of the text around it.`,
      );
    case "encoding":
      return refuse(
        "refused",
        `${path} is not UTF-8 and its encoding is not known: ${failure.why}. Nothing was written.`,
      );
  }
}
