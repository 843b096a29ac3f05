/** Where a path leads on this disk. Synchronous on purpose: a verdict must not be split by an await. */
export interface RealPaths {
  /**
   * The real path of `path` (absolute or relative to `base`): links resolved in the deepest parent that exists,
   * the rest appended. `exists` says whether the whole path exists; `links` is its hard-link count (0 when absent).
   * Null when the disk would not say: the guard denies then.
   */
  resolve(path: string, base: string): { path: string; exists: boolean; links: number } | null;
  /** The person's home folder, absolute. */
  readonly home: string;
  /** True where two names that differ in case only are one file. */
  readonly caseInsensitive: boolean;
}
