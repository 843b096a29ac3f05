// The answers of the path guard, strictest first. Each rule sees one placed path and has an opinion or none.
import { isGlobEntry } from "../contract/contractIndex";
import type { ContractEntry } from "../contract/verificationPlan";
import type { RealPaths } from "../ports/realPaths";
import { createCredentialStores } from "./credentialStores";
import { createGlobSet } from "./globSet";
import { createNameIndex } from "./nameIndex";
import type { Place, PlacePath } from "./placePath";
import { protectedName } from "./protectedNames";
import { isSecretFile } from "./secretFiles";
import { ask, deny } from "./verdict";
import type { Level, PathUse, Verdict } from "./verdict";

export interface PathRulesOptions {
  /** Absolute real path of the workspace root. */
  root: string;
  realPaths: RealPaths;
  contract: readonly ContractEntry[];
  /** Globs relative to the root that belong to the contract, besides the built-in ones. */
  protect: readonly string[];
  /** Folders the model must not see, relative to the root or absolute. */
  hidden: readonly string[];
  /** Absolute folders where the engine keeps journals, snapshots and keys. */
  stateFolders: readonly string[];
}

export interface PathSubject {
  use: PathUse;
  place: Place;
  writes: boolean;
  /** The call declares this path; otherwise it only names it in some text. */
  declared: boolean;
}

export type PathRule = (subject: PathSubject) => Verdict | null;

/** Part of every contract: what continuous integration runs. */
const builtInContract = [".github/workflows/**"];

/**
 * Tests and what configures their runners, by their usual names. A shell cannot show a diff, so it leaves them alone even where
 * the frozen checks do not depend on them.
 */
const usualTests = [
  ...["tests/**", "test/**", "**/__tests__/**", "**/*.{test,spec}.*", "**/test_*.py", "**/*_test.{py,go}", "spec/**"],
  ...[
    "**/conftest.py",
    "**/pytest.ini",
    "**/.pytest.ini",
    "**/tox.ini",
    "**/.coveragerc",
    "**/.mocharc*",
    "**/phpunit.xml*",
  ],
  ...["**/{jest,vitest,mocha,ava,karma,playwright,cypress}.config.*", "**/.rspec", "**/nightwatch.conf.*"],
  ...["Makefile", "makefile", "GNUmakefile"],
];

export function createPathRules(options: PathRulesOptions, placePath: PlacePath): readonly PathRule[] {
  return [
    ...createUnseenRules(options, placePath),
    ownFiles(placePath),
    hardLinks,
    credentialStores(options, placePath),
    contractFiles(options, placePath),
    dependencyFolders(options, placePath),
    protectedNames,
    outsideRoot,
    secretFiles,
  ];
}

/** What may not even be named: the harness's own records and hidden folders. */
export function createUnseenRules(options: PathRulesOptions, placePath: PlacePath): readonly PathRule[] {
  return [engineState(options, placePath), hiddenFolders(options, placePath)];
}

function engineState({ stateFolders }: PathRulesOptions, placePath: PlacePath): PathRule {
  const state = createNameIndex(stateFolders, placePath);
  return ({ use, place }) => {
    const touched = state.holds(place.keys) || (use.use === "delete" && state.isAbove(place.keys));
    return touched
      ? denyPath("paths.engine-state", use, "belongs to the harness's own records, which no tool touches")
      : null;
  };
}

function hiddenFolders(options: PathRulesOptions, placePath: PlacePath): PathRule {
  const hidden = createNameIndex(hiddenPaths(options), placePath);
  return ({ use, place }) => {
    const touched = hidden.holds(place.keys) || (use.use === "delete" && hidden.isAbove(place.keys));
    return touched ? denyPath("paths.hidden-folder", use, "lies in a folder that is hidden from this run") : null;
  };
}

export function hiddenPaths({ hidden, contract }: Pick<PathRulesOptions, "hidden" | "contract">): readonly string[] {
  return [...hidden, ...contract.filter((entry) => entry.class === "hidden").map((entry) => entry.path)];
}

function ownFiles(placePath: PlacePath): PathRule {
  const own = createNameIndex(["donegate.yaml", ".donegate"], placePath);
  return ({ use, place, writes }) => {
    const touched = writes && (own.holds(place.keys) || (use.use === "delete" && own.isAbove(place.keys)));
    return touched
      ? denyPath("paths.own-files", use, "configures the harness: only a person changes it, outside a run")
      : null;
  };
}

// Only for declared paths: a word in a command may be a folder, and folders have many links.
const hardLinks: PathRule = ({ use, place, declared }) =>
  declared && use.use === "write" && place.links > 1
    ? denyPath(
        "paths.hard-link",
        use,
        `has ${place.links} hard links: writing it would change a file under another name`,
      )
    : null;

