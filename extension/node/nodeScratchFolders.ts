import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import type { ScratchFolder, ScratchFolders } from "../core/ports/scratchFolders";

const largestBytes = 64_000_000;
/** What interpreters keep for themselves. */
const caches = new Set(["__pycache__", "work"]);

/** Folders in the machine's folder for temporary files, readable by their owner only. */
export class NodeScratchFolders implements ScratchFolders {
  constructor(private readonly parent: string = tmpdir()) {}

  async create(): Promise<ScratchFolder> {
    const folder = await realpath(await mkdtemp(join(this.parent, "donegate-check-")));
    return {
      path: folder.split(sep).join("/"),
      put: async (name, text) => {
        const file = join(folder, name);
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, text);
      },
      link: async (name, target) => {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await symlink(target, join(folder, name), "junction");
      },
      read: () => readFolder(folder, folder),
      remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined),
    };
  }
}

async function readFolder(folder: string, base: string): Promise<{ name: string; text: string }[]> {
  const found: { name: string; text: string }[] = [];
  for (const entry of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !caches.has(entry.name)) found.push(...(await readFolder(path, base)));
    if (!entry.isFile() || (await stat(path)).size > largestBytes) continue;
    found.push({ name: relative(base, path).split(sep).join("/"), text: await readFile(path, "utf8") });
  }
  return found;
}
