import { execFileSync } from "node:child_process";
import { chmod, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { toFailure } from "../../../extension/node/fileFailure";
import { NodeHasher } from "../../../extension/node/nodeHasher";
import { NodeWorkspaceFiles } from "../../../extension/node/nodeWorkspaceFiles";
import { MemoryFiles } from "../../support/memoryFiles";
import { describeWorkspaceFiles, type FilesUnderTest } from "../../support/workspaceFilesContract";

const folders: string[] = [];

async function makeRoot(): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "donegate-files-")));
  folders.push(root);
  return root;
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

describeWorkspaceFiles("NodeWorkspaceFiles", async (): Promise<FilesUnderTest> => {
  return {
    files: new NodeWorkspaceFiles(),
    root: await makeRoot(),
    async put(path, text, mode = 0o644) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      await chmod(path, mode);
    },
    putDirectory: async (path) => void (await mkdir(path, { recursive: true })),
    putLink: (path) => symlink("nowhere", path),
    putHardLink: (existing, path) => link(existing, path),
  };
});

describeWorkspaceFiles("MemoryFiles", async (): Promise<FilesUnderTest> => {
  const files = new MemoryFiles();
  files.putDirectory("/root");
  return {
    files,
    root: "/root",
    put: async (path, text, mode) => files.put(path, text, mode),
    putDirectory: async (path) => files.putDirectory(path),
    putLink: async (path) => files.putLink(path),
    putHardLink: async (existing, path) => files.putHardLink(existing, path),
  };
});

describe("NodeWorkspaceFiles on a real disk", () => {
  const files = new NodeWorkspaceFiles();
  const digest = (text: string) => new NodeHasher().sha256(text);
  const bytes = (text: string) => new TextEncoder().encode(text);
  let root = "";
  beforeEach(async () => {
    root = await makeRoot();
  });

  it("lets exactly one of many writers make a file", async () => {
    const path = join(root, "a");
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => files.write(path, bytes(`${index}`), null)),
    );
    const winners = results.flatMap((result, index) => (result.ok ? [index] : []));
    expect(winners).toHaveLength(1);
    expect(await readFile(path, "utf8")).toBe(`${winners[0]}`);
    expect(await readdir(root)).toEqual(["a"]);
  });

  it("shows a reader the old bytes or the new ones, never a part", async () => {
    const path = join(root, "a");
    const versions = ["x".repeat(300_000), "y".repeat(300_000)] as const;
    await writeFile(path, versions[0]);
    const seen: string[] = [];
    let isWriting = true;
    const reader = (async () => {
      while (isWriting) seen.push(digest(await readFile(path, "utf8")));
    })();
    for (let round = 0; round < 10; round += 1) {
      const [from, to] = round % 2 === 0 ? versions : [versions[1], versions[0]];
      expect((await files.write(path, bytes(to), digest(from))).ok).toBe(true);
    }
    isWriting = false;
    await reader;
    expect(new Set([...seen, ...versions.map(digest)])).toEqual(new Set(versions.map(digest)));
  });

  it("writes through a linked folder but not through a linked file", async () => {
    await mkdir(join(root, "real"));
    await symlink("real", join(root, "folder"));
    await writeFile(join(root, "real", "target"), "old");
    await symlink("real/target", join(root, "file"));
    expect((await files.write(join(root, "folder", "new"), bytes("new"), null)).ok).toBe(true);
    expect(await files.write(join(root, "file"), bytes("new"), digest("old"))).toMatchObject({
      ok: false,
      code: "linked",
    });
    expect(await readFile(join(root, "real", "target"), "utf8")).toBe("old");
    expect(await readFile(join(root, "real", "new"), "utf8")).toBe("new");
  });

  it("does not hang on a named pipe and calls it no file", async () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(await files.read(join(root, "pipe"))).toMatchObject({ ok: false, code: "not-a-file" });
    expect(await files.write(join(root, "pipe"), bytes("x"), null)).toMatchObject({ ok: false, code: "not-a-file" });
  });

  it("reads files that tell no size, and stops at the limit there as well", async () => {
    const whole = await files.read("/proc/self/status");
    expect(whole.ok && whole.value.bytes.length).toBeGreaterThan(100);
    expect(await files.read("/proc/self/status", 10)).toMatchObject({ ok: false, code: "too-large" });
  });

  it("answers a path that no disk can hold as a value", async () => {
    expect(await files.read(`${root}/a\0b`)).toMatchObject({ ok: false, code: "failed" });
    expect(await files.write(join(root, "n".repeat(300)), bytes("x"), null)).toMatchObject({
      ok: false,
      code: "failed",
    });
    expect(await readdir(root)).toEqual([]);
  });

  it("takes a name of 255 bytes, for which no longer temporary name would fit", async () => {
    expect((await files.write(join(root, "n".repeat(255)), bytes("x"), null)).ok).toBe(true);
  });

  it("takes new folders away again when the file could not be made in them", async () => {
    expect((await files.write(join(root, "new", "deep", "n".repeat(300)), bytes("x"), null)).ok).toBe(false);
    expect(await readdir(root)).toEqual([]);
  });

  it.each([
    ["EACCES", "write", "read-only"],
    ["EROFS", "write", "read-only"],
    ["EACCES", "read", "failed"],
    ["ENOSPC", "write", "no-space"],
    ["EDQUOT", "write", "no-space"],
    ["EISDIR", "write", "is-directory"],
    ["EIO", "write", "failed"],
  ] as const)("tells %s of a %s as %s", (code, act, expected) => {
    expect(toFailure(Object.assign(new Error("system"), { code }), "/a", act).code).toBe(expected);
  });
});
