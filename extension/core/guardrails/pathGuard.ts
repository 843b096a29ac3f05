// May this path be touched? Answers by where a path really leads, under every name a file system may take for the same.
import picomatch from "picomatch/posix";
import { isGlobEntry } from "../contract/contractIndex";
import { textsIn } from "./foldText";
import { hiddenCharacterIn } from "./hiddenCharacters";
import { createNameIndex } from "./nameIndex";
import { createPathRules, createUnseenRules, hiddenPaths } from "./pathRules";
import type { PathRulesOptions, PathSubject } from "./pathRules";
import { createPlacePath } from "./placePath";
import { badPathCalls } from "./selfProof";
import { ask, deny } from "./verdict";
import type { GuardedCall, PathUse, RuleSet, Verdict } from "./verdict";

export interface PathPolicy {
  /** What a tool declares that it will touch. No verdict: the policy has no objection. */
  judgeDeclared(use: PathUse): readonly Verdict[];
  /** A text in a command or an argument that may be a path, judged as if it were written to. */
  judgeMentioned(text: string): readonly Verdict[];
  /** The same, but only for what may not even be named: cheap enough for every word of a text. */
  judgeNamed(text: string): readonly Verdict[];
  /** Whether `path` is or holds a folder the model must not see; true when that cannot be told. */
  holdsHidden(path: string): boolean;
  /** Whether a git repository the workspace belongs to may hold such a folder. */
  repositoryHoldsHidden(): boolean;
  /** Named files of the contract that a glob (relative to the root, or absolute) matches, or that lie below a match. */
  contractMatching(glob: string): readonly string[];
  /** Usual names of secret files that a glob was plainly written for. */
  secretsMatching(glob: string): readonly string[];
  exists(path: string): boolean;
  /** A file of the frozen contract, null where there is none. */
  readonly contractFile: string | null;
}

export function createPathPolicy(options: PathRulesOptions): PathPolicy {
  const placePath = createPlacePath(options.root, options.realPaths);
  const rules = createPathRules(options, placePath);
  const unseenRules = createUnseenRules(options, placePath);
  const unseen = createNameIndex([...hiddenPaths(options), ...options.stateFolders], placePath);
  const holdsHidden = (path: string): boolean => {
    const keys = placePath(path)?.keys;
    return keys === undefined || unseen.holds(keys) || unseen.isAbove(keys);
  };
  const judge = (subject: PathSubject): readonly Verdict[] =>
    rules.map((rule) => rule(subject)).filter((verdict) => verdict !== null);

  return {
    judgeDeclared(use) {
      const character = hiddenCharacterIn(use.path);
      if (character !== null) {
        return [deny("paths.hidden-character", `the path holds the invisible or control character ${character}`)];
      }
      const place = placePath(expandHome(use, options.realPaths.home));
      if (place === null) return [deny("paths.unresolved", `${use.path} could not be resolved on the disk`)];
      return judge({ use, place, writes: isWrite(use), declared: true });
    },
    judgeMentioned(text) {
      if (!canBePath(text)) return [];
      const use: PathUse = { path: text, use: "write", surface: "shell" };
      const place = placePath(expandHome(use, options.realPaths.home));
      if (place !== null) return judge({ use, place, writes: true, declared: false });
      return [ask("paths.unresolved", `${text} could not be resolved on the disk`, "guarded")];
    },
    judgeNamed(text) {
      if (!canBePath(text)) return [];
      const use: PathUse = { path: text, use: "write", surface: "shell" };
      const place = placePath(expandHome(use, options.realPaths.home));
      if (place === null) return [];
      return unseenRules
        .map((rule) => rule({ use, place, writes: true, declared: false }))
        .filter((verdict) => verdict !== null);
    },
    holdsHidden,
    contractMatching(glob) {
      const matches = picomatch(
        [glob, `${glob}/**`].map((each) => each.replace(/^(?:\.\/)+/, "")),
        { dot: true, nocase: true },
      );
      return options.contract.filter((entry) => !isGlobEntry(entry) && matches(entry.path)).map((entry) => entry.path);
    },
    secretsMatching(glob) {
      const at = glob.lastIndexOf("/") + 1;
      const [folder, pattern] = [glob.slice(0, at), glob.slice(at)];
      // A bare `*` leaves dot files out and is written for everything, not for secrets.
      if (/^\**$/.test(pattern)) return [];
      const matches = picomatch(pattern, { dot: pattern.startsWith("."), nocase: true });
      return usualSecrets.filter((name) => matches(name)).map((name) => `${folder}${name}`);
    },
    exists: (path) => options.realPaths.resolve(path, options.root)?.exists === true,
    contractFile: options.contract.find((entry) => entry.class === "frozen")?.path ?? null,
    repositoryHoldsHidden() {
      // Without a `.git` of its own the root may be part of a larger repository, which holds folders beside it.
      const ownRepository = options.realPaths.resolve(".git", options.root)?.exists === true;
      return holdsHidden(".") || (hiddenPaths(options).length > 0 && !ownRepository);
    },
  };
}

/** Judges the paths a call declares; a tool with effects that declares none is judged by every text in its arguments. */
export function createPathGuard(policy: PathPolicy): RuleSet {
  return {
    id: "paths",
    mustStop: badPathCalls(policy.contractFile),
    verdicts: (call) =>
      hasUndeclaredPaths(call)
        ? textsIn(call.args).flatMap((text) => policy.judgeMentioned(text))
        : call.paths.flatMap((use) => policy.judgeDeclared(use)),
  };
}

// `run_command` has a gate of its own, which reads its words.
function hasUndeclaredPaths(call: GuardedCall): boolean {
  const effects = call.tags.some((tag) => tag === "command" || tag === "network" || tag === "write");
  return effects && call.paths.length === 0 && call.tool !== "run_command" && call.tool !== "run_tests";
}

function isWrite(use: PathUse): boolean {
  return use.use === "write" || use.use === "delete";
}

function expandHome(use: PathUse, home: string): string {
  const atHome = use.surface === "shell" && /^~(?:\/|$)/.test(use.path);
  return atHome ? `${home}${use.path.slice(1)}` : use.path;
}

const usualSecrets = [".env", ".env.local", "id_rsa", "server.pem", "server.key", ".netrc", "credentials.json"];

const longestName = 255;
const longestPath = 4096;

/** A text no file system takes for a path is not one. */
function canBePath(text: string): boolean {
  if (text === "" || text.length > longestPath || /[\0\r\n]/.test(text)) return false;
  return text.split("/").every((segment) => segment.length <= longestName);
}
