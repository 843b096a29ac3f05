import * as z from "zod";
import type { FileBytes } from "../ports/workspaceFiles";
import { defineTool } from "./defineTool";
import { noteOtherBytes, readForText, refuseStale } from "./fileBytes";
import { encodeUtf8, isAscii, lineEndsOf, openText } from "./textFile";
import type { ToolContext, ToolResult } from "./toolDef";
import { refuse, refuseFile, succeed } from "./toolResult";
import { describeTwin, findTwin } from "./twinName";
import { normalisePath, pathArgument, resolveWorkspacePath, textArgument } from "./workspacePath";
import type { WorkspacePath } from "./workspacePath";

type Fitted = { ok: true; bytes: Uint8Array; kept: readonly string[] } | { ok: false; refusal: ToolResult };

export const writeFile = defineTool({
  name: "write_file",
  description:
    "Writes a whole file as UTF-8 and makes its folders. A file that exists is only replaced when this run has read it as it is now; its byte order mark and CR LF line ends, which read_file does not show, are kept.",
  args: z.strictObject({
    path: pathArgument.describe("Relative to the workspace root"),
    content: textArgument.describe("All of the file's text"),
  }),
  tags: ["write"],
  paths: ({ path }) => [{ path: normalisePath(path), use: "write", surface: "edit-tool" }],
  async run({ path, content }, context) {
    const place = resolveWorkspacePath(context.root, path);
    const read = await readForText(place, context);
    if (!read.ok && read.code !== "not-found") return refuseFile(place, read);
    const current = read.ok ? read.value : null;
    const twin = current === null ? await findTwin(place, context) : null;
    if (twin?.looksSame === true) return refuse("conflict", `${place.relative}: ${describeTwin(twin)}`);
    const fitted = current === null ? fitNew(content) : fitPresent(content, current, place, context);
    if (!fitted.ok) return fitted.refusal;

    const before = current?.digest ?? null;
    const after = context.ports.hasher.sha256(fitted.bytes);
    await context.begin({ files: [{ path: place.relative, before, after }] });
    const written = await context.ports.files.write(place.absolute, fitted.bytes, before);
    if (!written.ok) return refuseFile(place, written);
    const verb = before === null ? "Created" : "Replaced";
    const kept = fitted.kept.length === 0 ? "" : `; kept its ${fitted.kept.join(" and ")}`;
    const beside = twin === null ? "" : ` Many disks hold only one of the two: ${describeTwin(twin)}.`;
    const note = noteOtherBytes(after, written.value.digest) + beside;
    return succeed(`${verb} ${place.relative} (${fitted.bytes.length} bytes${kept}).${note}`);
  },
});

function fitNew(content: string): Fitted {
  return { ok: true, bytes: encodeUtf8(content), kept: [] };
}

function fitPresent(content: string, current: FileBytes, place: WorkspacePath, context: ToolContext): Fitted {
  const stale = refuseStale(place, current, context);
  if (stale !== null) return { ok: false, refusal: stale };
  if (context.lastSeen(place.relative) === undefined) {
    const advice = "the file exists and this run has not read it; read it first, or use edit_file";
    return { ok: false, refusal: refuse("conflict", `${place.relative}: ${advice}`) };
  }
  const opened = openText(current.bytes);
  if (!opened.ok) return { ok: false, refusal: refuse("refused", `${place.relative}: ${opened.reason}`) };
  if (opened.file.encoding === "unknown" && !isAscii(content)) {
    const why = "is not UTF-8 and its encoding is not known: only ASCII text can replace it";
    return { ok: false, refusal: refuse("refused", `${place.relative} ${why}. Nothing was written.`) };
  }
  const addBom = opened.file.bom && !content.startsWith("\uFEFF");
  const addCr = opened.file.lineEnds === "crlf" && lineEndsOf(content) === "lf";
  const text = (addBom ? "\uFEFF" : "") + (addCr ? content.replaceAll("\n", "\r\n") : content);
  const kept = [...(opened.file.bom ? ["byte order mark"] : []), ...(addCr ? ["CR LF line ends"] : [])];
  return { ok: true, bytes: encodeUtf8(text), kept };
}
