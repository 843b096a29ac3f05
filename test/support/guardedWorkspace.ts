import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { GuardedCall, PathUse, Tag } from "../../extension/core/guardrails/verdict";
import type { RealPaths } from "../../extension/core/ports/realPaths";
import { NodeRealPaths } from "../../extension/node/nodeRealPaths";

/** A real folder with a workspace, a home and whatever lies beside them. */
export interface GuardedWorkspace {
  base: string;
  root: string;
  home: string;
  realPaths: RealPaths;
  /** Writes a file below `base`, folders included; answers its path. */
  file(path: string, text?: string): string;
  dispose(): void;
}

export function createGuardedWorkspace(): GuardedWorkspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "guarded-")));
  const [root, home] = [join(base, "workspace"), join(base, "home")];
  mkdirSync(root);
  mkdirSync(home);
  const disk = new NodeRealPaths(root);
  return {
    base,
    root,
    home,
    realPaths: { home, caseInsensitive: disk.caseInsensitive, resolve: (path, from) => disk.resolve(path, from) },
    file(path, text = "text\n") {
      const absolute = join(base, path);
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, text);
      return absolute;
    },
    dispose: () => rmSync(base, { recursive: true, force: true }),
  };
}

export interface CallDraft {
  tool?: string;
  args?: Record<string, unknown>;
  tags?: readonly Tag[];
  paths?: readonly PathUse[];
}

export function guardedCall({ tool = "some_tool", args = {}, tags = [], paths = [] }: CallDraft): GuardedCall {
  return { callId: "c1", tool, args, tags, paths, agent: "main", depth: 0, cwd: "/" };
}

export function editCall(path: string, use: PathUse["use"] = "write"): GuardedCall {
  return guardedCall({
    tool: "edit_file",
    args: { path },
    tags: ["write"],
    paths: [{ path, use, surface: "edit-tool" }],
  });
}

export function readCall(path: string, use: "read" | "list" = "read"): GuardedCall {
  return guardedCall({
    tool: "read_file",
    args: { path },
    tags: ["read"],
    paths: [{ path, use, surface: "read-tool" }],
  });
}

export function commandCall(command: string, cwd?: string): GuardedCall {
  const args = cwd === undefined ? { command } : { command, cwd };
  return guardedCall({ tool: "run_command", args, tags: ["command"] });
}
