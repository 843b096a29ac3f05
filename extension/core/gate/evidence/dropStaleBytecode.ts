// Python believes compiled files beside its sources when time and size match: one made by hand would run in place of a
// frozen test. Those of frozen sources are removed before a check, which costs Python one compilation of each.
import { absolutePath, comparisonForm, joinPath } from "../../contract/contractPaths";
import { mapBounded } from "../../contract/mapBounded";
import type { VerificationPlan } from "../../contract/verificationPlan";
import type { WorkspaceFiles } from "../../ports/workspaceFiles";

const limit = 10_000;

/** Answers the compiled files that could not be removed. Files without a frozen source stay as they are. */
export async function dropStaleBytecode(
  { contract }: Pick<VerificationPlan, "contract">,
  root: string,
  files: WorkspaceFiles,
): Promise<readonly string[]> {
  const sources = contract.filter((entry) => entry.class === "frozen" && entry.path.endsWith(".py"));
  const names = new Set(sources.map((entry) => comparisonForm(entry.path)));
  const folders = [...new Set(sources.map((entry) => joinPath(entry.path, "..")))];
  const kept = await mapBounded(folders, 4, async (folder) => {
    const compiled = await compiledIn(folder, root, files);
    const stale = compiled.filter((path) => names.has(comparisonForm(toSource(path))));
    return mapBounded(stale, 4, async (path) => ((await remove(path, root, files)) ? null : path));
  });
  return kept.flat().filter((path) => path !== null);
}

/** In the folder's cache and, as Python also reads them, beside the sources themselves. */
async function compiledIn(folder: string, root: string, files: WorkspaceFiles): Promise<string[]> {
  const cache = joinPath(folder, "__pycache__");
  const listed = await files.list(absolutePath(root, cache), { depth: 1, limit, skip: () => false });
  if (!listed.ok) return [];
  return listed.value.entries.filter(({ path }) => path.endsWith(".pyc")).map(({ path }) => joinPath(cache, path));
}

/** `a/__pycache__/test_x.cpython-311-pytest-8.0.pyc` is of `a/test_x.py`. */
function toSource(path: string): string {
  return path.replace(/__pycache__\/([^/]*?)\.[^/]*$/, "$1.py");
}

async function remove(path: string, root: string, files: WorkspaceFiles): Promise<boolean> {
  const absolute = absolutePath(root, path);
  const read = await files.read(absolute);
  if (!read.ok) return read.code === "not-found";
  const deleted = await files.delete(absolute, read.value.digest);
  return deleted.ok || deleted.code === "not-found";
}
