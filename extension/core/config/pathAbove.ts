import { normalisePath } from "../tools/workspacePath";

/** Whether a written path is absolute or climbs out of the folder it is relative to. */
export function isPathAbove(path: string): boolean {
  const slashes = path.replaceAll("\\", "/");
  return /^(?:\/|~|[A-Za-z]:)/.test(slashes) || /^\.\.(?:\/|$)/.test(normalisePath(slashes));
}

/** Whether a written path, relative to the root, is the root itself or a folder above it. */
export function isRootOrAbove(path: string): boolean {
  return /^(?:\.|\/|\.\.(?:\/\.\.)*)$/.test(normalisePath(path.replaceAll("\\", "/")));
}
