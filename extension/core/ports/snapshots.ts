export interface FileChange {
  /** Relative to the root, `/` between segments. */
  path: string;
  kind: "added" | "modified" | "deleted";
}

/** Pictures of the workspace's bytes in a store of our own; the person's git is never touched. */
export interface Snapshots {
  /** The digest of the tree as it is now. `notCovered` names what the picture leaves out. */
  take(
    signal: AbortSignal,
  ): Promise<{ ok: true; tree: string; notCovered: readonly string[] } | { ok: false; message: string }>;
  /** Net changes between two trees, sorted by path. Rejects when a tree is unknown. */
  diff(from: string, to: string): Promise<FileChange[]>;
  /**
   * Writes every file of a tree below an empty folder (absolute), bytes and links as they were. Not ok when the tree holds
   * more than `limit` files, is unknown, or could not be written whole.
   */
  materialise(
    tree: string,
    folder: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<{ ok: true } | { ok: false; message: string }>;
  /** A file's bytes in a tree, null when it is not in it. */
  read(tree: string, path: string): Promise<Uint8Array | null>;
}
