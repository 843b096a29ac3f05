import { execFile } from "node:child_process";
import { isAbsolute, delimiter, join } from "node:path";
import { locateProgram } from "./programLookup";

export type ShellProgram = { ok: true; path: string } | { ok: false; message: string };

/**
 * A shell that knows `-e -o pipefail`: bash, else an `sh` that proves by a run that it knows them. One that does not is
 * refused, since in it `failing | cat` succeeds. Never looked up in the workspace: relative entries of `PATH` do not count.
 */
export async function findShell(environment: NodeJS.ProcessEnv): Promise<ShellProgram> {
  const absoluteOnly = { ...environment, PATH: toShellFolders(environment).join(delimiter) };
  const bash = await locateProgram("bash", "/", absoluteOnly);
  if (bash !== null) return { ok: true, path: bash };
  const sh = await locateProgram("sh", "/", absoluteOnly);
  if (sh === null) return { ok: false, message: "no shell to run this text: neither bash nor sh was found" };
  if (await knowsPipefail(sh)) return { ok: true, path: sh };
  return {
    ok: false,
    message: `no shell to run this text: bash was not found, and ${sh} does not know \`-o pipefail\``,
  };
}

function toShellFolders(environment: NodeJS.ProcessEnv): string[] {
  const folders = (environment["PATH"] ?? environment["Path"] ?? "").split(delimiter).filter(isAbsolute);
  if (process.platform !== "win32") return folders.length > 0 ? folders : ["/usr/bin", "/bin"];
  // The bash in System32 starts a Linux machine with other paths and other programs.
  const usable = folders.filter((folder) => !/\\system32\\?$/i.test(folder));
  const gitFolders = [
    environment["ProgramFiles"],
    environment["LOCALAPPDATA"] && join(environment["LOCALAPPDATA"], "Programs"),
  ];
  return [...usable, ...gitFolders.flatMap((folder) => (folder ? [join(folder, "Git", "bin")] : []))];
}

function knowsPipefail(shell: string): Promise<boolean> {
  return new Promise((done) => {
    execFile(shell, ["-e", "-o", "pipefail", "-c", ":"], { timeout: 5_000 }, (error) => done(error === null));
  });
}
