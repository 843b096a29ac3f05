// A tree written out again, for checks that run beside the work.
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprint, SnapshotWorkspace } from "../../support/snapshotWorkspace";

let workspace: SnapshotWorkspace;
beforeEach(() => void (workspace = new SnapshotWorkspace()));
afterEach(() => workspace.remove());
const live = () => new AbortController().signal;

async function writeOut(change: () => void = () => undefined, limit = 100) {
  const snapshots = workspace.snapshots();
  const picture = await snapshots.take(live());
  if (!picture.ok) throw new Error(picture.message);
  change();
  const folder = join(workspace.base, "copy");
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    snapshots,
    tree: picture.tree,
    written: await snapshots.materialise(picture.tree, folder, limit, live()),
  };
}

describe("a tree written out", () => {
  it("has the bytes, modes and links of that tree, whatever the workspace holds by then", async () => {
    workspace.put("a b/täst.txt", "one\r\n");
    workspace.put(".gitattributes", "* text eol=lf\n*.txt ident\n");
    workspace.put("run.sh", "#!/bin/sh\n");
    chmodSync(join(workspace.root, "run.sh"), 0o755);
    symlinkSync("a b/täst.txt", join(workspace.root, "link"));
    const { folder, written } = await writeOut(() => {
      workspace.put("a b/täst.txt", "two");
      workspace.put("later.txt", "");
    });
    expect(written).toEqual({ ok: true });
    expect(readFileSync(join(folder, "a b/täst.txt"), "utf8")).toBe("one\r\n");
    expect(readlinkSync(join(folder, "link"))).toBe("a b/täst.txt");
    expect(lstatSync(join(folder, "run.sh")).mode & 0o111).not.toBe(0);
    expect(existsSync(join(folder, "later.txt"))).toBe(false);
  });

  it("comes from the person's own objects as well, and leaves their repository as it was", async () => {
    for (let at = 0; at < 1_200; at += 1) workspace.put(`many/${at}.txt`, `${at}\n`);
    workspace.commitAll();
    const before = fingerprint(join(workspace.root, ".git"));
    const { folder, written } = await writeOut(undefined, 2_000);
    expect(written).toEqual({ ok: true });
    expect(readFileSync(join(folder, "many/1199.txt"), "utf8")).toBe("1199\n");
    expect(fingerprint(join(workspace.root, ".git"))).toEqual(before);
  });

  it("does not change the next picture", async () => {
    workspace.put("a.txt");
    const { snapshots, tree } = await writeOut();
    expect(await snapshots.take(live())).toMatchObject({ ok: true, tree });
  });

  it("of too many files, or of a tree that nobody took, is refused", async () => {
    workspace.put("a.txt");
    workspace.put("b.txt");
    const { snapshots, folder, written } = await writeOut(undefined, 1);
    expect(written).toMatchObject({ ok: false, message: "it holds 2 files, more than 1" });
    expect(await snapshots.materialise("0".repeat(40), folder, 9, live())).toMatchObject({ ok: false });
  });
});
