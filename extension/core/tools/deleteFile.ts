import * as z from "zod";
import { defineTool } from "./defineTool";
import { refuseStale } from "./fileBytes";
import { refuseFile, succeed } from "./toolResult";
import { normalisePath, pathArgument, resolveWorkspacePath } from "./workspacePath";

export const deleteFile = defineTool({
  name: "delete_file",
  description: "Deletes one file. Folders are not deleted.",
  args: z.strictObject({ path: pathArgument.describe("Relative to the workspace root") }),
  tags: ["write"],
  paths: ({ path }) => [{ path: normalisePath(path), use: "delete", surface: "edit-tool" }],
  async run({ path }, context) {
    const place = resolveWorkspacePath(context.root, path);
    const read = await context.ports.files.read(place.absolute);
    if (!read.ok) return refuseFile(place, read);
    const stale = refuseStale(place, read.value, context);
    if (stale !== null) return stale;
    await context.begin({ files: [{ path: place.relative, before: read.value.digest, after: null }] });
    const deleted = await context.ports.files.delete(place.absolute, read.value.digest);
    return deleted.ok ? succeed(`Deleted ${place.relative}.`) : refuseFile(place, deleted);
  },
});
