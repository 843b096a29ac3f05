export type FileErrorCode =
  | "not-found"
  | "exists"
  | "is-directory"
  | "not-a-file"
  | "changed"
  | "linked"
  | "read-only"
  | "too-large"
  | "no-space"
  /** Open in an editor with unsaved changes that this could harm. */
  | "unsaved"
  | "failed";

export type FileResult<T> = { ok: true; value: T } | { ok: false; code: FileErrorCode; message: string };

export interface FileBytes {
  bytes: Uint8Array;
  /** SHA-256 of the bytes. */
  digest: string;
  /** Permission bits. */
  mode: number;
  /** Hard-link count. */
  links: number;
}

export interface DirectoryEntry {
  /** Relative to the folder that was listed, `/` between segments. */
  path: string;
  kind: "file" | "directory" | "link" | "other";
  size: number;
}

/** Files by absolute path. Follows no symbolic link at the last segment when it writes. All failures are values. */
export interface WorkspaceFiles {
  read(path: string, limitBytes?: number): Promise<FileResult<FileBytes>>;
  /**
   * A file of any size, piece by piece in memory that is used again, and its digest at the end. Stops with `failed` when
   * `signal` is aborted.
   */
  scan(
    path: string,
    take: (piece: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<FileResult<{ digest: string; size: number }>>;
  /**
   * Replaces or makes a file in one step (a reader sees the old bytes or the new ones), makes parent folders, keeps the mode.
   * `expected` is the digest the file has to have now, null when it must not exist; otherwise `changed` / `exists` and nothing happens.
   * A file with more than one hard link is refused with `linked`.
   */
  write(path: string, bytes: Uint8Array, expected: string | null): Promise<FileResult<{ digest: string }>>;
  delete(path: string, expected: string): Promise<FileResult<null>>;
  /** Refuses an existing target. */
  move(from: string, to: string, expected: string): Promise<FileResult<null>>;
  /** Everything below a folder, depth first, sorted, without following links; stops at `limit` entries. */
  list(
    path: string,
    options: { depth: number; limit: number; skip: (relativePath: string) => boolean },
  ): Promise<FileResult<{ entries: DirectoryEntry[]; more: boolean }>>;
}
