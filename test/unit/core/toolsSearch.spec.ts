import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listFiles } from "../../../extension/core/tools/listFiles";
import { searchFiles } from "../../../extension/core/tools/searchFiles";
import { ToolBench, textOf } from "../../support/toolBench";

let bench: ToolBench;
beforeEach(() => {
  bench = new ToolBench();
});
afterEach(() => bench.dispose());

async function list(args: Record<string, unknown> = {}): Promise<string[]> {
  return textOf(await bench.call(listFiles, args)).split("\n");
}

async function search(args: Record<string, unknown>): Promise<string[]> {
  return textOf(await bench.call(searchFiles, args)).split("\n");
}

describe("list_files", () => {
  it("lists everything below a folder, sorted, without what is hidden", async () => {
    for (const path of ["src/b.ts", "src/a.ts", ".env", "secret/key", "README.md"]) bench.write(path, "x");
    bench.hidden = [".env", "secret"];
    expect(await list()).toEqual(["README.md", "src/", "src/a.ts", "src/b.ts"]);
    expect(await list({ path: "src" })).toEqual(["src/a.ts", "src/b.ts"]);
    expect(await list({ path: "secret" })).toEqual(["secret: the folder is empty"]);
  });

  it("names dependency folders without opening them, unless asked for", async () => {
    for (const path of [".git/HEAD", "node_modules/x/index.js", "a.js"]) bench.write(path, "x");
    expect(await list()).toEqual([".git/", "a.js", "node_modules/"]);
    expect(await list({ path: "node_modules" })).toEqual(["node_modules/x/", "node_modules/x/index.js"]);
  });

  it("matches a glob without a slash at any depth, one with a slash from the folder", async () => {
    for (const path of ["a.ts", "src/b.ts", "src/.c.ts", "src/d.js"]) bench.write(path, "x");
    expect(await list({ glob: "*.ts" })).toEqual(["a.ts", "src/.c.ts", "src/b.ts"]);
    expect(await list({ glob: "src/**" })).toEqual(["src/.c.ts", "src/b.ts", "src/d.js"]);
    expect(await list({ path: "src", glob: "*.{js,ts}" })).toEqual(["src/.c.ts", "src/b.ts", "src/d.js"]);
    expect(await list({ glob: "*.py" })).toEqual(["No file below . matches *.py"]);
  });

  it("shows fewer levels of a large tree, and says that it is not all", async () => {
    for (let at = 0; at < 600; at += 1) bench.write(`a/b/c/d/${at}.txt`, "x");
    bench.write("z.txt", "x");
    expect(await list()).toEqual([
      "a/",
      "a/b/",
      "a/b/c/",
      "z.txt",
      "… not all is shown; give a deeper path or a narrower glob",
    ]);
    const inside = await list({ path: "a/b/c/d" });
    expect(inside).toHaveLength(501);
    expect(inside.at(-1)).toContain("not all is shown");
    expect(await list({ glob: "59?.txt" })).toHaveLength(10);
  });

  it("says what it cannot list", async () => {
    bench.write("a.txt", "x");
    mkdirSync(join(bench.root, "empty"));
    expect(await list({ path: "empty" })).toEqual(["empty: the folder is empty"]);
    expect(await list({ path: "none" })).toEqual(["none: there is no such file"]);
    expect(await list({ path: "a.txt" })).toEqual(["a.txt is not a folder"]);
  });

  it("refuses a glob whose matching would not end", async () => {
    bench.write(`${"a".repeat(200)}.txt`, "x");
    expect((await list({ glob: "*a*a*a*a*a*a*b" }))[0]).toContain("glob must not have more than 4 stars");
    const started = performance.now();
    expect((await list({ glob: "+(a|aa)+(a|aa)b" }))[0]).toContain("No file below");
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("search", () => {
  it("answers path, line and text, relative to the root", async () => {
    bench.write("src/a.ts", "one\nTODO here\n");
    bench.write("b.md", "TODO there\r\n");
    expect(await search({ query: "TODO" })).toEqual(["b.md:1: TODO there", "src/a.ts:2: TODO here"]);
    expect(await search({ query: "TODO", path: "src" })).toEqual(["src/a.ts:2: TODO here"]);
    expect(await search({ query: "TODO", path: "src/a.ts" })).toEqual(["src/a.ts:2: TODO here"]);
    expect(await search({ query: "TO.O", glob: "*.md" })).toEqual(["b.md:1: TODO there"]);
    expect(await search({ query: "nothing" })).toEqual(["No match."]);
  });

  it("leaves out what is hidden, also when it is named", async () => {
    bench.write(".env", "KEY=1\n");
    bench.write("a.txt", "KEY=2\n");
    bench.hidden = [".env"];
    expect(await search({ query: "KEY" })).toEqual(["a.txt:1: KEY=2"]);
    expect(await search({ query: "KEY", path: ".env" })).toEqual(["No match."]);
  });

  it("bounds hits and line length, and says so", async () => {
    bench.write("a.txt", "hit\n".repeat(300));
    bench.write("b.txt", `needle ${"x".repeat(5000)}\n`);
    const hits = await search({ query: "hit" });
    expect(hits).toHaveLength(201);
    expect(hits.at(-1)).toContain("more than 200 matches");
    expect((await search({ query: "needle" }))[0]?.length).toBeLessThan(330);
  });

  it("tells a bad expression, a missing folder and a stop", async () => {
    expect(await bench.call(searchFiles, { query: "(" })).toMatchObject({ ok: false, code: "failed" });
    expect(await bench.call(searchFiles, { query: "a", path: "none" })).toMatchObject({ ok: false, code: "failed" });
    bench.stop.abort();
    expect(await bench.call(searchFiles, { query: "a" })).toMatchObject({ ok: false, code: "cancelled" });
  });
});
