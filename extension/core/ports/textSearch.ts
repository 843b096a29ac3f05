export interface SearchQuery {
  /** A regular expression in ripgrep's syntax. */
  query: string;
  /** Absolute folder or file to search in. */
  path: string;
  /** Only files that match this glob. */
  glob?: string;
  /** Globs of files that are left out (secret files, hidden folders). */
  exclude: readonly string[];
  limit: number;
}

export interface SearchHit {
  /** Relative to the searched folder. */
  path: string;
  line: number;
  text: string;
}

export interface TextSearch {
  search(
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<{ ok: true; hits: SearchHit[]; more: boolean } | { ok: false; message: string }>;
}
