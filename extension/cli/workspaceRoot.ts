import { realpath, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { refuse, type Refusal } from "./exitCodes";

/** The real path of the workspace: the folder named, or the current one. */
export async function findWorkspaceRoot(
  named: string | null,
  cwd: string,
): Promise<{ ok: true; root: string } | Refusal> {
  const path = resolve(cwd, named ?? ".");
  try {
    if (!(await stat(path)).isDirectory()) {
      return refuse(`the workspace ${path} is a file, not a folder: name the folder that holds the project`);
    }
    return { ok: true, root: await realpath(path) };
  } catch (error: unknown) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") {
      return refuse(`the workspace folder ${path} does not exist: check --workspace`);
    }
    return refuse(`the workspace folder ${path} cannot be read (${code ?? "unknown error"})`);
  }
}
