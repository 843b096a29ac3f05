import type { WorkspaceFiles } from "../../ports/workspaceFiles";
import { absolutePath, joinPath } from "../contractPaths";

/** What discovery may read; paths are relative to the root. */
export interface DiscoveryFiles {
  /** Null when there is no such file or it cannot be read. */
  readText(path: string): Promise<string | null>;
  /** Files below a folder, relative to the root, sorted, not deeper than `depth` levels; empty when there is no such folder. */
  listFiles(folder: string, depth: number): Promise<readonly string[]>;
  /** The folders above it, the root first; absent for the root itself. */
  above?: readonly DiscoveryFiles[];
}

/** The same files, looked at from a folder. */
export function below(files: DiscoveryFiles, folder: string): DiscoveryFiles {
  const strip = (path: string): string => (folder === "." ? path : path.slice(folder.length + 1));
  return {
    above: [...(files.above ?? []), files],
    readText: (path) => files.readText(joinPath(folder, path)),
    listFiles: async (inner, depth) => (await files.listFiles(joinPath(folder, inner), depth)).map(strip),
  };
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
      const skip = (path: string): boolean =>
        // Where CI keeps what it runs, and a runner its options.
        !/^(?:\.rspec|\.config|\.github|\.gitlab-ci\.yml)$/.test(path) &&
        /(?:^|\/)(?:\.[^/]+|node_modules|__pycache__|venv|vendor|target|dist|_build|deps)$/.test(path);
      const listed = await files.list(absolutePath(root, folder), { depth, limit: listLimit, skip });
      if (!listed.ok) return [];
      return listed.value.entries
        .filter((entry) => entry.kind === "file")
        .map((entry) => joinPath(folder, entry.path))
        .sort();
    },
  };
}
