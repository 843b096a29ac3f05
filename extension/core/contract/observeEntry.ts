import { absolutePath } from "./contractPaths";
import type { ContractPorts } from "./contractPorts";
import { hiddenFolderDigest } from "./hiddenFolders";
import type { Observation } from "./observation";
import { deciding } from "./projections";
import type { ContractClass } from "./verificationPlan";

/** An absent file has an empty deciding part, so for a projection it is present. */
export async function observeEntry(
  path: string,
  as: ContractClass,
  ports: ContractPorts,
  root: string,
): Promise<Observation> {
  if (as === "hidden") return hiddenFolderDigest(path, ports, root);
  const read = await ports.files.read(absolutePath(root, path));
  if (!read.ok && read.code !== "not-found") {
    return { state: "unreadable", code: read.code, message: read.message };
  }
  if (as === "projection") {
    const text = read.ok ? new TextDecoder().decode(read.value.bytes) : null;
    return { state: "present", digest: ports.hasher.sha256(deciding(path, text)), mode: null, links: null };
  }
  if (!read.ok) return { state: "absent" };
  const { digest, mode, links } = read.value;
  return { state: "present", digest, mode, links };
}
