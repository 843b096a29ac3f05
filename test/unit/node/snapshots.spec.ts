import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GitSnapshots } from "../../../extension/node/gitSnapshots";
import { fingerprint, SnapshotWorkspace } from "../../support/snapshotWorkspace";

let workspace: SnapshotWorkspace;
beforeEach(() => void (workspace = new SnapshotWorkspace()));
afterEach(() => workspace.remove());

const live = () => new AbortController().signal;
async function take(snapshots: GitSnapshots): Promise<{ tree: string; notCovered: readonly string[] }> {
  const picture = await snapshots.take(live());
  if (!picture.ok) throw new Error(picture.message);
  return picture;
}
const text = async (snapshots: GitSnapshots, tree: string, path: string) => {
  const bytes = await snapshots.read(tree, path);
  return bytes === null ? null : Buffer.from(bytes).toString("utf8");
};
/** What a change does, as `kind path`. */
async function changesOf(snapshots: GitSnapshots, change: () => void): Promise<string[]> {
  const before = await take(snapshots);
  change();
  const after = await take(snapshots);
  return (await snapshots.diff(before.tree, after.tree)).map(({ kind, path }) => `${kind} ${path}`);
}

describe.each([
  ["without git", () => undefined],
  ["in a committed repository", () => workspace.commitAll()],
  ["in a repository without a commit", () => void workspace.git("init", "-q")],
])("snapshots of a workspace %s", (_name, begin) => {
  beforeEach(() => {
    workspace.put("a.txt", "one\n");
    workspace.put("src/b.txt", "two\n");
    workspace.put("src/deep/c.txt", "three\n");
    begin();
  });

  it("answer the same tree for the same bytes, also from a second process", async () => {
    const first = await take(workspace.snapshots());
    expect(first).toMatchObject({ tree: /^[0-9a-f]{40}$/.exec(first.tree)?.[0], notCovered: [] });
    expect((await take(workspace.snapshots())).tree).toBe(first.tree);
  });

  it("tell what was added, modified and deleted, sorted by path", async () => {
    const changes = await changesOf(workspace.snapshots(), () => {
      appendFileSync(join(workspace.root, "src/b.txt"), "more\n");
      rmSync(join(workspace.root, "a.txt"));
      workspace.put("z/new.txt");
    });
    expect(changes).toEqual(["deleted a.txt", "modified src/b.txt", "added z/new.txt"]);
  });

  it("give back the bytes of each tree", async () => {
    const snapshots = workspace.snapshots();
    const before = await take(snapshots);
    workspace.put("src/b.txt", "changed\n");
    const after = await take(snapshots);
    expect(await text(snapshots, before.tree, "src/b.txt")).toBe("two\n");
    expect(await text(snapshots, after.tree, "src/b.txt")).toBe("changed\n");
    expect(await text(workspace.snapshots(), before.tree, "src/deep/c.txt")).toBe("three\n");
    for (const absent of ["src", "src/none", "none/b.txt", "a.txt/x", ""])
      expect(await snapshots.read(before.tree, absent)).toBeNull();
  });

  it("come back to the same tree when a change is undone", async () => {
    const snapshots = workspace.snapshots();
    const before = await take(snapshots);
    workspace.put("src/b.txt", "changed\n");
    await take(snapshots);
    workspace.put("src/b.txt", "two\n");
    expect((await take(snapshots)).tree).toBe(before.tree);
  });

  it("see a file that .gitignore hides, also by a line planted in between", async () => {
    workspace.put(".gitignore", "*.log\n");
    workspace.put("old.log");
    const changes = await changesOf(workspace.snapshots(), () => {
      workspace.put(".gitignore", "*.log\n*.py\nsrc/\n");
      workspace.put("conftest.py");
      workspace.put("new.log");
      workspace.put("src/hidden.txt");
    });
    expect(changes).toEqual(["modified .gitignore", "added conftest.py", "added new.log", "added src/hidden.txt"]);
  });

  it("leave out what tools write, and name it", async () => {
    const snapshots = workspace.snapshots({ outputs: ["reports/**", "**/*.tmp"] });
    const before = await take(snapshots);
    for (const path of [
      "node_modules/x/index.js",
      "src/__pycache__/b.pyc",
      "dist/out.js",
      "reports/r.xml",
      "src/t.tmp",
    ])
      workspace.put(path);
    const after = await take(snapshots);
    expect(after.tree).toBe(before.tree);
    expect(after.notCovered).toEqual(["dist/", "node_modules/", "reports/", "src/__pycache__/", "src/t.tmp"]);
  });

  it("cover a file that has the name of an output folder", async () => {
    expect(await changesOf(workspace.snapshots(), () => workspace.put("bin/target"))).toEqual(["added bin/target"]);
  });

  it("leave the harness's own files out without a word", async () => {
    const snapshots = workspace.snapshots({ own: [join(workspace.root, "run.jsonl"), join(workspace.root, "run.d")] });
    const before = await take(snapshots);
    workspace.put("run.jsonl");
    workspace.put("run.d/key");
    expect(await take(snapshots)).toEqual(before);
  });

  it("take answers in turn when several are asked for at once", async () => {
    const snapshots = workspace.snapshots();
    const pictures = await Promise.all([take(snapshots), take(snapshots), take(snapshots)]);
    expect(new Set(pictures.map(({ tree }) => tree)).size).toBe(1);
  });

  it("agree when two processes work at the same time", async () => {
    const pictures = await Promise.all([1, 2, 3].map(() => take(workspace.snapshots())));
    expect(new Set(pictures.map(({ tree }) => tree)).size).toBe(1);
  });
});

