import { beforeEach, describe, expect, it } from "vitest";
import type { WorkspaceFiles } from "../../extension/core/ports/workspaceFiles";
import { NodeHasher } from "../../extension/node/nodeHasher";

/** A disk to try, and hands to change it from outside. */
export interface FilesUnderTest {
  files: WorkspaceFiles;
  /** An absolute folder that exists and is empty. */
  root: string;
  put(path: string, text: string, mode?: number): Promise<void>;
  putDirectory(path: string): Promise<void>;
  /** A symbolic link whose target is missing. */
  putLink(path: string): Promise<void>;
  putHardLink(existing: string, path: string): Promise<void>;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const digest = (text: string) => new NodeHasher().sha256(text);

/** What every implementation of the port has to do. */
export function describeWorkspaceFiles(name: string, create: () => Promise<FilesUnderTest>): void {
  describe(`${name} as WorkspaceFiles`, () => {
    let disk: FilesUnderTest;
    const at = (relative: string) => `${disk.root}/${relative}`;
    const code = (result: { ok: boolean; code?: string }) => (result.ok ? "ok" : result.code);
    const textAt = async (relative: string) => {
      const result = await disk.files.read(at(relative));
      return result.ok ? new TextDecoder().decode(result.value.bytes) : null;
    };

    beforeEach(async () => {
      disk = await create();
    });

    describe("read", () => {
      it("answers bytes, digest, mode and link count", async () => {
        await disk.put(at("a.sh"), "é\n", 0o755);
        const result = await disk.files.read(at("a.sh"));
        expect(result.ok && result.value).toMatchObject({ digest: digest("é\n"), mode: 0o755, links: 1 });
        expect(result.ok && [...result.value.bytes]).toEqual([...bytes("é\n")]);
      });

      it("reads an empty file and one just at the limit, and refuses one above it", async () => {
        await disk.put(at("empty"), "");
        await disk.put(at("five"), "12345");
        expect(await textAt("empty")).toBe("");
        expect(code(await disk.files.read(at("five"), 5))).toBe("ok");
        expect(code(await disk.files.read(at("five"), 4))).toBe("too-large");
      });

      it("hands out a file piece by piece, and nothing once it is stopped", async () => {
        await disk.put(at("a.txt"), "one\ntwo\n");
        const pieces: number[] = [];
        const take = (piece: Uint8Array): void => void pieces.push(...piece);
        const stop = new AbortController();
        const scanned = await disk.files.scan(at("a.txt"), take, stop.signal);
        expect(scanned).toEqual({ ok: true, value: { digest: digest("one\ntwo\n"), size: 8 } });
        expect(pieces).toEqual([...bytes("one\ntwo\n")]);
        expect(code(await disk.files.scan(at("nothing"), take, stop.signal))).toBe("not-found");
        stop.abort();
        expect(code(await disk.files.scan(at("a.txt"), take, stop.signal))).toBe("failed");
      });

      it("names what is not a file", async () => {
        await disk.putDirectory(at("folder"));
        expect(code(await disk.files.read(at("folder")))).toBe("is-directory");
        expect(code(await disk.files.read(at("nothing")))).toBe("not-found");
      });
    });

    describe("write", () => {
      it("makes a new file with its parent folders and answers its digest", async () => {
        const result = await disk.files.write(at("new/deep/c#/100% é.ts"), bytes("x"), null);
        expect(result).toEqual({ ok: true, value: { digest: digest("x") } });
        expect(await textAt("new/deep/c#/100% é.ts")).toBe("x");
      });

      it("replaces a file that is as expected and keeps its mode", async () => {
        await disk.put(at("run.sh"), "old", 0o755);
        expect(code(await disk.files.write(at("run.sh"), bytes("new"), digest("old")))).toBe("ok");
        const after = await disk.files.read(at("run.sh"));
        expect(after.ok && after.value).toMatchObject({ digest: digest("new"), mode: 0o755, links: 1 });
      });

      it("never overwrites an existing file when none is expected", async () => {
        await disk.put(at("a"), "theirs");
        expect(code(await disk.files.write(at("a"), bytes("ours"), null))).toBe("exists");
        expect(await textAt("a")).toBe("theirs");
      });

      it("leaves a file alone that changed or went since it was read", async () => {
        await disk.put(at("a"), "theirs");
        expect(code(await disk.files.write(at("a"), bytes("ours"), digest("before")))).toBe("changed");
        expect(await textAt("a")).toBe("theirs");
        expect(code(await disk.files.write(at("gone"), bytes("ours"), digest("before")))).toBe("changed");
        expect(await textAt("gone")).toBeNull();
      });

      it("refuses a file with a second hard link", async () => {
        await disk.put(at("a"), "old");
        await disk.putHardLink(at("a"), at("b"));
        expect(code(await disk.files.write(at("a"), bytes("new"), digest("old")))).toBe("linked");
        expect([await textAt("a"), await textAt("b")]).toEqual(["old", "old"]);
      });

      it("refuses a symbolic link, dangling or not expected", async () => {
        await disk.putLink(at("link"));
        expect(code(await disk.files.write(at("link"), bytes("new"), null))).toBe("linked");
        expect(code(await disk.files.write(at("link"), bytes("new"), digest("old")))).toBe("linked");
      });

      it("refuses a folder, a file set to read-only, and a path below a file", async () => {
        await disk.putDirectory(at("folder"));
        await disk.put(at("locked"), "old", 0o444);
        await disk.put(at("file"), "old");
        expect(code(await disk.files.write(at("folder"), bytes("new"), null))).toBe("is-directory");
        expect(code(await disk.files.write(at("locked"), bytes("new"), digest("old")))).toBe("read-only");
        expect(code(await disk.files.write(at("file/below"), bytes("new"), null))).toBe("failed");
        expect([await textAt("locked"), await textAt("file")]).toEqual(["old", "old"]);
      });

      it("leaves nothing behind, whether it worked or not", async () => {
        await disk.put(at("a"), "old");
        await disk.files.write(at("a"), bytes("new"), digest("old"));
        await disk.files.write(at("a"), bytes("newer"), digest("old"));
        await disk.files.write(at("b"), bytes("new"), null);
        await disk.files.write(at("c/d"), bytes("new"), digest("old"));
        const listed = await disk.files.list(disk.root, { depth: 9, limit: 99, skip: () => false });
        expect(listed.ok && listed.value.entries.map((entry) => entry.path)).toEqual(["a", "b"]);
      });
    });

    describe("delete and move", () => {
      it("deletes only what is as expected", async () => {
        await disk.put(at("a"), "old");
        expect(code(await disk.files.delete(at("a"), digest("other")))).toBe("changed");
        expect(await textAt("a")).toBe("old");
        expect(await disk.files.delete(at("a"), digest("old"))).toEqual({ ok: true, value: null });
        expect(code(await disk.files.delete(at("a"), digest("old")))).toBe("not-found");
      });

      it("deletes no folder and no link", async () => {
        await disk.putDirectory(at("folder"));
        await disk.putLink(at("link"));
        expect(code(await disk.files.delete(at("folder"), digest("")))).toBe("is-directory");
        expect(code(await disk.files.delete(at("link"), digest("")))).toBe("linked");
      });

      it("moves a file into a folder that it makes, mode kept", async () => {
        await disk.put(at("a.sh"), "x", 0o755);
        expect(await disk.files.move(at("a.sh"), at("bin/b.sh"), digest("x"))).toEqual({ ok: true, value: null });
        expect(await textAt("a.sh")).toBeNull();
        const moved = await disk.files.read(at("bin/b.sh"));
        expect(moved.ok && moved.value).toMatchObject({ digest: digest("x"), mode: 0o755, links: 1 });
      });

      it("moves nothing onto an existing target, itself included, and nothing that changed", async () => {
        await disk.put(at("a"), "a");
        await disk.put(at("b"), "b");
        await disk.putLink(at("link"));
        for (const target of ["a", "b", "link"]) {
          expect(code(await disk.files.move(at("a"), at(target), digest("a")))).toBe("exists");
        }
        expect(code(await disk.files.move(at("a"), at("c"), digest("other")))).toBe("changed");
        expect([await textAt("a"), await textAt("b"), await textAt("c")]).toEqual(["a", "b", null]);
      });
    });

    describe("list", () => {
      const everything = { depth: 9, limit: 99, skip: () => false };

      beforeEach(async () => {
        await disk.put(at("b/two.ts"), "22");
        await disk.put(at("b/deep/three.ts"), "333");
        await disk.put(at("b-side.ts"), "1");
        await disk.putLink(at("a-link"));
      });

      it("goes depth first in order of names and follows no link", async () => {
        const listed = await disk.files.list(disk.root, everything);
        expect(listed.ok && listed.value).toEqual({
          more: false,
          entries: [
            { path: "a-link", kind: "link", size: 0 },
            { path: "b", kind: "directory", size: 0 },
            { path: "b/deep", kind: "directory", size: 0 },
            { path: "b/deep/three.ts", kind: "file", size: 3 },
            { path: "b/two.ts", kind: "file", size: 2 },
            { path: "b-side.ts", kind: "file", size: 1 },
          ],
        });
      });

      it("stops at the depth, and at the limit says that there is more", async () => {
        const flat = await disk.files.list(disk.root, { ...everything, depth: 1 });
        expect(flat.ok && flat.value.entries.map((entry) => entry.path)).toEqual(["a-link", "b", "b-side.ts"]);
        const cut = await disk.files.list(disk.root, { ...everything, limit: 2 });
        expect(cut.ok && [cut.value.entries.length, cut.value.more]).toEqual([2, true]);
        const exact = await disk.files.list(disk.root, { ...everything, limit: 6 });
        expect(exact.ok && [exact.value.entries.length, exact.value.more]).toEqual([6, false]);
      });

      it("neither shows nor enters what is skipped", async () => {
        const listed = await disk.files.list(disk.root, { ...everything, skip: (path) => path === "b" });
        expect(listed.ok && listed.value.entries.map((entry) => entry.path)).toEqual(["a-link", "b-side.ts"]);
      });

      it("says when there is no such folder", async () => {
        expect(code(await disk.files.list(at("nothing"), everything))).toBe("not-found");
        expect(code(await disk.files.list(at("b-side.ts"), everything))).toBe("failed");
      });
    });
  });
}
