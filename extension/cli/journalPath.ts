import { realpath, stat } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { NodeRealPaths } from "../node/nodeRealPaths";
import { defaultJournalPath } from "./compose";
import { exitCodes, refuse, type Refusal } from "./exitCodes";

/** Where a new run writes. The journal never lies where the run can write. */
export async function newJournalPath(
  { named, root, run }: { named: string | null; root: string; run: string },
  cwd: string,
): Promise<{ ok: true; path: string } | Refusal> {
  const path = resolve(cwd, named ?? defaultJournalPath(root, run));
  const real = new NodeRealPaths(root).resolve(path, cwd);
  if (real === null) return refuse(`the journal ${path} cannot be reached: check its folder`);
  if (isWithin(real.path, root)) {
    return named === null
      ? refuse(`the state folder lies in the workspace (${path}): set XDG_STATE_HOME to a folder outside of it`)
      : refuse(
          `the journal ${path} would lie in the workspace, where the run can write: name a file outside of ${root}`,
          exitCodes.usage,
        );
  }
  const found = await statOf(real.path);
  if (found?.isDirectory() === true) return refuse(`the journal ${path} is a folder: name a file`);
  if (found !== null && found.size > 0) {
    return refuse(
      `the journal ${path} holds a run already: go on with it by donegate resume --journal ${path}, or name a new file`,
    );
  }
  return { ok: true, path: real.path };
}

/** A journal that is there. */
export async function existingJournalPath(
  named: string | null,
  cwd: string,
): Promise<{ ok: true; path: string } | Refusal> {
  if (named === null) return refuse("name the journal: --journal FILE", exitCodes.usage);
  const path = resolve(cwd, named);
  const found = await statOf(path);
  if (found === null) return refuse(`there is no journal ${path}`);
  return found.isFile()
    ? { ok: true, path: await realpath(path) }
    : refuse(`${path} is no journal but a folder or a device`);
}

async function statOf(path: string) {
  return stat(path).catch(() => null);
}

/** Both absolute real paths. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : join(folder, sep));
}
