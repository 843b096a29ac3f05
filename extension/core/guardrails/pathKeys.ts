// Names for comparison. A protected name is the same name in any case, Unicode form or disguise a file system may fold.
import { normalisePath } from "../tools/workspacePath";

/** Forward slashes; only where the text is a Windows path does `\` separate as well. */
export function toSlashes(path: string, windows: boolean): string {
  return windows ? path.replaceAll("\\", "/") : path;
}

export function isWindowsPath(path: string): boolean {
  return /^(?:[A-Za-z]:|\\\\)/.test(path);
}

export function isAbsolutePath(path: string, windows: boolean): boolean {
  return path.startsWith("/") || (windows && /^(?:[A-Za-z]:[\\/]|\\)/.test(path));
}

/**
 * Every form under which a path is compared; two paths are the same name when any of their forms are equal.
 * The plain form comes first and never changes the path's segments, so that folding can only add matches.
 */
export function pathKeys(path: string): readonly string[] {
  const plain = path.normalize("NFC").toLowerCase();
  const folded = path
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replaceAll("\\", "/");
  const segments = folded.split("/").map((segment, index) => (index === 0 ? segment : asWindowsWouldOpen(segment)));
  const disguised = normalisePath(segments.join("/"));
  return plain === disguised ? [plain] : [plain, disguised];
}

/** Windows opens `name.`, `name ` and `name::$DATA` as `name`. */
function asWindowsWouldOpen(segment: string): string {
  if (segment === "." || segment === "..") return segment;
  const name = segment.split(":", 1)[0] ?? segment;
  return name.replace(/[. ]+$/, "") || segment;
}

/** Whether `path` is `folder` or lies below it; both are absolute, or relative to the same folder, without a trailing slash. */
export function isWithin(path: string, folder: string): boolean {
  if (path === folder) return true;
  return path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
