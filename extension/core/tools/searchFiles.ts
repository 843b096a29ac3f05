import * as z from "zod";
import type { SearchHit } from "../ports/textSearch";
import { headOf } from "./boundText";
import { defineTool } from "./defineTool";
import { globArgument } from "./globPattern";
import { refuse, succeed } from "./toolResult";
import { normalisePath, pathArgument, resolveWorkspacePath } from "./workspacePath";
import type { WorkspacePath } from "./workspacePath";

const maxHits = 200;
const maxLineCharacters = 300;

export const searchFiles = defineTool({
  name: "search",
  description: "Searches file contents with a regular expression (ripgrep syntax) and answers `path:line: text`.",
  args: z.strictObject({
    query: z.string().min(1).max(1000).describe("Regular expression"),
    glob: globArgument.optional().describe("Only files that match, for example `*.ts`"),
    path: pathArgument.optional().describe("Folder or file relative to the workspace root; the root when left out"),
  }),
  tags: ["read"],
  paths: ({ path }) => [{ path: normalisePath(path ?? "."), use: "read", surface: "read-tool" }],
  async run({ query, glob, path }, context) {
    const place = resolveWorkspacePath(context.root, path ?? ".");
    const found = await context.ports.search.search(
      { query, path: place.absolute, exclude: [], limit: maxHits, ...(glob === undefined ? {} : { glob }) },
      context.signal,
    );
    if (context.signal.aborted) return refuse("cancelled", "the search was cancelled");
    if (!found.ok) return refuse("failed", `the search could not run: ${found.message}`);
    const opened = await context.ports.files.read(place.absolute, 0);
    const isFolder = !opened.ok && opened.code === "is-directory";
    const visible = found.hits
      .map((hit) => ({ ...hit, path: isFolder ? toRootRelative(place, hit.path) : place.relative }))
      .filter((hit) => !context.ports.isHidden(hit.path));
    if (visible.length === 0) return succeed(found.more ? "No match in the part that was searched." : "No match.");
    const rest = found.more ? [`… more than ${maxHits} matches; narrow the query, the glob or the path`] : [];
    return succeed([...visible.map(describeHit), ...rest].join("\n"));
  },
});

function toRootRelative(place: WorkspacePath, hitPath: string): string {
  return place.relative === "." ? hitPath : `${place.relative}/${hitPath}`;
}

function describeHit(hit: SearchHit): string {
  const line = hit.text.replace(/\r?\n$/, "");
  const shown = line.length > maxLineCharacters ? `${headOf(line, maxLineCharacters)}…` : line;
  return `${hit.path}:${hit.line}: ${shown}`;
}
