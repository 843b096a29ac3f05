import { absolutePath, baseName, isWithin, relativePath } from "./contractPaths";
import type { ContractPorts } from "./contractPorts";

/** Which file a check starts. Both null when it is missing. */
export interface ProgramIdentity {
  path: string | null;
  digest: string | null;
}

/** Above this a program outside the workspace (an interpreter of 100 MB) is known by path and size: hashing it would cost more than most checks. */
const wholeDigestLimitBytes = 32_000_000;

/** `cwd` is relative to the root. A null digest with a path means the file could not be read. */
export async function identifyProgram(
  program: string,
  cwd: string,
  ports: ContractPorts,
  root: string,
): Promise<ProgramIdentity> {
  const path = program === "" ? null : await ports.commands.which(program, absolutePath(root, cwd));
  if (path === null) return { path: null, digest: null };
  const inside = isWithin(relativePath(root, path), ".");
  const read = await ports.files.read(path, inside ? undefined : wholeDigestLimitBytes);
  if (read.ok) return { path, digest: read.value.digest };
  return { path, digest: read.code === "too-large" ? await sizeDigest(path, ports) : null };
}

async function sizeDigest(path: string, ports: ContractPorts): Promise<string | null> {
  const name = baseName(path.replaceAll("\\", "/"));
  const folder = path.slice(0, path.length - name.length);
  const listed = await ports.files.list(folder, { depth: 1, limit: 2, skip: (entry) => entry !== name });
  const entry = listed.ok ? listed.value.entries.find((candidate) => candidate.path === name) : undefined;
  return entry === undefined ? null : ports.hasher.sha256(`program of ${entry.size} bytes`);
}
