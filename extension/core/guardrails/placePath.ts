import type { RealPaths } from "../ports/realPaths";
import { normalisePath } from "../tools/workspacePath";
import { isAbsolutePath, isWindowsPath, isWithin, pathKeys, toSlashes } from "./pathKeys";

/** Everything a path may mean on this disk. A verdict has to hold for all of it. */
export interface Place {
  /** Comparison forms of the absolute path as written and as resolved. */
  keys: readonly string[];
  /** Comparison forms relative to the root; only of the readings that lie in the root (`.` is the root). */
  inRoot: readonly string[];
  /** False when any resolved reading leaves the root. */
  inside: boolean;
  /** Where it really leads, for people to read: the reading outside the root when there is one. */
  leadsTo: string;
  links: number;
}

export type PlacePath = (path: string) => Place | null;

/**
 * Null when the disk would not say. A `..` after a link means one thing to an editor (text) and another to a shell (disk):
 * both readings are placed.
 */
export function createPlacePath(root: string, realPaths: RealPaths): PlacePath {
  const windows = isWindowsPath(root);
  const rootPath = normalisePath(toSlashes(root, windows));
  const exact = (path: string): string => (realPaths.caseInsensitive ? path.toLowerCase() : path);
  const inRoot = (path: string): boolean => isWithin(exact(path), exact(rootPath));

  return (path) => {
    const given = toSlashes(path, windows);
    const absolute = isAbsolutePath(given, windows) ? given : `${rootPath}/${given}`;
    const written = normalisePath(absolute);
    const real = realPaths.resolve(written, rootPath);
    const walked = given.includes("..") ? realPaths.resolve(absolute, rootPath) : real;
    if (real === null || walked === null) return null;
    const resolved = [real.path, walked.path].map((found) => normalisePath(toSlashes(found, windows)));
    const readings = [...new Set([written, ...resolved])];
    return {
      keys: [...new Set(readings.flatMap(pathKeys))],
      inRoot: readings.filter(inRoot).flatMap((reading) => relativeKeys(reading, rootPath)),
      inside: resolved.every(inRoot),
      leadsTo: resolved.find((reading) => !inRoot(reading)) ?? resolved[0] ?? written,
      links: Math.max(real.links, walked.links),
    };
  };
}

function relativeKeys(path: string, root: string): readonly string[] {
  const relative = path.slice(root.length).replace(/^\//, "") || ".";
  return pathKeys(relative);
}
