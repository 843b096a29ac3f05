import { readdir } from "node:fs/promises";
import type { Dirent } from "node:fs";

export interface WalkRules {
  /** Byte path of a folder and its name: true when what lies in it is a tool's output. */
  isOutputFolder(path: string, name: string): boolean;
  isOutput(path: string): boolean;
  /** Byte paths of the harness's own files, left out without a word. */
  own: ReadonlySet<string>;
}

export interface Walk {
  /** Byte paths of all files and links, relative to the root. */
  files: string[];
  /** What the walk saw and left out; folders end in `/`. */
  leftOut: string[];
}

/**
 * Every file below `root`, whatever any .gitignore says, nested repositories included, links not followed.
 * Folders that cannot be read are named in `leftOut`. Rejects when the root itself cannot be read.
 */
export async function walkFiles(root: string, rules: WalkRules, signal: AbortSignal): Promise<Walk> {
  const walk: Walk = { files: [], leftOut: [] };
  const base = Buffer.from(root, "utf8").toString("latin1");
  let level = [""];
  // Level by level: as many folders at a time as there are threads to read them.
  for (let depth = 0; level.length > 0 && !signal.aborted; depth++) {
    const found = await Promise.all(level.map((folder) => listFolder(base, folder, depth, walk)));
    const next: string[] = [];
    for (const [at, entries] of found.entries()) {
      const folder = level[at] ?? "";
      for (const entry of entries) sortEntry(folder, entry, rules, { walk, next });
    }
    level = next;
  }
  return walk;
}

async function listFolder(base: string, folder: string, depth: number, walk: Walk): Promise<Dirent[]> {
  try {
    const path = Buffer.from(`${base}/${folder}`, "latin1");
    return await readdir(path, { withFileTypes: true, encoding: "latin1" });
  } catch (error: unknown) {
    if (depth === 0) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    // Gone, or no folder any more, since its parent was read.
    if (code !== "ENOENT" && code !== "ENOTDIR") walk.leftOut.push(folder);
    return [];
  }
}

/** Notes a file, or a folder to go on with, which has a `/` at its end. */
function sortEntry(
  folder: string,
  entry: Dirent,
  rules: WalkRules,
  { walk, next }: { walk: Walk; next: string[] },
): void {
  const { name } = entry;
  const path = folder + name;
  // Git's own data is never part of a tree, and git refuses such a name in any case.
  if ((name.length === 4 && name.toLowerCase() === ".git") || rules.own.has(path)) return;
  const isFolder = entry.isDirectory();
  if (rules.isOutput(path) || (isFolder && rules.isOutputFolder(path, name))) {
    walk.leftOut.push(isFolder ? `${path}/` : path);
  } else if (isFolder) {
    next.push(`${path}/`);
  } else if (entry.isFile() || entry.isSymbolicLink()) {
    walk.files.push(path);
  } else {
    // Pipes, sockets and devices have no bytes to keep.
    walk.leftOut.push(path);
  }
}
