// What pictures leave out: our own files, what checks write, caches, and build folders of which the person tracks nothing.
import { join, relative, sep } from "node:path";
import picomatch from "picomatch/posix";
import { buildFolders, cacheFolders } from "../core/contract/builtInOutputs";
import { splitNul } from "./gitSnapshotsIndex";
import { toBytePath, toTextPath } from "./gitSnapshotsPaths";
import type { WalkRules } from "./gitSnapshotsWalk";
import type { ShadowRepository } from "./shadowRepository";
import { fileStamp, type UserRepository } from "./shadowRepositoryUser";

const cacheNames: ReadonlySet<string> = new Set(cacheFolders);
const buildNames: ReadonlySet<string> = new Set(buildFolders);

/** Answers the rules for one picture; what the person's git tracks is asked again only when the index has changed. */
export class GitSnapshotsRules {
  /** Of byte paths. */
  private readonly outputs: (path: string) => boolean;
  private readonly own: ReadonlySet<string>;
  private tracked: { stamp: string | null; folders: ReadonlySet<string> | null } | null = null;

  /** `own` are absolute paths below or outside of `root`; `outputs` are globs relative to it. */
  constructor({ root, own, outputs }: { root: string; own: readonly string[]; outputs: readonly string[] }) {
    const matches = picomatch([...outputs], { dot: true });
    this.outputs = outputs.length === 0 ? () => false : (path) => matches(toTextPath(path));
    this.own = new Set(own.map((path) => toBytePath(toRelative(root, path))));
  }

  async toWalkRules(shadow: ShadowRepository, user: UserRepository | null, signal: AbortSignal): Promise<WalkRules> {
    const stamp = user === null ? null : await fileStamp(user.index);
    if (this.tracked?.stamp !== stamp || this.tracked === null) {
      const folders =
        user === null || stamp === null ? new Set<string>() : await findTrackedBuildFolders(shadow, user, signal);
      this.tracked = { stamp, folders };
    }
    const { folders } = this.tracked;
    return {
      own: this.own,
      isOutput: this.outputs,
      isOutputFolder: (path, name) => cacheNames.has(name) || (buildNames.has(name) && folders?.has(path) === false),
    };
  }
}

/** Folders with the name of a build folder that hold files the person tracks. Null when the person's index could not be read. */
async function findTrackedBuildFolders(
  shadow: ShadowRepository,
  user: UserRepository,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const globs = buildFolders.map((name) => `:(glob)**/${name}/**`);
  const answer = await shadow.attempt(["ls-files", "-z", "--full-name", "--", ...globs], {
    index: user.index,
    withUserObjects: true,
    signal,
  });
  if (answer.exitCode !== 0) return null;
  const prefix = toBytePath(user.prefix);
  const paths = splitNul(answer.stdout).flatMap((path) => (path.startsWith(prefix) ? [path.slice(prefix.length)] : []));
  return new Set(paths.flatMap(buildFoldersAbove));
}

function buildFoldersAbove(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.flatMap((name, at) => (buildNames.has(name) ? [segments.slice(0, at + 1).join("/")] : []));
}

function toRelative(root: string, path: string): string {
  return relative(root, join(path)).split(sep).join("/");
}