describe("what counts as a change", () => {
  it("is the executable bit", async () => {
    workspace.put("run.sh");
    expect(await changesOf(workspace.snapshots(), () => chmodSync(join(workspace.root, "run.sh"), 0o755))).toEqual([
      "modified run.sh",
    ]);
  });

  it("is an edit that keeps size and modification time", async () => {
    const file = join(workspace.root, "test.js");
    workspace.put("test.js", "assert(a)\n");
    const past = new Date(Date.now() - 60_000);
    utimesSync(file, past, past);
    const changes = await changesOf(workspace.snapshots(), () => {
      writeFileSync(file, "assert(1)\n");
      utimesSync(file, past, past);
      expect(statSync(file).mtimeMs).toBe(past.getTime());
    });
    expect(changes).toEqual(["modified test.js"]);
  });

  it("is where a link points, never what lies behind it", async () => {
    writeFileSync(join(workspace.base, "outside.txt"), "secret\n");
    symlinkSync("../outside.txt", join(workspace.root, "link"));
    symlinkSync("..", join(workspace.root, "loop"));
    const snapshots = workspace.snapshots();
    const before = await take(snapshots);
    expect(await text(snapshots, before.tree, "link")).toBe("../outside.txt");
    expect(await snapshots.read(before.tree, "loop/outside.txt")).toBeNull();
    writeFileSync(join(workspace.base, "outside.txt"), "changed\n");
    expect((await take(snapshots)).tree).toBe(before.tree);
    rmSync(join(workspace.root, "link"));
    symlinkSync("elsewhere", join(workspace.root, "link"));
    expect(await snapshots.diff(before.tree, (await take(snapshots)).tree)).toEqual([
      { path: "link", kind: "modified" },
    ]);
  });

  it("is a file that becomes a folder, a folder that becomes a file, and a folder that becomes a link", async () => {
    workspace.put("file");
    workspace.put("folder/a");
    workspace.put("linked/a", "same\n");
    workspace.put("twin/a", "same\n");
    const changes = await changesOf(workspace.snapshots(), () => {
      for (const path of ["file", "folder", "linked"]) rmSync(join(workspace.root, path), { recursive: true });
      workspace.put("file/inside");
      workspace.put("folder");
      symlinkSync("twin", join(workspace.root, "linked"));
    });
    expect(changes).toEqual([
      "deleted file",
      "added file/inside",
      "added folder",
      "deleted folder/a",
      "added linked",
      "deleted linked/a",
    ]);
  });

  it("is not an empty folder", async () => {
    expect(await changesOf(workspace.snapshots(), () => mkdirSync(join(workspace.root, "empty")))).toEqual([]);
  });

  it("is a file moved into a source folder from an output folder", async () => {
    workspace.put("dist/a.js");
    workspace.put("src/b.js");
    const changes = await changesOf(workspace.snapshots(), () =>
      renameSync(join(workspace.root, "dist/a.js"), join(workspace.root, "src/a.js")),
    );
    expect(changes).toEqual(["added src/a.js"]);
  });
});

