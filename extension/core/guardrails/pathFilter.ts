import { createNameIndex } from "./nameIndex";
import type { PathRulesOptions } from "./pathRules";
import { hiddenPaths } from "./pathRules";
import { createPlacePath } from "./placePath";
import { isSecretFile, secretFileGlobs } from "./secretFiles";

export interface PathFilter {
  /** Lists and searches leave this path out: hidden folders, the engine's own records, git's folder, secret files. */
  isHidden(path: string): boolean;
  /**
   * The same for a search program, as globs relative to the root. They only save work: hits still have to be asked about,
   * because a search may start below the root.
   */
  excludes: readonly string[];
}

/** Paths are relative to the root or absolute. A path the disk would not place is hidden. */
export function createPathFilter(options: Omit<PathRulesOptions, "protect">): PathFilter {
  const placePath = createPlacePath(options.root, options.realPaths);
  const folders = [...hiddenPaths(options), ...options.stateFolders];
  const unseen = createNameIndex(folders, placePath);
  const below = folders.flatMap((folder) => placePath(folder)?.inRoot ?? []);
  return {
    isHidden(path) {
      const place = placePath(path);
      if (place === null || unseen.holds(place.keys)) return true;
      return place.inRoot.some((key) => key.split("/").includes(".git") || isSecretFile(key));
    },
    excludes: ["**/.git/**", ...secretFileGlobs, ...below.flatMap((folder) => [folder, `${folder}/**`])],
  };
}
