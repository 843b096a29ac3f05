import { linkSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deleteFile } from "../../../extension/core/tools/deleteFile";
import { moveFile } from "../../../extension/core/tools/moveFile";
import { readFile } from "../../../extension/core/tools/readFile";
import { writeFile } from "../../../extension/core/tools/writeFile";
import { ToolBench, textOf } from "../../support/toolBench";

let bench: ToolBench;
beforeEach(() => {
  bench = new ToolBench();
});
afterEach(() => bench.dispose());

async function read(args: Record<string, unknown>): Promise<string> {
  return textOf(await bench.call(readFile, args));
}

async function write(path: string, content: string): Promise<string> {
  return textOf(await bench.call(writeFile, { path, content }));
}

function fixture(name: string): Buffer {
  return readFileSync(join(__dirname, "../../fixtures/files", name));
}

describe("read_file", () => {
  it("shows exact text under a line that says what it is, and reports its digest", async () => {
    bench.write("src/a.ts", "one\n  two\n");
    const result = await bench.call(readFile, { path: "src/a.ts" });
    expect(result).toEqual({
      ok: true,
      output: "src/a.ts, lines 1 to 2 of 2\none\n  two\n",
      reads: [{ path: "src/a.ts", digest: bench.digest("src/a.ts") }],
    });
  });

  it("shows a range and where to read on", async () => {
    bench.write("a.txt", Array.from({ length: 10 }, (_, at) => `line ${at + 1}\n`).join(""));
    expect(await read({ path: "a.txt", offset: 3, limit: 2 })).toBe(
      "a.txt, lines 3 to 4 of 10; read on with offset 5\nline 3\nline 4\n",
    );
    expect(await read({ path: "a.txt", offset: 9 })).toBe("a.txt, lines 9 to 10 of 10\nline 9\nline 10\n");
    expect(await read({ path: "a.txt", offset: 11 })).toBe("a.txt has only 10 lines");
  });

  it("keeps a large file within the bound, in whole lines", async () => {
    bench.write("a.txt", `${"x".repeat(99)}\n`.repeat(1000));
    const text = await read({ path: "a.txt" });
    expect(text.length).toBeLessThanOrEqual(16_000);
    const [header, ...lines] = text.split("\n");
    const last = Number(/^a\.txt, lines 1 to (\d+) of 1000; read on with offset \d+$/.exec(header ?? "")?.[1]);
    expect(header).toContain(`offset ${last + 1}`);
    expect(lines).toHaveLength(last + 1);
    expect(lines.slice(0, -1).every((line) => line.length === 99)).toBe(true);
  });

  it("cuts a single line that is too long, and says so", async () => {
    bench.write("a.js", `${"x".repeat(50_000)}\nrest\n`);
    const text = await read({ path: "a.js" });
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(text).toMatch(
      /^a\.js, lines 1 to 1 of 2; read on with offset 2; line 1 has 50000 characters, the first \d+ are shown\n/,
    );
  });

  it("says when the last line has no newline, and when there is nothing", async () => {
    bench.write("a.txt", "one\ntwo");
    bench.write("b.txt", "");
    expect(await read({ path: "a.txt" })).toBe("a.txt, lines 1 to 2 of 2; no newline at the end\none\ntwo");
    expect(await read({ path: "b.txt" })).toBe("b.txt: the file is empty");
  });

  it("hides the byte order mark and shows CR LF as LF (19)", async () => {
    bench.write("a.ps1", fixture("19-bom.ps1"));
    expect(await read({ path: "a.ps1" })).toBe(
      'a.ps1, lines 1 to 2 of 2; line ends are CR LF, shown as LF\nparam($Name)\nWrite-Output "Grüße $Name"\n',
    );
  });

  it("shows a file that is not UTF-8 byte by byte and says so (18)", async () => {
    bench.write("a.ini", fixture("18-sjis.ini"));
    const text = await read({ path: "a.ini" });
    expect(text.split("\n")[0]).toContain("not UTF-8");
    expect(text).toContain("\u0090\u00DD\u0092\u00E8\n[main]\n");
  });

  it("refuses what is no text", async () => {
    bench.write("a.bin", Buffer.from([1, 2, 0, 3]));
    bench.write("b.txt", Buffer.from([0xff, 0xfe, 0x61, 0x00]));
    expect(await read({ path: "a.bin" })).toBe("a.bin (4 bytes): it is a binary file");
    expect(await read({ path: "b.txt" })).toContain("UTF-16");
    expect(await read({ path: "." })).toBe(".: this is a folder; use list_files");
    expect(await read({ path: "none" })).toBe("none: there is no such file");
  });
});