function credentialStores({ realPaths }: PathRulesOptions, placePath: PlacePath): PathRule {
  const isStore = createCredentialStores(realPaths.home, placePath);
  return ({ use, place }) =>
    isStore(place.keys, place.inside) ? denyPath("paths.credential-store", use, "is where credentials are kept") : null;
}

function contractFiles({ contract, protect }: PathRulesOptions, placePath: PlacePath): PathRule {
  const guarded = new Set<ContractEntry["class"]>(["frozen", "projection", "trap"]);
  const names = createNameIndex(
    pathsOf(contract, (entry) => guarded.has(entry.class)),
    placePath,
  );
  const newTests = createNameIndex(
    pathsOf(contract, (entry) => entry.class === "new-test"),
    placePath,
  );
  // Names that must stay absent and patterns of new tests may be globs; createNameIndex knows only plain names.
  const globsOf = (as: ContractEntry["class"]): string[] =>
    pathsOf(contract, (entry) => entry.class === as && isGlobEntry(entry)).slice();
  const globs = createGlobSet([...builtInContract, ...protect, ...globsOf("trap")]);
  const newTestGlobs = createGlobSet(globsOf("new-test"));
  const usual = createGlobSet(usualTests);
  return ({ use, place, writes, declared }) => {
    if (!writes) return null;
    const above = use.use === "delete" && (names.isAbove(place.keys) || globs.isAbove(place.inRoot));
    if (above || names.holds(place.keys) || globs.matches(place.inRoot)) {
      return onContract(use, "decides whether the work is done");
    }
    const isNewTest = newTests.holds(place.keys) || newTestGlobs.matches(place.inRoot);
    const fromShell = declared && use.surface === "shell";
    if (fromShell && (usual.matches(place.inRoot) || (use.use === "delete" && usual.isAbove(place.inRoot)))) {
      return onContract(use, "belongs to the tests by its name");
    }
    const shellMakesTest = declared && use.surface !== "edit-tool" && isNewTest;
    return shellMakesTest ? onContract(use, "is a new test, which edit tools write") : null;
  };
}

function onContract(use: PathUse, what: string): Verdict {
  if (use.surface === "edit-tool")
    return askPath("paths.contract", use, `${what}: a person has to agree to the change`, "guarded");
  return denyPath(
    "paths.contract",
    use,
    `${what}: it is changed through the edit tools only, and checks run through run_tests`,
  );
}

function dependencyFolders({ contract }: PathRulesOptions, placePath: PlacePath): PathRule {
  const folders = createNameIndex(
    pathsOf(contract, (entry) => entry.class === "dependency"),
    placePath,
  );
  return ({ use, place, writes, declared }) =>
    declared && writes && folders.holds(place.keys)
      ? denyPath("paths.dependency", use, "belongs to installed dependencies, which only an approved install changes")
      : null;
}

const protectedNames: PathRule = ({ use, place, writes }) => {
  if (!writes) return null;
  const named = readingsOf(place)
    .map(protectedName)
    .filter((name) => name !== null);
  const found = named.find((name) => name.shell === "deny") ?? named[0];
  if (found === undefined) return null;
  return found.shell === "deny" && use.surface !== "edit-tool"
    ? denyPath(found.rule, use, `is ${found.what}: a shell may not change it`)
    : askPath(found.rule, use, `is ${found.what}`, "guarded");
};

/** A path in the root whose link leads outside is also judged by where it leads. */
function readingsOf(place: Place): readonly string[] {
  return place.inside ? place.inRoot : [...place.inRoot, ...place.keys];
}

const outsideRoot: PathRule = ({ use, place }) =>
  place.inside || place.keys.every((key) => key === "/dev/null")
    ? null
    : askPath("paths.outside-root", use, `lies outside the workspace${whereElse(use, place)}`, "guarded");

/** A link does not say where it leads; who is asked has to know. */
function whereElse(use: PathUse, { leadsTo }: Place): string {
  return leadsTo === use.path ? "" : `: it leads to ${leadsTo}`;
}

const secretFiles: PathRule = ({ use, place }) => {
  if (use.use === "list" || !readingsOf(place).some(isSecretFile)) return null;
  return askPath("paths.secret-file", use, "usually holds secrets", "normal");
};

function pathsOf(contract: readonly ContractEntry[], holds: (entry: ContractEntry) => boolean): readonly string[] {
  return contract.filter(holds).map((entry) => entry.path);
}

function denyPath(rule: string, use: PathUse, why: string): Verdict {
  return deny(rule, `${use.path} ${why}`);
}

function askPath(rule: string, use: PathUse, why: string, level: Level): Verdict {
  return ask(rule, `${use.path} ${why}`, level);
}
