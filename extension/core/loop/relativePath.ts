import { resolveWorkspacePath } from "../tools/workspacePath";

/** A path as a call named it, in the form the snapshots use: relative to the root. */
export function toPath(root: string, path: string): string {
  return resolveWorkspacePath(root, path).relative;
}
