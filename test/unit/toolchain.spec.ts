import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refuseLinkedFolder } from "../../.ci/setup.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "donegate-toolchain-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("installing packages", () => {
  it("is refused where node_modules is a link, and the folder behind it keeps its files", () => {
    const shared = join(folder, "shared");
    mkdirSync(shared);
    writeFileSync(join(shared, "kept"), "");
    symlinkSync(shared, join(folder, "node_modules"), "dir");
    expect(() => refuseLinkedFolder(join(folder, "node_modules"))).toThrow("is a symbolic link");
    expect(readdirSync(shared)).toEqual(["kept"]);
  });

  it("is refused too where the link leads nowhere", () => {
    symlinkSync(join(folder, "gone"), join(folder, "node_modules"), "dir");
    expect(() => refuseLinkedFolder(join(folder, "node_modules"))).toThrow("is a symbolic link");
  });

  it("goes on in a folder, and where there is none", () => {
    expect(() => refuseLinkedFolder(folder)).not.toThrow();
    expect(() => refuseLinkedFolder(join(folder, "none"))).not.toThrow();
  });
});

describe("a build that fails", () => {
  it("says why when esbuild itself has not", () => {
    mkdirSync(join(folder, "neutral/core.mjs.meta.json"), { recursive: true });
    const words = ["esbuild.mjs", "--only", "neutral", "--metafile", "--into", folder];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^could not build: neutral \(EISDIR: /m);
  });
});

describe("a unit test that leaves an unhandled rejection", () => {
  it("fails the run although every test passed", { timeout: 60_000 }, () => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const words = ["run", "--config", join(root, "vitest.config.mts"), "--root", join(root, "test/fixtures/unhandled")];
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, ...words], { encoding: "utf8" });
    expect(stdout).toContain("1 passed");
    expect(stderr).toContain("nobody waits for this");
    expect(status).toBe(1);
  });
});
