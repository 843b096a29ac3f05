import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * The path of the program that starting `program` in `cwd` would run, or null; links in it are left as they are.
 * Like the system's own search: a name with a slash is a path, an empty or relative entry of `PATH` counts from `cwd`.
 */
export async function locateProgram(
  program: string,
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  for (const candidate of toCandidates(program, cwd, environment)) {
    if (await isProgram(candidate)) return candidate;
  }
  return null;
}

/** The real path of that program. Not for starting it: a program may go by the name it is called with. */
export async function findProgram(
  program: string,
  cwd: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const path = await locateProgram(program, cwd, environment);
  return path === null ? null : realpath(path).catch(() => null);
}

function toCandidates(program: string, cwd: string, environment: NodeJS.ProcessEnv): string[] {
  if (program === "") return [];
  const endings = process.platform === "win32" ? ["", ...(environment["PATHEXT"] ?? ".EXE").split(";")] : [""];
  const withEndings = (path: string) => endings.map((ending) => path + ending);
  const isPath = program.includes("/") || (process.platform === "win32" && program.includes("\\"));
  if (isPath || isAbsolute(program)) return withEndings(resolve(cwd, program));
  const folders = (environment["PATH"] ?? environment["Path"] ?? "/usr/bin:/bin").split(delimiter);
  return folders.flatMap((folder) => withEndings(join(resolve(cwd, folder), program)));
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there or not executable: the search goes on, as the system's does.
    return false;
  }
}
