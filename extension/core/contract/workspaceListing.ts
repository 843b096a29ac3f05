import { builtInOutputs } from "./builtInOutputs";
import { baseName } from "./contractPaths";
import type { ContractPorts } from "./contractPorts";

/** Everything in the workspace that could be part of a contract, folders left out. */
export interface WorkspaceListing {
  paths: readonly string[];
  /** Why it is not everything, else null. */
  incomplete: string | null;
}

const limit = 500_000;
/** What tools write and what version control keeps: no check takes its tests from there. */
const skipped: ReadonlySet<string> = new Set([...builtInOutputs, ".git", ".hg", ".svn"]);

export async function listWorkspace(root: string, ports: Pick<ContractPorts, "files">): Promise<WorkspaceListing> {
  const skip = (path: string): boolean => skipped.has(baseName(path));
  const listed = await ports.files.list(root, { depth: 64, limit, skip });
  if (!listed.ok) return { paths: [], incomplete: `the workspace could not be listed: ${listed.message}` };
  const paths = listed.value.entries.filter((entry) => entry.kind !== "directory").map((entry) => entry.path);
  return { paths, incomplete: listed.value.more ? `the workspace holds more than ${limit} files` : null };
}
