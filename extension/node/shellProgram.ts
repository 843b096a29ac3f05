import { execFile } from "node:child_process";
import { delimiter, posix, win32 } from "node:path";
import { locateProgram } from "./programLookup";

export type ShellProgram = { ok: true; path: string } | { ok: false; message: string };

/**
 * A shell that knows `-e -o pipefail`: bash, else an `sh` that proves by a run that it knows them. One that does not is
 * refused, since in it `failing | cat` succeeds. Never looked up in the workspace: relative entries of `PATH` do not count.
 */
export async function findShell(environment: NodeJS.ProcessEnv): Promise<ShellProgram> {
  const { platform } = process;
  const absoluteOnly = { ...environment, PATH: toShellFolders(environment, platform).join(delimiter) };
  const bash = await locateProgram("bash", "/", absoluteOnly);
  if (bash !== null) return { ok: true, path: bash };
  const sh = await locateProgram("sh", "/", absoluteOnly);
  if (sh !== null && (await knowsPipefail(sh))) return { ok: true, path: sh };
  return { ok: false, message: explainNoShell(sh, platform) };
}

/** Absolute folders in which a shell is looked for, in order. */
export function toShellFolders(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  const path = environment["PATH"] ?? environment["Path"] ?? "";
  if (platform !== "win32") {
    const folders = path.split(posix.delimiter).filter((folder) => posix.isAbsolute(folder));
    return folders.length > 0 ? folders : ["/usr/bin", "/bin"];
  }
  const folders = path.split(win32.delimiter).filter((folder) => win32.isAbsolute(folder));
  // The bash of these two starts a Linux machine, with other paths and other programs.
  const usable = folders.filter((folder) => !/\\(?:system32|microsoft\\windowsapps)\\?$/i.test(folder));
  // Git's installer puts git on the path and leaves its bash beside it.
  const besideGit = folders.flatMap((folder) =>
    /\\git\\cmd\\?$/i.test(folder) ? [win32.join(folder, "..", "bin")] : [],
  );
  const { ProgramFiles: programs, LOCALAPPDATA: local } = environment;
  const usual = [programs, local === undefined ? undefined : win32.join(local, "Programs")];
  const inUsual = usual.flatMap((folder) => (folder ? [win32.join(folder, "Git", "bin")] : []));
  return [...new Set([...usable, ...besideGit, ...inUsual])];
}

/** `sh`: the one that was found and does not know what is needed. */
export function explainNoShell(sh: string | null, platform: NodeJS.Platform): string {
  const why =
    sh === null ? "neither bash nor sh was found" : `bash was not found, and ${sh} does not know \`-o pipefail\``;
  const missing = `no shell to run this text: ${why}`;
  if (platform !== "win32") return missing;
  return `${missing}. Install Git for Windows, which brings one, or put bash on the path; cmd and PowerShell are not used`;
}

function knowsPipefail(shell: string): Promise<boolean> {
  return new Promise((done) => {
    execFile(shell, ["-e", "-o", "pipefail", "-c", ":"], { timeout: 5_000 }, (error) => done(error === null));
  });
}
