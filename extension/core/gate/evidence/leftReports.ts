// Reports that a runner leaves in the workspace and nowhere else: only what this execution wrote counts.
import { absolutePath } from "../../contract/contractPaths";
import { matchAny } from "../../contract/globs";
import { mapBounded } from "../../contract/mapBounded";
import type { WorkspaceFiles } from "../../ports/workspaceFiles";

const limit = 200_000;
const largestBytes = 64_000_000;

export interface LeftReport {
  name: string;
  text: string;
  digest: string;
}

/** `folder` is absolute. A file that cannot be read is no report. */
export async function readLeftReports(
  globs: readonly string[],
  folder: string,
  files: WorkspaceFiles,
): Promise<LeftReport[]> {
  if (globs.length === 0) return [];
  const skip = (path: string): boolean => /(?:^|\/)(?:node_modules|\.git)$/.test(path);
  const listed = await files.list(folder, { depth: 32, limit, skip });
  if (!listed.ok) return [];
  const matches = matchAny(globs);
  const names = listed.value.entries.filter(({ kind, path }) => kind === "file" && matches(path));
  const read = await mapBounded(names, 8, async ({ path }): Promise<LeftReport | null> => {
    const file = await files.read(absolutePath(folder, path), largestBytes);
    if (!file.ok) return null;
    return { name: path, text: new TextDecoder().decode(file.value.bytes), digest: file.value.digest };
  });
  return read.filter((report) => report !== null);
}

/** Without those that were there before, byte for byte: they tell of another execution. */
export function onlyNew(after: readonly LeftReport[], before: readonly LeftReport[]): LeftReport[] {
  const known = new Set(before.map(({ name, digest }) => `${digest} ${name}`));
  return after.filter(({ name, digest }) => !known.has(`${digest} ${name}`));
}
