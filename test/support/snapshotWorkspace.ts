import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { GitSnapshots, type GitSnapshotsOptions } from "../../extension/node/gitSnapshots";

/** A real folder, a real store beside it and hands to change both. */
export class SnapshotWorkspace {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "snapshots-")));
  readonly root = join(this.base, "work space");
  readonly store = join(this.base, "state", "snapshots.git");

  constructor() {
    mkdirSync(this.root);
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }

  snapshots(options: Partial<GitSnapshotsOptions> = {}): GitSnapshots {
    return new GitSnapshots({ root: this.root, store: this.store, ...options });
  }

  put(path: string, content: string | Uint8Array = "x\n"): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** The person's own git, with nobody's configuration. */
  git(...args: string[]): string {
    return this.gitIn(this.root, ...args);
  }

  gitIn(folder: string, ...args: string[]): string {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always"];
    const env = { PATH: process.env["PATH"], HOME: this.base, GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", [...who, ...args], {
      cwd: folder,
      encoding: "utf8",
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  /** Starts a repository with everything committed. */
  commitAll(): void {
    this.git("init", "-q");
    this.git("add", "-A");
    this.git("commit", "-qm", "first");
  }

  /** An executable shell script beside the workspace. */
  script(name: string, body: string): string {
    const file = join(this.base, name);
    writeFileSync(file, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    return file;
  }
}

/** Name, kind, bytes, mode, size and modification time of everything below a folder. */
export function fingerprint(folder: string): string[] {
  const own = lstatSync(folder, { bigint: true });
  const below = readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const entry = lstatSync(path, { bigint: true });
      if (entry.isDirectory()) return fingerprint(path);
      const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
      return [`${path} ${entry.mode} ${entry.size} ${entry.mtimeNs} ${digest}`];
    });
  return [`${folder} ${own.mode} ${own.mtimeNs}`, ...below];
}
