// Paths of the contract: relative to the root with `/`, pure text, no disk.

/** Takes out `.` and inner `..`; leading `..` stay. `.` when nothing is left. */
export function normalizePath(path: string): string {
  const absolute = path.startsWith("/");
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    const last = kept.at(-1);
    if (segment === ".." && last !== undefined && last !== "..") kept.pop();
    else if (segment !== ".." || !absolute) kept.push(segment);
  }
  const joined = kept.join("/");
  if (absolute) return `/${joined}`;
  return joined === "" ? "." : joined;
}

/** `base` and `path` are relative to the root; an absolute `path` stays as it is. */
export function joinPath(base: string, path: string): string {
  return isAbsolutePath(path) ? normalizePath(slashes(path)) : normalizePath(`${base}/${path}`);
}

export function isAbsolutePath(path: string): boolean {
  return path.startsWith("/") || windowsRoot.test(path);
}

/** Where a contract path is on the disk. */
export function absolutePath(root: string, path: string): string {
  return isAbsolutePath(path) ? normalizePath(slashes(path)) : normalizePath(`${slashes(root)}/${path}`);
}

/** The contract's name for an absolute path: relative to the root, with `../` when outside; unchanged on another drive. */
export function relativePath(root: string, absolute: string): string {
  const from = slashes(root).split("/").filter(Boolean);
  const to = normalizePath(slashes(absolute)).split("/").filter(Boolean);
  if (windowsRoot.test(absolute) && from[0]?.toLowerCase() !== to[0]?.toLowerCase()) return slashes(absolute);
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared += 1;
  const up = from.slice(shared).map(() => "..");
  return [...up, ...to.slice(shared)].join("/") || ".";
}

/** One form for all spellings of a name: a contract name in another case or Unicode form is the same name. */
export function comparisonForm(path: string): string {
  return normalizePath(path).normalize("NFC").toLowerCase();
}

/** True when `path` is `folder` or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "." ? !path.startsWith("../") && path !== ".." : path === folder || path.startsWith(`${folder}/`);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `.` and every folder from the root down to `path`'s folder, the nearest last. */
export function foldersAbove(path: string): string[] {
  const segments = normalizePath(path).split("/");
  const folders = ["."];
  for (let count = 1; count < segments.length; count += 1) folders.push(segments.slice(0, count).join("/"));
  return folders;
}

const windowsRoot = /^(?:[A-Za-z]:[\\/]|\\\\)/;

function slashes(path: string): string {
  return windowsRoot.test(path) ? path.replaceAll("\\", "/") : path;
}
