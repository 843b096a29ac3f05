import { pathKeys } from "./pathKeys";
import type { PlacePath } from "./placePath";

/** A set of files and folders that answers in time proportional to a path's depth, however many names it holds. */
export interface NameIndex {
  /** One of the keys is a name of the set or lies below one. */
  holds(keys: readonly string[]): boolean;
  /** One of the keys is a folder above a name of the set. */
  isAbove(keys: readonly string[]): boolean;
}

/** Each path is known as written and as the disk resolves it now; where the disk would not say, as written. */
export function createNameIndex(paths: readonly string[], placePath: PlacePath): NameIndex {
  const names = new Set(paths.flatMap((path) => placePath(path)?.keys ?? pathKeys(path)));
  const above = new Set([...names].flatMap((name) => foldersAbove(name)));
  return {
    holds: (keys) => keys.some((key) => names.has(key) || foldersAbove(key).some((folder) => names.has(folder))),
    isAbove: (keys) => keys.some((key) => above.has(key)),
  };
}

function foldersAbove(path: string): readonly string[] {
  const folders: string[] = path.startsWith("/") ? ["/"] : [];
  for (let at = path.indexOf("/", 1); at > 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}