describe("write_file", () => {
  it("makes a new file and its folders, byte by byte as given (H28)", async () => {
    expect(await write("a/b/c.txt", "it’s\r\nnew\n")).toBe("Created a/b/c.txt (12 bytes).");
    expect(bench.bytes("a/b/c.txt").toString("hex")).toBe("6974e28099730d0a6e65770a");
    expect(bench.told).toEqual([
      { told: "begin", files: [{ path: "a/b/c.txt", before: null, after: bench.digest("a/b/c.txt") }] },
    ]);
  });

  it("does not replace a file that this run has not seen", async () => {
    bench.write("a.txt", "precious\n");
    expect(await write("a.txt", "new\n")).toContain("this run has not read it");
    expect(bench.bytes("a.txt").toString()).toBe("precious\n");
    expect(bench.told).toEqual([]);
  });

  it("does not replace a file that changed since it was read (H34)", async () => {
    bench.write("a.txt", "one\n");
    await read({ path: "a.txt" });
    bench.write("a.txt", "two\n");
    expect(await bench.call(writeFile, { path: "a.txt", content: "new\n" })).toMatchObject({
      code: "changed-since-read",
    });
    expect(bench.bytes("a.txt").toString()).toBe("two\n");
  });

  it("does not replace a file that somebody made where this run had deleted one", async () => {
    bench.write("a.txt", "one\n");
    await bench.call(deleteFile, { path: "a.txt" });
    bench.write("a.txt", "somebody else\n");
    expect(await bench.call(writeFile, { path: "a.txt", content: "new\n" })).toMatchObject({
      code: "changed-since-read",
    });
    expect(await bench.call(deleteFile, { path: "a.txt" })).toMatchObject({ code: "changed-since-read" });
    expect(bench.bytes("a.txt").toString()).toBe("somebody else\n");
  });

  it("does not replace a file that appears while it writes", async () => {
    bench.onBegin = () => bench.write("a.txt", "somebody else\n");
    expect(await bench.call(writeFile, { path: "a.txt", content: "new\n" })).toMatchObject({ code: "conflict" });
    expect(bench.bytes("a.txt").toString()).toBe("somebody else\n");
  });

  it("replaces a file that it has read, and its own file again", async () => {
    bench.write("a.txt", "one\n");
    await read({ path: "a.txt" });
    expect(await write("a.txt", "two\n")).toBe("Replaced a.txt (4 bytes).");
    expect(await write("a.txt", "three\n")).toBe("Replaced a.txt (6 bytes).");
    expect(bench.bytes("a.txt").toString()).toBe("three\n");
  });

  it("keeps what read_file does not show: byte order mark and CR LF", async () => {
    bench.write("a.ps1", fixture("19-bom.ps1"));
    await read({ path: "a.ps1" });
    expect(await write("a.ps1", "a\nb\n")).toBe(
      "Replaced a.ps1 (9 bytes; kept its byte order mark and CR LF line ends).",
    );
    expect(bench.bytes("a.ps1").toString("latin1")).toBe("\xEF\xBB\xBFa\r\nb\r\n");
    await write("a.ps1", "\uFEFFa\r\nc\n");
    expect(bench.bytes("a.ps1").toString("latin1")).toBe("\xEF\xBB\xBFa\r\nc\n");
  });

  it("replaces a file that is not UTF-8 by ASCII only", async () => {
    bench.write("a.ini", fixture("18-sjis.ini"));
    await read({ path: "a.ini" });
    expect(await write("a.ini", "memo=設定\n")).toContain("a.ini is not UTF-8 and its encoding is not known");
    expect(bench.bytes("a.ini").equals(fixture("18-sjis.ini"))).toBe(true);
    expect(await write("a.ini", "memo=1\n")).toContain("Replaced a.ini");
    expect(bench.bytes("a.ini").toString("latin1")).toBe("memo=1\r\n");
  });

  it("refuses a folder, a link and a second hard link", async () => {
    mkdirSync(join(bench.root, "folder"));
    symlinkSync("nowhere", join(bench.root, "link"));
    bench.write("a.txt", "one\n");
    await read({ path: "a.txt" });
    linkSync(join(bench.root, "a.txt"), join(bench.root, "b.txt"));
    expect(await write("folder", "x")).toContain("this is a folder");
    expect(await write("link", "x")).toContain("link: this is a link");
    expect(await write("a.txt", "x")).toContain("2 hard links");
    expect(bench.bytes("b.txt").toString()).toBe("one\n");
  });
});

