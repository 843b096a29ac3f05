import * as z from "zod";

/** A path argument: relative to the workspace root, `/` between segments. Absolute ones are left to the path guard. */
export const pathArgument = z
  .string()
  .min(1)
  .max(4096)
  .refine((path) => !path.includes("\0"), "must not hold a NUL character");

/** Half of a surrogate pair cannot be written as UTF-8: it would silently become another character. */
export const textArgument = z
  .string()
  .refine((text) => !/\p{Surrogate}/u.test(text), "holds half of a surrogate pair, which no file can store");

export interface WorkspacePath {
  absolute: string;
  /** To the root, `.` for the root itself; the absolute path when it lies outside. */
  relative: string;
}

/**
 * Lexical normal form without `.`, `..` after a name, doubled or trailing slashes. What a tool declares to the guard and
 * what it opens both start from this, so that a link before a `..` cannot make them two different files.
 */
export function normalisePath(path: string): string {
  const prefix = path.startsWith("/") ? "/" : "";
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (prefix === "") kept.push("..");
  }
  return prefix + kept.join("/") || ".";
}

/** `root` is absolute; where it is a Windows path, `\` separates as well and case does not matter. */
export function resolveWorkspacePath(root: string, path: string): WorkspacePath {
  const windows = /^(?:[A-Za-z]:|\\\\)/.test(root);
  const toSlashes = (text: string): string => (windows ? text.replaceAll("\\", "/") : text);
  const normalise = windows ? normaliseWindows : normalisePath;
  const base = normalise(toSlashes(root));
  const given = toSlashes(normalisePath(path));
  const isAbsolute = given.startsWith("/") || (windows && /^[A-Za-z]:\//.test(given));
  const absolute = normalise(isAbsolute ? given : `${base}/${given}`);
  return { absolute, relative: toRelative(base, absolute, windows) };
}

/** A drive or the two slashes of a network share are no segments that `..` could take away. */
function normaliseWindows(path: string): string {
  const prefix = /^(?:[A-Za-z]:|\/(?=\/))/.exec(path)?.[0] ?? "";
  return prefix + normalisePath(path.slice(prefix.length));
}

function toRelative(base: string, absolute: string, windows: boolean): string {
  const fold = (text: string): string => (windows ? text.toLowerCase() : text);
  if (fold(absolute) === fold(base)) return ".";
  const prefix = base.endsWith("/") ? base : `${base}/`;
  return fold(absolute).startsWith(fold(prefix)) ? absolute.slice(prefix.length) : absolute;
}
