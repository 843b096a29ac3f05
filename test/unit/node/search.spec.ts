import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RipgrepSearch } from "../../../extension/node/ripgrepSearch";

const containing = (text: string): unknown => expect.stringContaining(text);

describe("RipgrepSearch", () => {
  const search = new RipgrepSearch();
  const never = new AbortController().signal;
  let root = "";

  async function put(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }

  async function find(
    query: string,
    options: { path?: string; glob?: string; exclude?: string[]; limit?: number } = {},
  ) {
    const { path = root, exclude = [], limit = 100, glob } = options;
    return search.search({ query, path, exclude, limit, ...(glob === undefined ? {} : { glob }) }, never);
  }

  async function findPaths(query: string, options: Parameters<typeof find>[1] = {}): Promise<string[]> {
    const result = await find(query, options);
    if (!result.ok) throw new Error(result.message);
    return result.hits.map((hit) => hit.path);
  }

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "donegate-search-")));
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it("answers path, line and text in the order of paths", async () => {
    await put("b/two.ts", "x\nneedle here\r\n");
    await put("a.ts", "needle\nneedle\n");
    await put("c#/100% é.ts", "needle");
    const hits = [
      { path: "a.ts", line: 1, text: "needle" },
      { path: "a.ts", line: 2, text: "needle" },
      { path: "b/two.ts", line: 2, text: "needle here" },
      { path: "c#/100% é.ts", line: 1, text: "needle" },
    ];
    expect(await find("needle")).toEqual({ ok: true, hits, more: false });
  });

  it("finds nothing without calling it a failure", async () => {
    await put("a.ts", "x");
    expect(await find("needle")).toEqual({ ok: true, hits: [], more: false });
  });

  it("takes a query that starts with a dash as a query", async () => {
    await put("a.ts", "--files\n");
    expect(await findPaths("--files")).toEqual(["a.ts"]);
    expect(await findPaths("-e")).toEqual([]);
  });

  it("says what is wrong with a regular expression and with a glob", async () => {
    await put("a.ts", "x");
    expect(await find("a(")).toMatchObject({ ok: false, message: containing("unclosed group") });
    expect(await find("x", { glob: "a{" })).toMatchObject({ ok: false, message: containing("a{") });
    expect(await find("x", { path: join(root, "nothing") })).toMatchObject({ ok: false });
  });

  it("searches hidden files, but not .git and not what ignore files leave out", async () => {
    for (const path of [".github/ci.yml", ".git/config", "dist/out.js", "src/a.ts"]) await put(path, "needle");
    await put(".gitignore", "dist\n");
    expect(await findPaths("needle")).toEqual([".github/ci.yml", "src/a.ts"]);
  });

  it("lets exclusions win over the glob, in any case of letters", async () => {
    for (const path of [".env", "sub/.ENV.local", "a.ts", "b.js", "secrets/c.ts"]) await put(path, "needle");
    expect(await findPaths("needle", { exclude: [".env*", "secrets/**"] })).toEqual(["a.ts", "b.js"]);
    expect(await findPaths("needle", { glob: ".env", exclude: [".env*"] })).toEqual([]);
    expect(await findPaths("needle", { glob: "*.ts" })).toEqual(["a.ts", "secrets/c.ts"]);
  });

  it("searches one file that is named, and holds exclusions against it too", async () => {
    for (const path of ["sub/[a]*.ts", "sub/b.ts", "sub/deep/[a]*.ts", "sub/.env"]) await put(path, "needle");
    expect(await findPaths("needle", { path: join(root, "sub/[a]*.ts") })).toEqual(["[a]*.ts"]);
    expect(await findPaths("needle", { path: join(root, "sub/.env"), exclude: [".env*"] })).toEqual([]);
  });

  it("stops at the limit and says whether there is more", async () => {
    await put("a.ts", "needle\n".repeat(50_000));
    const cut = await find("needle", { limit: 3 });
    expect(cut.ok && [cut.hits.length, cut.more]).toEqual([3, true]);
    const exact = await find("needle", { limit: 50_000 });
    expect(exact.ok && [exact.hits.length, exact.more]).toEqual([50_000, false]);
  });

  it("shows the part of a very long line that matches", async () => {
    await put("a.min.js", `${"é".repeat(5_000)}needle${"x".repeat(5_000)}\n`);
    const result = await find("needle");
    expect(result.ok && result.hits[0]?.text).toMatch(/^\.\.\.é+needlex+\.\.\.$/);
    expect(result.ok && result.hits[0]?.text.length).toBeLessThan(450);
  });

  it("survives names and lines that are not UTF-8", async () => {
    const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff]), Buffer.from(".ts")]);
    await writeFile(name, Buffer.from([0x6e, 0x65, 0x65, 0x64, 0x6c, 0x65, 0xe9, 0x0a]));
    expect(await find("needle")).toEqual({
      ok: true,
      hits: [{ path: "f\ufffd.ts", line: 1, text: "needle\ufffd" }],
      more: false,
    });
  });

  it("is not led by a configuration file of the person", async () => {
    await put("a.ts", "needle");
    await put("config", "--ignore-case\n--glob=!*.ts\n");
    process.env["RIPGREP_CONFIG_PATH"] = join(root, "config");
    try {
      expect(await findPaths("needle")).toEqual(["a.ts"]);
    } finally {
      delete process.env["RIPGREP_CONFIG_PATH"];
    }
  });

  it("is a failure, not an empty answer, when ripgrep is missing or dies", async () => {
    const query = { query: "x", path: root, exclude: [], limit: 1 };
    expect(await new RipgrepSearch(join(root, "no-rg")).search(query, never)).toMatchObject({ ok: false });
    await put("rg", "#!/bin/sh\nexit 0\n");
    await chmod(join(root, "rg"), 0o755);
    expect(await new RipgrepSearch(join(root, "rg")).search(query, never)).toMatchObject({ ok: false });
  });

  it("ends when it is cancelled", async () => {
    const controller = new AbortController();
    const running = search.search({ query: "x", path: "/usr", exclude: [], limit: 1_000_000 }, controller.signal);
    setTimeout(() => controller.abort(), 30);
    expect(await running).toEqual({ ok: false, message: "cancelled" });
    expect(await search.search({ query: "x", path: root, exclude: [], limit: 1 }, controller.signal)).toMatchObject({
      ok: false,
    });
  });
});
