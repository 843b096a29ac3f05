import * as z from "zod";
import type { DirectoryEntry, FileResult } from "../ports/workspaceFiles";
import { defineTool } from "./defineTool";
import { globArgument, matchGlob } from "./globPattern";
import type { ToolContext } from "./toolDef";
import { refuseFile, succeed } from "./toolResult";
import { normalisePath, pathArgument, resolveWorkspacePath } from "./workspacePath";
import type { WorkspacePath } from "./workspacePath";

const maxShown = 500;
const maxVisited = 20_000;
/** Named in a list, but not opened: what is in them is not the project's own. */
const closedFolders = new Set([".git", "node_modules", ".venv", "venv", "__pycache__"]);

type Listing = FileResult<{ entries: DirectoryEntry[]; more: boolean }>;

export const listFiles = defineTool({
  name: "list_files",
  description:
    "Lists files and folders below a folder, sorted. A glob without a slash matches names at any depth, one with a slash matches paths below the folder.",
  args: z.strictObject({
    path: pathArgument.optional().describe("Folder relative to the workspace root; the root when left out"),
    glob: globArgument.optional().describe("For example `*.ts` or `src/**`"),
  }),
  tags: ["read"],
  paths: ({ path }) => [{ path: normalisePath(path ?? "."), use: "list", surface: "read-tool" }],
  async run({ path, glob }, context) {
    const folder = resolveWorkspacePath(context.root, path ?? ".");
    const found = glob === undefined ? await listLevels(folder, context) : await listMatches(folder, glob, context);
    if (!found.ok) return refuseFile(folder, found);
    const { entries, more } = found.value;
    if (entries.length === 0) {
      return succeed(
        glob === undefined
          ? `${folder.relative}: the folder is empty`
          : `No file below ${folder.relative} matches ${glob}`,
      );
    }
    const lines = entries.map((entry) => describeEntry(folder, entry));
    const rest = more ? ["… not all is shown; give a deeper path or a narrower glob"] : [];
    return succeed([...lines, ...rest].join("\n"));
  },
});

/** All levels where they fit, else as many whole levels as fit. */
async function listLevels(folder: WorkspacePath, context: ToolContext): Promise<Listing> {
  for (const depth of [maxVisited, 3, 2]) {
    const found = await listBelow(folder, context, depth, maxShown);
    if (!found.ok || !found.value.more) return markDepth(found, depth);
  }
  return listBelow(folder, context, 1, maxShown);
}

function markDepth(found: Listing, depth: number): Listing {
  return found.ok && depth !== maxVisited ? { ok: true, value: { ...found.value, more: true } } : found;
}

async function listMatches(folder: WorkspacePath, glob: string, context: ToolContext): Promise<Listing> {
  const found = await listBelow(folder, context, maxVisited, maxVisited);
  if (!found.ok) return found;
  const matches = matchGlob(glob);
  const entries = found.value.entries.filter((entry) => entry.kind !== "directory" && matches(entry.path));
  const more = found.value.more || entries.length > maxShown;
  return { ok: true, value: { entries: entries.slice(0, maxShown), more } };
}

function listBelow(folder: WorkspacePath, context: ToolContext, depth: number, limit: number): Promise<Listing> {
  const skip = (below: string): boolean =>
    below
      .split("/")
      .slice(0, -1)
      .some((segment) => closedFolders.has(segment)) || context.ports.isHidden(joinRelative(folder, below));
  return context.ports.files.list(folder.absolute, { depth, limit, skip });
}

function joinRelative(folder: WorkspacePath, below: string): string {
  return folder.relative === "." ? below : `${folder.relative}/${below}`;
}

function describeEntry(folder: WorkspacePath, entry: DirectoryEntry): string {
  const path = joinRelative(folder, entry.path);
  if (entry.kind === "directory") return `${path}/`;
  return entry.kind === "file" ? path : `${path} (${entry.kind})`;
}
