import picomatch from "picomatch/posix";
import { pathKeys } from "./pathKeys";

export interface GlobSet {
  /** One of the root-relative comparison forms matches a glob. */
  matches(keys: readonly string[]): boolean;
  /** One of them is a folder above the part of a glob that has no wildcard. */
  isAbove(keys: readonly string[]): boolean;
}

/** Globs over paths relative to the root. A plain folder name stands for everything below it. */
export function createGlobSet(globs: readonly string[]): GlobSet {
  const forms = globs.map((glob) => glob.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "")).filter((glob) => glob !== "");
  const all = forms.flatMap((glob) => [...new Set([glob.toLowerCase(), glob.normalize("NFKC").toLowerCase()])]);
  // One expression for all of them: a matcher for each would cost more than everything else in a verdict.
  const sources = all
    .flatMap((glob) => [glob, `${glob}/**`])
    .map((glob) => picomatch.makeRe(glob, { dot: true, nonegate: true }).source);
  const pattern = sources.length === 0 ? null : new RegExp(sources.map((source) => `(?:${source})`).join("|"));
  const literals = new Set(all);
  const bases = all.flatMap((glob) => pathKeys(picomatch.scan(glob).base));
  return {
    matches: (keys) => keys.some((key) => literals.has(key) || pattern?.test(key) === true),
    isAbove: (keys) => keys.some((key) => bases.some((base) => base === key || base.startsWith(`${key}/`))),
  };
}
