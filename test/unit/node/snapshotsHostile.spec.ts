import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GitSnapshots } from "../../../extension/node/gitSnapshots";
import { fingerprint, SnapshotWorkspace } from "../../support/snapshotWorkspace";

let workspace: SnapshotWorkspace;
beforeEach(() => void (workspace = new SnapshotWorkspace()));
afterEach(() => {
  vi.unstubAllEnvs();
  workspace.remove();
});

const live = () => new AbortController().signal;
async function take(snapshots: GitSnapshots): Promise<{ tree: string; notCovered: readonly string[] }> {
  const picture = await snapshots.take(live());
  if (!picture.ok) throw new Error(picture.message);
  return picture;
}
async function changesOf(snapshots: GitSnapshots, change: () => void): Promise<string[]> {
  const before = await take(snapshots);
  change();
  const after = await take(snapshots);
  return (await snapshots.diff(before.tree, after.tree)).map(({ kind, path }) => `${kind} ${path}`);
}
async function failureOf(snapshots: GitSnapshots, signal = live()): Promise<string> {
  const picture = await snapshots.take(signal);
  return picture.ok ? "no failure" : picture.message;
}
const inRoot = (path: string) => join(workspace.root, path);

describe("a repository in the workspace", () => {
  it("without a commit does not keep anything out", async () => {
    workspace.put("a");
    workspace.put("nested/b");
    workspace.gitIn(inRoot("nested"), "init", "-q");
    expect(await changesOf(workspace.snapshots(), () => workspace.put("nested/c"))).toEqual(["added nested/c"]);
  });

  it("with commits hides no edit inside it, at any depth", async () => {
    workspace.put("a");
    workspace.commitAll();
    for (const folder of ["nested", "nested/inner"]) {
      workspace.put(`${folder}/b`, "one\n");
      workspace.gitIn(inRoot(folder), "init", "-q");
      workspace.gitIn(inRoot(folder), "add", "b");
      workspace.gitIn(inRoot(folder), "commit", "-qm", "x");
    }
    const changes = await changesOf(workspace.snapshots(), () => {
      workspace.put("nested/b", "two\n");
      workspace.put("nested/inner/b", "two\n");
      workspace.put("nested/inner/new");
    });
    expect(changes).toEqual(["modified nested/b", "modified nested/inner/b", "added nested/inner/new"]);
  });

  it("that is a submodule is covered as files", async () => {
    const library = join(workspace.base, "library");
    mkdirSync(library);
    writeFileSync(join(library, "lib.js"), "one\n");
    workspace.gitIn(library, "init", "-q");
    workspace.gitIn(library, "add", "-A");
    workspace.gitIn(library, "commit", "-qm", "x");
    workspace.put("a");
    workspace.commitAll();
    workspace.git("submodule", "--quiet", "add", library, "lib");
    workspace.git("commit", "-qm", "lib");
    const changes = await changesOf(workspace.snapshots(), () => workspace.put("lib/lib.js", "two\n"));
    expect(changes).toEqual(["modified lib/lib.js"]);
  });

  it("that takes the place of a file, or is planted in a known folder, hides nothing", async () => {
    workspace.put("file", "x");
    workspace.put("folder/b", "one\n");
    const changes = await changesOf(workspace.snapshots(), () => {
      rmSync(inRoot("file"));
      workspace.put("file/c");
      for (const folder of ["file", "folder"]) {
        workspace.gitIn(inRoot(folder), "init", "-q");
        workspace.gitIn(inRoot(folder), "add", "-A");
        workspace.gitIn(inRoot(folder), "commit", "-qm", "x");
      }
      workspace.put("folder/b", "two\n");
    });
    expect(changes).toEqual(["deleted file", "added file/c", "modified folder/b"]);
  });
});

describe("a workspace that is", () => {
  const commitMany = () => {
    for (let at = 0; at < 1_100; at++) {
      workspace.put(`sub/f${at}`, `file ${at}\n`);
      utimesSync(inRoot(`sub/f${at}`), 1_700_000_000, 1_700_000_000);
    }
    workspace.commitAll();
    workspace.git("gc", "-q");
  };
  const storedObjects = () => readdirSync(join(workspace.store, "objects")).length;

  it("a worktree uses the objects of its repository and touches none of it", async () => {
    commitMany();
    const tree = join(workspace.base, "tree");
    workspace.git("worktree", "add", "-q", tree);
    execFileSync("find", [tree, "-type", "f", "-exec", "touch", "-d", "2023-01-01", "{}", "+"]);
    const before = fingerprint(inRoot(".git"));
    const snapshots = workspace.snapshots({ root: tree });
    const picture = await take(snapshots);
    expect(Buffer.from((await snapshots.read(picture.tree, "sub/f7"))!).toString()).toBe("file 7\n");
    expect(fingerprint(inRoot(".git"))).toEqual(before);
    expect(storedObjects()).toBeLessThan(30);
  });

  it("a folder inside a repository uses its objects too", async () => {
    commitMany();
    const snapshots = workspace.snapshots({ root: inRoot("sub") });
    const picture = await take(snapshots);
    expect(Buffer.from((await snapshots.read(picture.tree, "f7"))!).toString()).toBe("file 7\n");
    expect(storedObjects()).toBeLessThan(30);
  });
});

