import { canonicalJson } from "../journal/canonicalJson";
import { absolutePath, joinPath } from "./contractPaths";
import type { ContractPorts } from "./contractPorts";
import { mapBounded } from "./mapBounded";
import type { Observation } from "./observation";

const limit = 10_000;

/** One digest over names and bytes of everything in a hidden folder (or of the one file). */
export async function hiddenFolderDigest(path: string, ports: ContractPorts, root: string): Promise<Observation> {
  const listed = await listHidden(path, ports, root);
  if (listed === null) return { state: "absent" };
  if (typeof listed === "string") return { state: "unreadable", code: "failed", message: listed };
  const parts = await mapBounded(listed, 16, async (file) => {
    const read = await ports.files.read(absolutePath(root, file));
    return [file, read.ok ? read.value.digest : read.code];
  });
  return { state: "present", digest: ports.hasher.sha256(canonicalJson(parts)), mode: null, links: null };
}

/** Files of a hidden folder as contract paths; null when it is absent, a sentence when it cannot be listed whole. */
export async function listHidden(path: string, ports: ContractPorts, root: string): Promise<string[] | string | null> {
  const listed = await ports.files.list(absolutePath(root, path), { depth: 32, limit, skip: isCache });
  if (!listed.ok && listed.code === "not-found") return null;
  if (!listed.ok && listed.code !== "not-a-file") {
    const read = await ports.files.read(absolutePath(root, path));
    return read.ok ? [path] : listed.message;
  }
  if (!listed.ok) return [path];
  if (listed.value.more) return `it holds more than ${limit} files`;
  return listed.value.entries.filter((entry) => entry.kind !== "directory").map((entry) => joinPath(path, entry.path));
}

/** A check that runs from a hidden folder may leave its interpreter's caches there. */
function isCache(path: string): boolean {
  return /(?:^|\/)(?:__pycache__|\.pytest_cache)$/.test(path);
}
