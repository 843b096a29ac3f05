import type { WorkspaceFiles } from "../../ports/workspaceFiles";
import { absolutePath, joinPath } from "../contractPaths";

/** What discovery may read; paths are relative to the root. */
export interface DiscoveryFiles {
  /** Null when there is no such file or it cannot be read. */
  readText(path: string): Promise<string | null>;
  /** Files below a folder, relative to the root, sorted, not deeper than `depth` levels; empty when there is no such folder. */
  listFiles(folder: string, depth: number): Promise<readonly string[]>;
}

const readLimitBytes = 1_000_000;
const listLimit = 5_000;

export function createDiscoveryFiles(files: WorkspaceFiles, root: string): DiscoveryFiles {
  return {
    async readText(path) {
      const read = await files.read(absolutePath(root, path), readLimitBytes);
      return read.ok ? new TextDecoder().decode(read.value.bytes) : null;
    },
    async listFiles(folder, depth) {
      const skip = (path: string): boolean => /(?:^|\/)(?:\.[^/]+|node_modules|__pycache__|venv)$/.test(path);
      const listed = await files.list(absolutePath(root, folder), { depth, limit: listLimit, skip });
      if (!listed.ok) return [];
      return listed.value.entries
        .filter((entry) => entry.kind === "file")
        .map((entry) => joinPath(folder, entry.path))
        .sort();
    },
  };
}
