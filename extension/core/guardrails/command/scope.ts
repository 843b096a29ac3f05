import { unknownWord } from "./word";
import type { Output, Word } from "./word";

/** What a shell knows at one point of a command. Changed in place; a subshell gets a copy. */
export interface Scope {
  /** Folders it may be in, relative to the root or absolute; null: unknown. */
  cwds: readonly string[] | null;
  /** The last change of folder cannot have failed: the folder is there. */
  movedForSure: boolean;
  /** Possible values of a variable; null: unknown. */
  variables: Map<string, readonly Word[] | null>;
  /** Functions defined so far. */
  functions: Set<string>;
  /** Files that were downloaded so far, as written. */
  downloads: Set<string>;
  /** What was assigned names production. */
  production: boolean;
  /** On another machine or in a container: paths are not those of this disk. */
  remote: boolean;
  stdin: Output | null;
  /** Inside `$(…)`, `<(…)` or backquotes. */
  substituted: boolean;
  /** `set -e`: a command that fails ends the text. */
  stopsOnFailure: boolean;
}

export function createScope(cwd: string): Scope {
  return {
    cwds: [cwd],
    movedForSure: false,
    variables: new Map(),
    functions: new Set(),
    downloads: new Set(),
    production: false,
    remote: false,
    stdin: null,
    substituted: false,
    stopsOnFailure: false,
  };
}

export function copyScope(scope: Scope): Scope {
  return {
    ...scope,
    variables: new Map(scope.variables),
    functions: new Set(scope.functions),
    downloads: new Set(scope.downloads),
  };
}

/** After a branch that may or may not have run, everything either way may hold. */
export function joinScope(into: Scope, other: Scope): void {
  into.cwds = joinFolders(into.cwds, other.cwds);
  for (const name of new Set([...into.variables.keys(), ...other.variables.keys()])) {
    into.variables.set(name, joinValues(into.variables.get(name), other.variables.get(name)));
  }
  for (const name of other.functions) into.functions.add(name);
  for (const name of other.downloads) into.downloads.add(name);
  into.production ||= other.production;
}

const mostFolders = 4;
const mostValues = 6;

export function joinFolders(a: Scope["cwds"], b: Scope["cwds"]): Scope["cwds"] {
  if (a === null || b === null) return null;
  const all = [...new Set([...a, ...b])];
  return all.length > mostFolders ? null : all;
}

function joinValues(
  a: readonly Word[] | null | undefined,
  b: readonly Word[] | null | undefined,
): readonly Word[] | null {
  const either = [a ?? [unknownWord("")], b ?? [unknownWord("")]].flat();
  const all = [...new Map(either.map((word) => [word.text, word])).values()];
  return all.length > mostValues ? null : all;
}

/** Where `cd folder` leads from `cwd`. */
export function joinFolder(cwd: string, folder: string): string {
  if (folder.startsWith("/") || /^[A-Za-z]:/.test(folder)) return folder;
  const path = cwd === "." ? folder : `${cwd}/${folder}`;
  return path === "" ? "." : path;
}
