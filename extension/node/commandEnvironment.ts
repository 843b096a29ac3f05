/** The variable by which every process of a run can be told, and the one that tells its commands apart. */
export const runVariable = "DONEGATE_RUN";
export const commandVariable = "DONEGATE_COMMAND";

const allowedNames = new Set([
  ..."PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR SHELL".split(" "),
  ..."SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP USERNAME USERPROFILE HOMEDRIVE HOMEPATH".split(" "),
  ..."APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432".split(" "),
  ..."PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS".split(" "),
]);

export interface RunMarks {
  run: string;
  command: string;
}

/**
 * What a command is started with: the allow-listed part of `own`, settings for a program that nobody watches,
 * then `added`, then the marks, which nothing overrides. Keys, tokens and proxies of the harness stay out.
 */
export function toCommandEnvironment(
  own: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>>,
  marks: RunMarks,
): Record<string, string> {
  const base = { ...toBaseEnvironment(own), TERM: "dumb", CI: "1", NO_COLOR: "1" };
  const addedNames = new Set(Object.keys(added).map(comparableName));
  const kept = Object.entries(base).filter(([name]) => !addedNames.has(comparableName(name)));
  return { ...Object.fromEntries(kept), ...added, [runVariable]: marks.run, [commandVariable]: marks.command };
}

export function toBaseEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const base: Record<string, string> = {};
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && isAllowed(comparableName(name))) base[name] = value;
  }
  return base;
}

function isAllowed(name: string): boolean {
  return allowedNames.has(name) || name.startsWith("LC_");
}

/** Windows spells the same variable `PATH` and `Path`. */
function comparableName(name: string): string {
  return process.platform === "win32" ? name.toUpperCase() : name;
}
