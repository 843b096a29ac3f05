import { open, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";

/** The person's own repository, of which we read objects and index and touch nothing. */
export interface UserRepository {
  /** Folder of its objects; null when they are named by another kind of hash than ours. */
  objects: string | null;
  index: string;
  /** From the top of its work tree down to our root: empty, or ends in `/`. */
  prefix: string;
}

/** Finds it as git would: the nearest `.git` from the root upwards, a folder or the file of a worktree or submodule. */
export async function findUserRepository(root: string): Promise<UserRepository | null> {
  for (let folder = root; ; folder = dirname(folder)) {
    const gitFolder = await resolveGitFolder(folder);
    if (gitFolder !== null) return describe(gitFolder, relative(folder, root));
    if (dirname(folder) === folder) return null;
  }
}

async function resolveGitFolder(folder: string): Promise<string | null> {
  const path = join(folder, ".git");
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return path;
  const target = /^gitdir: (.+?)\r?\n?$/.exec((await readText(path)) ?? "")?.[1];
  return target === undefined ? null : resolve(folder, target);
}

async function describe(gitFolder: string, below: string): Promise<UserRepository | null> {
  const shared = (await readText(join(gitFolder, "commondir")))?.trim();
  const common = shared === undefined ? gitFolder : resolve(gitFolder, shared);
  const objects = join(common, "objects");
  if (!(await stat(objects).catch(() => null))?.isDirectory()) return null;
  const otherHash = /^\s*objectformat\s*=\s*(?!sha1\b)/im.test((await readText(join(common, "config"))) ?? "");
  const prefix = below === "" ? "" : `${below.split(sep).join("/")}/`;
  return { objects: otherHash ? null : objects, index: join(gitFolder, "index"), prefix };
}

/** How many entries an index says it has, without reading it; 0 when there is none. */
export async function countIndexEntries(index: string): Promise<number> {
  const handle = await open(index, "r").catch(() => null);
  if (handle === null) return 0;
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    return bytesRead === 12 && buffer.toString("latin1", 0, 4) === "DIRC" ? buffer.readUInt32BE(8) : 0;
  } finally {
    await handle.close();
  }
}

/** Changes whenever the file is written; null when it is not there. */
export async function fileStamp(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : [found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":");
}

function readText(path: string): Promise<string | null> {
  return readFile(path, "utf8").catch(() => null);
}
