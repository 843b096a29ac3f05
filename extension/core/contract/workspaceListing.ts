import { builtInOutputs } from "./builtInOutputs";
import { absolutePath, baseName, joinPath } from "./contractPaths";
import type { ContractPorts } from "./contractPorts";
import { globFolder, matchAny } from "./globs";
import { mapBounded } from "./mapBounded";

/** Everything in the workspace that could be part of a contract, folders left out. */
export interface WorkspaceListing {
  paths: readonly string[];
  /** Why it is not everything, else null. */
  incomplete: string | null;
}

const limit = 500_000;
/** What tools write and what version control keeps: no check takes its tests from there. */
const skipped: ReadonlySet<string> = new Set([...builtInOutputs, ".git", ".hg", ".svn"]);

/**
 * What matches one of the globs. Each is looked for only in the folder that can hold its matches: listing everything is
 * what a comparison costs, and most contracts need a folder or two.
 */
export async function listMatching(
  globs: readonly string[],
  root: string,
  ports: Pick<ContractPorts, "files">,
): Promise<WorkspaceListing> {
  const folders = [...new Set(globs.map(globFolder))];
  const listings = await mapBounded(folders, 4, (folder) => listWorkspace(root, ports, folder));
  const matches = matchAny(globs);
  const paths = new Set(listings.flatMap((listing) => listing.paths).filter((path) => matches(path)));
  return {
    paths: [...paths].sort(),
    incomplete: listings.find((listing) => listing.incomplete !== null)?.incomplete ?? null,
  };
}

/** `folder` limits it to what lies below; paths stay relative to the root. A folder that is not there is empty. */
export async function listWorkspace(
  root: string,
  ports: Pick<ContractPorts, "files">,
  folder = ".",
): Promise<WorkspaceListing> {
  const skip = (path: string): boolean => skipped.has(baseName(path));
  const listed = await ports.files.list(absolutePath(root, folder), { depth: 64, limit, skip });
  if (!listed.ok && listed.code === "not-found" && folder !== ".") return { paths: [], incomplete: null };
  if (!listed.ok) return { paths: [], incomplete: `the workspace could not be listed: ${listed.message}` };
  const entries = listed.value.entries.filter((entry) => entry.kind !== "directory");
  const paths = entries.map((entry) => joinPath(folder, entry.path));
  return { paths, incomplete: listed.value.more ? `the workspace holds more than ${limit} files` : null };
}