describe("a folder with the name of an output", () => {
  beforeEach(() => {
    workspace.put(".gitignore", "target/\n");
    for (const path of ["src/coverage/index.ts", "dist/action.js", "__pycache__/a.pyc"]) workspace.put(path);
    workspace.git("init", "-q");
    workspace.git("add", "-f", ".");
    workspace.git("commit", "-qm", "x");
  });

  it("is source when the person's git tracks files in it, and a cache is never", async () => {
    const changes = await changesOf(workspace.snapshots(), () => {
      for (const path of [
        "src/coverage/new.ts",
        "dist/action.js",
        "__pycache__/a.pyc",
        "target/out",
        "coverage/lcov.info",
      ]) {
        workspace.put(path, "changed\n");
      }
    });
    expect(changes).toEqual(["modified dist/action.js", "added src/coverage/new.ts"]);
  });

  it("is taken for source when the person's index cannot be read", async () => {
    writeFileSync(inRoot(".git/index"), "broken");
    expect(await changesOf(workspace.snapshots(), () => workspace.put("target/out"))).toEqual(["added target/out"]);
  });
});

describe("configuration that would run or hide something", () => {
  it("of the person's repository is not read", async () => {
    workspace.put("a", "one\n");
    workspace.commitAll();
    const ran = join(workspace.base, "ran");
    const spy = workspace.script("spy", `touch "${ran}"`);
    for (const key of ["core.fsmonitor", "core.pager", "diff.external", "core.editor"])
      workspace.git("config", key, spy);
    workspace.git("config", "core.ignoreStat", "true");
    workspace.git("config", "core.trustctime", "false");
    workspace.git("config", "core.fileMode", "false");
    mkdirSync(inRoot(".git/hooks"), { recursive: true });
    for (const hook of ["post-index-change", "pre-commit"])
      writeFileSync(inRoot(`.git/hooks/${hook}`), `#!/bin/sh\ntouch "${ran}"\n`, { mode: 0o755 });
    workspace.git("update-index", "--assume-unchanged", "a");
    rmSync(ran, { force: true });
    const changes = await changesOf(workspace.snapshots(), () => {
      workspace.put("a", "two\n");
      chmodSync(inRoot("a"), 0o755);
    });
    expect(changes).toEqual(["modified a"]);
    expect(existsSync(ran)).toBe(false);
  });

  it("in the caller's environment is not passed on", async () => {
    workspace.put("a", "one\n");
    const plain = await take(workspace.snapshots());
    const ran = join(workspace.base, "ran");
    const spy = workspace.script("spy", `touch "${ran}"`);
    writeFileSync(join(workspace.base, "ignore"), "*\n");
    const variables = {
      GIT_DIR: "/nowhere",
      GIT_WORK_TREE: "/nowhere",
      GIT_INDEX_FILE: "/nowhere/index",
      GIT_OBJECT_DIRECTORY: "/nowhere/objects",
      GIT_CONFIG_COUNT: "2",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: spy,
      GIT_CONFIG_KEY_1: "core.bigFileThreshold",
      GIT_CONFIG_VALUE_1: "x",
      GIT_TRACE: join(workspace.base, "trace"),
      GIT_NAMESPACE: "x",
      GIT_LITERAL_PATHSPECS: "1",
      GIT_DEFAULT_HASH: "sha256",
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const other = workspace.snapshots({ store: join(workspace.base, "other.git") });
    expect((await take(other)).tree).toBe(plain.tree);
    expect(existsSync(ran) || existsSync(join(workspace.base, "trace"))).toBe(false);
  });
});

describe("what cannot be read", () => {
  /** Root may read everything, so git has to run as somebody else. */
  const git = () =>
    process.getuid?.() === 0
      ? workspace.script("git-as-nobody", 'exec setpriv --reuid=65534 --regid=65534 --clear-groups git "$@"')
      : "git";

  it("is named, and everything else is covered", async () => {
    await take(workspace.snapshots());
    execFileSync("chmod", ["-R", "a+rwX", workspace.base]);
    for (const path of ["a", "b\nodd", "c", "folder/d"]) workspace.put(path);
    const snapshots = workspace.snapshots({ program: git() });
    const before = await take(snapshots);
    for (const path of ["b\nodd", "c"]) chmodSync(inRoot(path), 0);
    workspace.put("new");
    const after = await take(snapshots);
    expect(after.notCovered).toEqual(["b\nodd", "c"]);
    const changes = await snapshots.diff(before.tree, after.tree);
    expect(changes.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["deleted b\nodd", "deleted c", "added new"]);
    for (const path of ["b\nodd", "c"]) chmodSync(inRoot(path), 0o644);
    rmSync(inRoot("new"));
    expect(await take(snapshots)).toEqual(before);
  });

  it("has no bytes: a pipe is named", async () => {
    workspace.put("a");
    execFileSync("mkfifo", [inRoot("pipe")]);
    expect((await take(workspace.snapshots())).notCovered).toEqual(["pipe"]);
  });

  it("has a name that git refuses: it is named", async () => {
    workspace.put("a");
    symlinkSync("a", inRoot(".gitmodules"));
    expect((await take(workspace.snapshots())).notCovered).toEqual([".gitmodules"]);
  });
});

describe("a snapshot that cannot be taken says what to do", () => {
  beforeEach(() => workspace.put("a"));

  it("without git", async () => {
    expect(await failureOf(workspace.snapshots({ program: join(workspace.base, "no-git") }))).toMatch(
      /could not be started.*Install git/,
    );
  });

  it("where the store cannot be made", async () => {
    writeFileSync(join(workspace.base, "state"), "a file");
    expect(await failureOf(workspace.snapshots())).toMatch(
      /cannot be kept in .*state.*ENOTDIR.*Make that folder writable/,
    );
  });

  it("when the disk is full", async () => {
    const full = workspace.script(
      "git-full",
      'case "$*" in *write-tree*|*update-index*) echo "error: unable to write file: No space left on device" >&2; exit 128;; esac; exec git "$@"',
    );
    expect(await failureOf(workspace.snapshots({ program: full }))).toMatch(/No space left on device.*Free some space/);
  });

  it("when files may not grow that large", async () => {
    workspace.put("large", randomBytes(200_000));
    const limited = workspace.script("git-limited", 'exec prlimit --fsize=20000 git "$@"');
    expect(await failureOf(workspace.snapshots({ program: limited }))).toMatch(/try again$/);
  });

  it("when the workspace has gone", async () => {
    const snapshots = workspace.snapshots();
    await take(snapshots);
    rmSync(workspace.root, { recursive: true });
    expect(await failureOf(snapshots)).toMatch(/try again$/);
  });

  it("and goes on once the cause is gone", async () => {
    const snapshots = workspace.snapshots();
    const before = await take(snapshots);
    renameSync(workspace.store, `${workspace.store}.away`);
    workspace.put("b");
    expect(await failureOf(snapshots)).not.toBe("no failure");
    renameSync(`${workspace.store}.away`, workspace.store);
    const after = await take(snapshots);
    expect(await snapshots.diff(before.tree, after.tree)).toEqual([{ path: "b", kind: "added" }]);
  });
});

describe("Stop", () => {
  it("ends git and the snapshot, and the next one works", async () => {
    workspace.put("a");
    const pidFile = join(workspace.base, "pid");
    const slow = workspace.script(
      "git-slow",
      `case "$*" in *write-tree*) [ -e "${pidFile}" ] || { echo $$ > "${pidFile}"; exec sleep 60; };; esac; exec git "$@"`,
    );
    const snapshots = workspace.snapshots({ program: slow });
    const stop = new AbortController();
    const stopped = failureOf(snapshots, stop.signal);
    await vi.waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "", { timeout: 5_000 });
    const start = performance.now();
    stop.abort();
    expect(await stopped).toBe("the snapshot was stopped");
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(() => process.kill(Number(readFileSync(pidFile, "utf8")), 0)).toThrow("ESRCH");
    expect((await take(snapshots)).notCovered).toEqual([]);
  });

  it("before the start takes nothing", async () => {
    expect(await failureOf(workspace.snapshots(), AbortSignal.abort())).toBe("the snapshot was stopped");
    expect(existsSync(workspace.store)).toBe(false);
  });
});
