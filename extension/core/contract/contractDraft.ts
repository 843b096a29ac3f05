import { programOf } from "./commandWords";
import { baseName, foldersAbove, isAbsolutePath, isWithin, joinPath, relativePath } from "./contractPaths";
import { globBelow, isGlob, matchAny } from "./globs";
import { isProjected } from "./projections";
import type { KnownCheck } from "./knownCheck";
import type { RunnerRule } from "./runners/runnerRule";
import type { WorkspaceListing } from "./workspaceListing";

/** What a contract could consist of, before the disk was asked what is there. All paths are contract paths. */
export interface ContractDraft {
  /** Frozen where it exists, nothing where it does not. */
  ifPresent: Set<string>;
  /** Frozen where it exists, a trap where it does not. */
  presentOrAbsent: Set<string>;
  /** A trap where it does not exist, nothing where it does. */
  ifAbsent: Set<string>;
  /** Whole test files: frozen even where another purpose would guard a part only. */
  tests: Set<string>;
  /** Only the deciding part; an absent file has an empty one. */
  projected: Set<string>;
  trapGlobs: Set<string>;
  newTestGlobs: Set<string>;
}

export function emptyDraft(): ContractDraft {
  return {
    ifPresent: new Set(),
    presentOrAbsent: new Set(),
    ifAbsent: new Set(),
    tests: new Set(),
    projected: new Set(),
    trapGlobs: new Set(),
    newTestGlobs: new Set(),
  };
}

/** `isOutput` tells what checks may write: that is never a frozen test. */
export function addCheck(draft: ContractDraft, check: KnownCheck, workspace: Workspace): void {
  for (const path of argumentPaths(check, workspace.root)) draft.ifPresent.add(path);
  for (const rule of check.rules) addRule(draft, rule, check.spec.cwd, workspace);
  for (const target of makeTargets(check)) draft.ifAbsent.add(joinPath(check.spec.cwd, target));
}

/** Globs a person or the product protects: what is there is frozen, what is not there yet may not come without asking. */
export function addProtected(draft: ContractDraft, globs: readonly string[], listing: WorkspaceListing): void {
  for (const path of listing.paths) draft.tests.add(path);
  for (const glob of globs) {
    const folder = glob.replace(/\/+$/, "");
    if (isGlob(glob)) draft.trapGlobs.add(glob);
    else if (listing.paths.some((path) => path.startsWith(`${folder}/`))) draft.trapGlobs.add(globBelow(folder, "**"));
    else draft.ifAbsent.add(joinPath(".", folder));
  }
}

export interface Workspace {
  root: string;
  listing: WorkspaceListing;
  isOutput: (path: string) => boolean;
}

function addRule(draft: ContractDraft, rule: RunnerRule, cwd: string, { listing, isOutput }: Workspace): void {
  const testGlobs = rule.tests.map((glob) => globBelow(cwd, glob));
  for (const folder of foldersAbove(joinPath(cwd, "x"))) {
    for (const name of rule.configs) draft.presentOrAbsent.add(joinPath(folder, name));
  }
  for (const name of rule.projections) draft.projected.add(joinPath(cwd, name));
  for (const path of listing.paths) if (rule.projections.includes(baseName(path))) draft.projected.add(path);
  for (const path of listing.paths.filter(matchAny(rule.traps))) draft.tests.add(path);
  for (const path of listing.paths.filter(matchAny(testGlobs))) {
    if (!isVolatile(path) && !isOutput(path)) draft.tests.add(path);
  }
  for (const glob of testGlobs) draft.newTestGlobs.add(glob);
  for (const glob of rule.traps) draft.trapGlobs.add(glob);
}

/** What tests write beside themselves would make a check break its own contract. */
const isVolatile = matchAny([
  "**/*.{log,tmp,pid,db,db-journal,db-wal,db-shm,sqlite,sqlite3}",
  "**/.coverage*",
  "**/.DS_Store",
]);

/** Words that could name files: operands, values of `--option=value`, the file of `file::test`. */
function argumentPaths({ spec, command }: KnownCheck, root: string): string[] {
  const words = command.commands.flatMap((line) =>
    line.filter((word) => word.includes("/") || word !== programOf(line)),
  );
  const names = words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1), word.split("::")[0] ?? ""]);
  return names
    .filter(couldBeFile)
    .map((name) => toContractPath(joinPath(spec.cwd, name), root))
    .filter((path) => path !== null);
}

function couldBeFile(name: string): boolean {
  return name !== "" && name.length < 1024 && !name.startsWith("-") && !/[\0\n*?]/.test(name) && !name.includes("://");
}

/** Null for what is no contract of ours: system programs and dependency folders, which the runner's own digest covers. */
function toContractPath(path: string, root: string): string | null {
  const relative = isAbsolutePath(path) ? relativePath(root, path) : path;
  const system = /^\/(?:usr|bin|sbin|lib\w*|dev|proc|sys|etc)(?:\/|$)/.test(path);
  if (relative === "." || (system && !isWithin(relative, "."))) return null;
  return /(?:^|\/)(?:node_modules|\.venv|venv|\.git)\//.test(relative) ? null : relative;
}

/** A file named like a target makes `make` say "up to date" and run nothing. */
function makeTargets({ command, rules }: KnownCheck): string[] {
  if (!rules.some((rule) => rule.id === "make")) return [];
  return command.commands
    .filter((words) => /^g?make$/.test(baseName(programOf(words) ?? "")))
    .flatMap((words) => words.slice(words.indexOf(programOf(words) ?? "") + 1))
    .filter((word) => /^[\w.-]+$/.test(word) && !word.startsWith("-"));
}

/** The names whose state on the disk decides their class, each once, with the class they have when they exist. */
export function candidates(draft: ContractDraft): Map<string, "frozen" | "projection"> {
  const named = [...draft.ifPresent, ...draft.presentOrAbsent, ...draft.ifAbsent];
  const found = new Map<string, "frozen" | "projection">();
  for (const path of named) found.set(path, isProjected(path) ? "projection" : "frozen");
  for (const path of draft.projected) found.set(path, "projection");
  for (const path of draft.tests) found.set(path, "frozen");
  return found;
}
