// A copy of one tree in a folder of its own, so that a check can run on it beside the work and write what it likes.
import { absolutePath } from "../../contract/contractPaths";
import type { ScratchFolder } from "../../ports/scratchFolders";
import type { Snapshots } from "../../ports/snapshots";
import type { WorkspaceFiles } from "../../ports/workspaceFiles";

/** Above this a copy costs more than it tells. */
const mostFiles = 20_000;
const mostEntries = 200_000;
/** What runners load from and pictures leave out: used where it is. */
const dependencyFolder = /(?:^|\/)(?:node_modules|bower_components|\.venv|venv|\.tox|\.yarn)$/;
const belowOne = /(?:^|\/)(?:node_modules|bower_components|\.venv|venv|\.tox|\.yarn|\.git)\//;

export interface CopySubject {
  tree: string;
  root: string;
  folder: ScratchFolder;
  ports: { files: WorkspaceFiles; snapshots: Snapshots };
}

/** The copy's root as an absolute path, inside `folder`; it is gone with it. */
export async function makePrivateCopy(
  { tree, root, folder, ports }: CopySubject,
  signal: AbortSignal,
): Promise<{ ok: true; root: string } | { ok: false; message: string }> {
  const copy = `${folder.path}/work`;
  const written = await ports.snapshots.materialise(tree, copy, mostFiles, signal);
  if (!written.ok) return written;
  const skip = (path: string): boolean => belowOne.test(path);
  const listed = await ports.files.list(root, { depth: 8, limit: mostEntries, skip });
  if (!listed.ok) return listed;
  if (listed.value.more) return { ok: false, message: "the workspace holds too much to look through" };
  // One that is a link itself is in the picture, as a link.
  const folders = listed.value.entries.filter(({ kind, path }) => kind === "directory" && dependencyFolder.test(path));
  for (const { path } of folders) await folder.link(`work/${path}`, absolutePath(root, path));
  return { ok: true, root: copy };
}
