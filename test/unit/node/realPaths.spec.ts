import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NodeRealPaths } from "../../../extension/node/nodeRealPaths";

describe("NodeRealPaths", () => {
  let outer = "";
  let root = "";
  let paths: NodeRealPaths;

  beforeEach(() => {
    outer = realpathSync(mkdtempSync(join(tmpdir(), "donegate-paths-")));
    root = join(outer, "root");
    mkdirSync(join(root, "src", "deep"), { recursive: true });
    mkdirSync(join(outer, "other", "inner"), { recursive: true });
    writeFileSync(join(root, "src", "a.ts"), "a");
    writeFileSync(join(outer, "other", "secret"), "s");
    symlinkSync("../other/inner", join(root, "out"));
    symlinkSync(join(outer, "other", "absent", "file"), join(root, "dangling"));
    symlinkSync("loop-b", join(root, "loop-a"));
    symlinkSync("loop-a", join(root, "loop-b"));
    symlinkSync("out", join(root, "chain"));
    paths = new NodeRealPaths(root);
  });

  afterEach(() => rmSync(outer, { recursive: true, force: true }));

  it.each([
    ["src/a.ts", "root/src/a.ts", true, 1],
    ["./src//deep/../a.ts", "root/src/a.ts", true, 1],
    ["new/folder/file.ts", "root/new/folder/file.ts", false, 0],
    ["out/x", "other/inner/x", false, 0],
    ["chain/new/y", "other/inner/new/y", false, 0],
    // As the system does it: the parent of what the link points to, not the folder that holds the link.
    ["out/../secret", "other/secret", true, 1],
    ["out/../../root/src/a.ts", "root/src/a.ts", true, 1],
    ["dangling", "other/absent/file", false, 0],
    ["absent/../src/a.ts", "root/src/a.ts", true, 1],
    ["absent/../out/../secret", "other/secret", true, 1],
    ["src/a.ts/below", "root/src/a.ts/below", false, 0],
  ])("resolves %s to %s", (path, expected, exists, links) => {
    expect(paths.resolve(path, root)).toEqual({ path: join(outer, expected), exists, links });
    expect(paths.resolve(join(root, "x").slice(0, -1) + path, "/")?.path).toBe(join(outer, expected));
  });

  it("counts hard links", () => {
    linkSync(join(root, "src", "a.ts"), join(root, "again"));
    expect(paths.resolve("again", root)?.links).toBe(2);
  });

  it("answers null where the disk would not say: loops, zero bytes, names too long", () => {
    for (const path of ["loop-a", "loop-a/x", "a\0b", "n".repeat(300)]) expect(paths.resolve(path, root)).toBeNull();
  });

  it("stays at the top above the top", () => {
    expect(paths.resolve("/../../..", root)?.path).toBe("/");
  });

  it("knows the home folder, and that names differing in case are two files here", () => {
    expect(isAbsolute(paths.home)).toBe(true);
    writeFileSync(join(root, "README"), "1");
    writeFileSync(join(root, "readme"), "2");
    expect(new NodeRealPaths(root).caseInsensitive).toBe(false);
  });
});