describe("delete_file and move_file", () => {
  it("deletes one file and journals it before", async () => {
    bench.write("a.txt", "one\n");
    const before = bench.digest("a.txt");
    expect(textOf(await bench.call(deleteFile, { path: "a.txt" }))).toBe("Deleted a.txt.");
    expect(bench.told).toEqual([{ told: "begin", files: [{ path: "a.txt", before, after: null }] }]);
    expect(await read({ path: "a.txt" })).toContain("there is no such file");
  });

  it("does not delete folders, missing files or files that changed", async () => {
    bench.write("folder/a.txt", "one\n");
    await read({ path: "folder/a.txt" });
    bench.write("folder/a.txt", "two\n");
    expect(textOf(await bench.call(deleteFile, { path: "folder" }))).toContain("this is a folder");
    expect(textOf(await bench.call(deleteFile, { path: "none" }))).toContain("there is no such file");
    expect(await bench.call(deleteFile, { path: "folder/a.txt" })).toMatchObject({ code: "changed-since-read" });
    expect(bench.bytes("folder/a.txt").toString()).toBe("two\n");
  });

  it("moves a file, journals both names, and knows it under the new one", async () => {
    bench.write("a.txt", "one\n");
    const digest = bench.digest("a.txt");
    expect(textOf(await bench.call(moveFile, { path: "a.txt", to: "b/c.txt" }))).toBe("Moved a.txt to b/c.txt.");
    expect(bench.told).toEqual([
      {
        told: "begin",
        files: [
          { path: "a.txt", before: digest, after: null },
          { path: "b/c.txt", before: null, after: digest },
        ],
      },
    ]);
    expect(await write("b/c.txt", "two\n")).toContain("Replaced");
    expect(await write("a.txt", "new\n")).toContain("Created");
  });

  it("never replaces what is at the target", async () => {
    bench.write("a.txt", "one\n");
    bench.write("b.txt", "two\n");
    mkdirSync(join(bench.root, "folder"));
    for (const to of ["b.txt", "folder", "a.txt", "./a.txt"]) {
      expect((await bench.call(moveFile, { path: "a.txt", to })).ok).toBe(false);
      expect(bench.told).toEqual([]);
    }
    bench.onBegin = () => bench.write("late.txt", "late\n");
    expect(await bench.call(moveFile, { path: "a.txt", to: "late.txt" })).toMatchObject({ code: "conflict" });
    expect(["a.txt", "b.txt", "late.txt"].map((path) => bench.bytes(path).toString())).toEqual([
      "one\n",
      "two\n",
      "late\n",
    ]);
  });
});

describe("a name that many disks take for another", () => {
  it("is named when it is what a missing file may be", async () => {
    bench.write("src/R\u00e9sum\u00e9.ts", "x");
    expect(await read({ path: "src/r\u00e9sum\u00e9.ts" })).toMatch(
      /there is no such file; src\/R\u00e9sum\u00e9\.ts differs only in case/,
    );
    expect(await read({ path: "src/Re\u0301sume\u0301.ts" })).toMatch(
      /looks the same and is stored with other Unicode/,
    );
    expect(await read({ path: "src/other.ts" })).toBe("src/other.ts: there is no such file");
    expect(await read({ path: "nowhere/other.ts" })).toBe("nowhere/other.ts: there is no such file");
  });

  it("is not made beside the one that looks the same, and told beside one in other case", async () => {
    bench.write("\u00e9.txt", "x");
    const twin = await bench.call(writeFile, { path: "e\u0301.txt", content: "y" });
    expect(twin).toMatchObject({ ok: false, code: "conflict" });
    const other = await bench.call(writeFile, { path: "\u00c9.txt", content: "y" });
    expect(textOf(other)).toMatch(/^Created .*Many disks hold only one of the two: \u00e9\.txt differs only in case/);
    expect(bench.bytes("\u00e9.txt").toString()).toBe("x");
  });

  it("is not named when it is hidden", async () => {
    bench.write("Secret.txt", "x");
    bench.hidden = ["Secret.txt"];
    expect(await read({ path: "secret.txt" })).toBe("secret.txt: there is no such file");
  });
});
