import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, parse, sep } from "node:path";
import type { RealPaths } from "../core/ports/realPaths";

/** As many as Linux follows before it says that a path is a loop. */
const mostLinks = 40;

export class NodeRealPaths implements RealPaths {
  readonly home: string;
  readonly caseInsensitive: boolean;

  /** Looks at `folder` (the workspace root) to learn how its disk takes upper and lower case. */
  constructor(folder: string) {
    const home = homedir();
    this.home = this.resolve(home, home)?.path ?? home;
    this.caseInsensitive = ignoresCase(folder) ?? process.platform !== "linux";
  }

  resolve(path: string, base: string): { path: string; exists: boolean; links: number } | null {
    const absolute = isAbsolute(path) ? path : base + sep + path;
    if (!isAbsolute(absolute)) return null;
    try {
      return walk(absolute);
    } catch {
      // Not "it is absent" but "the disk would not say": forbidden, too long, a zero byte, a loop.
      return null;
    }
  }
}

/** Segment by segment, as the system does it: `link/..` is the parent of what the link points to. */
function walk(absolute: string): { path: string; exists: boolean; links: number } | null {
  let current = parse(absolute).root;
  let found = look(current);
  let linksLeft = mostLinks;
  const rest = toSegments(absolute);
  for (let segment = rest.shift(); segment !== undefined; segment = rest.shift()) {
    if (segment === "..") {
      current = dirname(current);
      found = look(current);
      continue;
    }
    const next = join(current, segment);
    found = look(next);
    if (!found?.isSymbolicLink()) {
      current = next;
      continue;
    }
    if ((linksLeft -= 1) < 0) return null;
    const target = readlinkSync(next);
    if (isAbsolute(target)) current = parse(target).root;
    found = look(current);
    rest.unshift(...toSegments(target));
  }
  return { path: toStoredName(current, found !== null), exists: found !== null, links: linksOf(found) };
}

/** A folder counts its sub-folders as links; no other name leads to it. */
function linksOf(found: Stats | null): number {
  if (found === null) return 0;
  return found.isDirectory() ? 1 : found.nlink;
}

function toSegments(path: string): string[] {
  const separators = process.platform === "win32" ? /[\\/]+/ : /\/+/;
  return path
    .slice(isAbsolute(path) ? parse(path).root.length : 0)
    .split(separators)
    .filter((segment) => segment !== "" && segment !== ".");
}

/** Null when nothing is there; throws when that cannot be told. */
function look(path: string): Stats | null {
  try {
    // An error for each absent name would cost more than the look itself.
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error: unknown) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** Where case or short names may differ from what the disk keeps, its own spelling. */
function toStoredName(path: string, exists: boolean): string {
  if (process.platform === "linux") return path;
  if (exists) return realpathSync.native(path);
  const parent = dirname(path);
  return parent === path ? path : join(toStoredName(parent, look(parent) !== null), basename(path));
}

/** Whether an entry of the folder, else the folder itself, is found under its name with the case turned; null when none tells. */
function ignoresCase(folder: string): boolean | null {
  try {
    const names = [...readdirSync(folder).map((name) => join(folder, name)), folder];
    const path = names.find((name) => turnCase(basename(name)) !== basename(name));
    if (path === undefined) return null;
    const turned = join(dirname(path), turnCase(basename(path)));
    const [one, other] = [statSync(path, { bigint: true }), statSync(turned, { bigint: true, throwIfNoEntry: false })];
    return other !== undefined && one.ino === other.ino && one.dev === other.dev;
  } catch {
    // A folder that cannot be read tells nothing.
    return null;
  }
}

function turnCase(name: string): string {
  return name.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
