import * as z from "zod";
import { defineTool } from "./defineTool";
import { refuseStale } from "./fileBytes";
import { refuse, refuseFile, succeed } from "./toolResult";
import { normalisePath, pathArgument, resolveWorkspacePath } from "./workspacePath";

export const moveFile = defineTool({
  name: "move_file",
  description: "Moves or renames one file. A file that exists at the target is never replaced.",
  args: z.strictObject({
    path: pathArgument.describe("The file, relative to the workspace root"),
    to: pathArgument.describe("Its new path, relative to the workspace root"),
  }),
  tags: ["write"],
  paths: ({ path, to }) => [
    { path: normalisePath(path), use: "delete", surface: "edit-tool" },
    { path: normalisePath(to), use: "write", surface: "edit-tool" },
  ],
  async run({ path, to }, context) {
    const source = resolveWorkspacePath(context.root, path);
    const target = resolveWorkspacePath(context.root, to);
    if (source.absolute === target.absolute) return refuse("invalid-arguments", "path and to are the same file");
    const read = await context.ports.files.read(source.absolute);
    if (!read.ok) return refuseFile(source, read);
    const stale = refuseStale(source, read.value, context);
    if (stale !== null) return stale;
    const taken = await context.ports.files.read(target.absolute, 0);
    if ((taken.ok || taken.code !== "not-found") && !isCaseChange(source.absolute, target.absolute)) {
      return refuse("conflict", `${target.relative}: something of this name exists already`);
    }

    const { digest } = read.value;
    await context.begin({
      files: [
        { path: source.relative, before: digest, after: null },
        { path: target.relative, before: null, after: digest },
      ],
    });
    const moved = await context.ports.files.move(source.absolute, target.absolute, digest);
    if (!moved.ok) return refuseFile(moved.code === "exists" ? target : source, moved);
    return succeed(`Moved ${source.relative} to ${target.relative}.`);
  },
});

/** On a disk that ignores case the target of such a rename is the file itself; the disk decides. */
function isCaseChange(from: string, to: string): boolean {
  return from.toLowerCase() === to.toLowerCase();
}