describe("bytes and names", () => {
  it("are kept as they are whatever .gitattributes and the person's configuration say", async () => {
    workspace.put(".gitattributes", "* text=auto eol=lf\n*.txt filter=evil ident\n");
    workspace.put("a.txt", "one\r\ntwo\r\n$Id$\r\n");
    workspace.commitAll();
    workspace.git("config", "filter.evil.clean", `touch "${workspace.base}/filter-ran"; cat`);
    workspace.git("config", "core.autocrlf", "true");
    workspace.put("b.txt", "new\r\n");
    const snapshots = workspace.snapshots();
    const { tree } = await take(snapshots);
    expect(await text(snapshots, tree, "a.txt")).toBe("one\r\ntwo\r\n$Id$\r\n");
    expect(await text(snapshots, tree, "b.txt")).toBe("new\r\n");
    expect(() => statSync(join(workspace.base, "filter-ran"))).toThrow("ENOENT");
  });

  const odd = [
    "-dash",
    "--all",
    "a\nb",
    "a\tb",
    'quo"te',
    "back\\slash",
    " space ",
    ":(glob)**",
    "*",
    "ü",
    "日本",
    "HEAD",
    "a:b",
    "git~1",
    "\u{1f600}",
  ];
  it("may be anything a disk allows", async () => {
    const snapshots = workspace.snapshots();
    const before = await take(snapshots);
    for (const name of odd) workspace.put(`${name}/${name}`, `content of ${name}`);
    const after = await take(snapshots);
    expect(after.notCovered).toEqual([]);
    const changes = await snapshots.diff(before.tree, after.tree);
    expect(changes.map(({ path }) => path)).toEqual(odd.map((name) => `${name}/${name}`).sort());
    for (const name of odd) expect(await text(snapshots, after.tree, `${name}/${name}`)).toBe(`content of ${name}`);
    for (const name of odd) rmSync(join(workspace.root, name), { recursive: true });
    expect((await take(snapshots)).tree).toBe(before.tree);
  });

  it("that are no UTF-8 come back as themselves, and no two meet", async () => {
    const names = [
      Buffer.from("\xff", "latin1"),
      Buffer.from("\xfe", "latin1"),
      Buffer.from("a\xc3\xbc\xe9b", "latin1"),
      Buffer.from("\ufffd"),
    ];
    for (const name of names)
      writeFileSync(Buffer.concat([Buffer.from(`${workspace.root}/`), name]), name.toString("hex"));
    const snapshots = workspace.snapshots();
    const empty = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    const { tree } = await take(snapshots);
    const paths = (await snapshots.diff(empty, tree)).map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(["\udcff", "\udcfe", "aü\udce9b", "\ufffd"]));
    const contents = await Promise.all(paths.map((path) => text(snapshots, tree, path)));
    expect(contents.sort()).toEqual(names.map((name) => name.toString("hex")).sort());
  });

  it("of large and empty files are kept", async () => {
    const large = Buffer.alloc(3_000_000, "abc\n");
    workspace.put("large.bin", large);
    workspace.put("empty", "");
    const snapshots = workspace.snapshots();
    const { tree } = await take(snapshots);
    expect(Buffer.compare((await snapshots.read(tree, "large.bin"))!, large)).toBe(0);
    expect(await snapshots.read(tree, "empty")).toHaveLength(0);
  });
});

describe("an unknown tree", () => {
  it.each(["0123456789012345678901234567890123456789", "HEAD", "--output=x", ""])("rejects: %j", async (tree) => {
    workspace.put("a");
    const snapshots = workspace.snapshots();
    const known = await take(snapshots);
    await expect(snapshots.diff(known.tree, tree)).rejects.toThrow("there is no snapshot");
    await expect(snapshots.diff(tree, tree)).rejects.toThrow("there is no snapshot");
    await expect(snapshots.read(tree, "a")).rejects.toThrow("there is no snapshot");
  });
});

describe("the person's .git", () => {
  beforeEach(() => {
    for (let at = 0; at < 1_100; at++) {
      const path = `many/${at % 10}/f${at}`;
      workspace.put(path, `file ${at}\n`);
      utimesSync(join(workspace.root, path), 1_700_000_000, 1_700_000_000);
    }
    workspace.commitAll();
    workspace.git("gc", "-q");
    workspace.put("many/loose", "loose\n");
    workspace.git("add", "-A");
    workspace.git("commit", "-qm", "loose");
    workspace.put("many/0/f0", "edited\n");
    workspace.put("many/untracked");
  });

  it("is not touched in any byte or time, and its objects are used", async () => {
    const before = fingerprint(join(workspace.root, ".git"));
    const snapshots = workspace.snapshots();
    const first = await take(snapshots);
    workspace.put("many/1/f1", "edited\n");
    const second = await take(snapshots);
    await snapshots.diff(first.tree, second.tree);
    expect(await text(snapshots, first.tree, "many/9/f999")).toBe("file 999\n");
    expect(await text(snapshots, first.tree, "many/0/f0")).toBe("edited\n");
    expect(fingerprint(join(workspace.root, ".git"))).toEqual(before);
    expect(fingerprint(join(workspace.store, "objects")).length).toBeLessThan(200);
  });

  it("does not lend bytes that were changed afterwards", async () => {
    const snapshots = workspace.snapshots();
    const { tree } = await take(snapshots);
    const blob = workspace.git("rev-parse", "HEAD:many/loose").trim();
    const other = workspace.git("hash-object", "-w", "many/0/f0").trim();
    const at = (id: string) => join(workspace.root, ".git/objects", id.slice(0, 2), id.slice(2));
    rmSync(at(blob));
    renameSync(at(other), at(blob));
    await expect(snapshots.read(tree, "many/loose")).rejects.toThrow("changed since");
  });

  it("may lose its objects: what has gone is stored anew the next time", async () => {
    await take(workspace.snapshots());
    rmSync(join(workspace.root, ".git/objects/pack"), { recursive: true });
    const snapshots = workspace.snapshots();
    const { tree } = await take(snapshots);
    expect(await text(snapshots, tree, "many/9/f999")).toBe("file 999\n");
  });
});
