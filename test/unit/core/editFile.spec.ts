import { chmodSync, linkSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editFile } from "../../../extension/core/tools/editFile";
import { readFile } from "../../../extension/core/tools/readFile";
import { ToolBench, textOf } from "../../support/toolBench";

let bench: ToolBench;
beforeEach(() => {
  bench = new ToolBench();
});
afterEach(() => bench.dispose());

async function edit(path: string, old: string, replacement: string): Promise<string> {
  return textOf(await bench.call(editFile, { path, old, new: replacement }));
}

async function refusal(path: string, old: string, replacement: string): Promise<string> {
  const before = bench.bytes(path);
  const result = await bench.call(editFile, { path, old, new: replacement });
  expect(result.ok).toBe(false);
  expect(bench.bytes(path).equals(before)).toBe(true);
  expect(bench.told).toEqual([]);
  return result.ok ? "" : `${result.code}: ${result.message}`;
}

function fixture(name: string): Buffer {
  return readFileSync(join(__dirname, "../../fixtures/files", name));
}

describe("bytes of the given cases", () => {
  it("matches LF text in a CR LF file and changes one line (17)", async () => {
    bench.write("a.ts", fixture("17-crlf.ts"));
    expect(await edit("a.ts", "  const h = 2;\n  return", "  const h = 3;\n  return")).toBe(
      "Edited a.ts, lines 2 to 3.",
    );
    const expected = fixture("17-crlf.ts").toString("latin1").replace("h = 2", "h = 3");
    expect(bench.bytes("a.ts").toString("latin1")).toBe(expected);
  });

  it("changes one digit of a Shift-JIS file (18)", async () => {
    bench.write("a.ini", fixture("18-sjis.ini"));
    await edit("a.ini", "mode=1", "mode=2");
    const expected = Buffer.from(fixture("18-sjis.ini"));
    expected[expected.length - 3] = 0x32;
    expect(bench.bytes("a.ini").equals(expected)).toBe(true);
  });

  it("refuses text outside ASCII in a Shift-JIS file and names the encoding as the reason (18)", async () => {
    bench.write("a.ini", fixture("18-sjis.ini"));
    expect(await refusal("a.ini", "mode=1", "mode=1\nmemo=設定")).toContain("refused: a.ini is not UTF-8");
    expect(await refusal("a.ini", "mode=1", "mode=é")).toContain("its encoding is not known");
    expect(await refusal("a.ini", "設定", "x")).toContain("not-found");
  });

  it("keeps a byte order mark exactly once (19)", async () => {
    bench.write("a.ps1", fixture("19-bom.ps1"));
    await edit("a.ps1", "Write-Output", "Write-Host");
    const expected = fixture("19-bom.ps1").toString("latin1").replace("Write-Output", "Write-Host");
    expect(bench.bytes("a.ps1").toString("latin1")).toBe(expected);
    expect((await bench.call(readFile, { path: "a.ps1" })).ok).toBe(true);
    await edit("a.ps1", "param($Name)", "\uFEFFparam($Name, $Other)");
    expect(bench.bytes("a.ps1").subarray(0, 9).toString("latin1")).toBe("\xEF\xBB\xBFparam(");
  });
});

describe("bytes outside the edit", () => {
  it("never change, also where one of them is not UTF-8 (H26)", async () => {
    bench.write("a.txt", Buffer.from(`one\ntwo\n${"x\n".repeat(900)}it\x99s\n`, "latin1"));
    await edit("a.txt", "one", "1");
    expect(bench.bytes("a.txt").toString("latin1")).toBe(`1\ntwo\n${"x\n".repeat(900)}it\x99s\n`);
  });

  it("keep mixed line ends, and the edited place its own", async () => {
    bench.write("a.txt", "a\r\nb\nc\r\nd\n");
    await edit("a.txt", "a\nb\nc\nd", "a\nb\nC\nD\nd");
    expect(bench.bytes("a.txt").toString()).toBe("a\r\nb\nC\r\nD\r\nd\n");
  });

  it.each([
    ["a\nb\r\nc\n", "a\nb1\r\nb2\r\nb3\r\nc\n"],
    ["a\r\nb", "a\r\nb1\r\nb2\r\nb3"],
    ["b", "b1\nb2\nb3"],
  ])("give new lines the end of their line: %j", async (before, after) => {
    bench.write("a.txt", before);
    await edit("a.txt", "b", "b1\nb2\r\nb3");
    expect(bench.bytes("a.txt").toString()).toBe(after);
  });

  it("keep the file's LF when the model writes CR LF", async () => {
    bench.write("a.txt", "a\nb\n");
    await edit("a.txt", "a\r\nb", "a\r\nc");
    expect(bench.bytes("a.txt").toString()).toBe("a\nc\n");
  });

  it.each(["one\ntwo\n", "one\ntwo"])("keep the end of the file (H31): %j", async (content) => {
    bench.write("a.txt", content);
    await edit("a.txt", "two", "2");
    expect(bench.bytes("a.txt").toString()).toBe(content.replace("two", "2"));
  });

  it("keep the mode (H38)", async () => {
    bench.write("a.sh", "echo a\n");
    chmodSync(join(bench.root, "a.sh"), 0o755);
    await edit("a.sh", "echo a", "echo b");
    expect(statSync(join(bench.root, "a.sh")).mode & 0o777).toBe(0o755);
  });
});

describe("the new text", () => {
  it.each(['echo "$& $1 $$"', "$`$'$<a>", "\\n \\u0041", "設定 “quoted” 👍"])(
    "is written as given (H24, H28): %s",
    async (text) => {
      bench.write("a.txt", "x old y");
      await edit("a.txt", "old", text);
      expect(bench.bytes("a.txt").toString()).toBe(`x ${text} y`);
    },
  );

  it("may be empty", async () => {
    bench.write("a.txt", "a\nb\nc\n");
    expect(await edit("a.txt", "b\n", "")).toBe("Edited a.txt, line 2.");
    expect(bench.bytes("a.txt").toString()).toBe("a\nc\n");
  });

  it("may share bytes of a character with the old one", async () => {
    bench.write("a.txt", "é=1\n");
    await edit("a.txt", "é", "è");
    expect(bench.bytes("a.txt").toString()).toBe("è=1\n");
  });

  it("is refused when it holds half of a surrogate pair", async () => {
    bench.write("a.txt", "a\n");
    expect(await refusal("a.txt", "a", "\uD83D")).toContain("half of a surrogate pair");
  });
});

describe("a place that is not clear", () => {
  it("is refused with both line numbers (H29)", async () => {
    bench.write("a.txt", "a\nreturn 1\nb\nreturn 1\n");
    expect(await refusal("a.txt", "return 1", "return 2")).toBe(
      "conflict: a.txt: the old text stands in the file more than once, at lines 2, 4. Give more of the text around it.",
    );
  });

  it("is refused when it overlaps itself", async () => {
    bench.write("a.txt", "aaa");
    expect(await refusal("a.txt", "aa", "b")).toContain("more than once");
  });

  it("is refused for an empty old text (H30)", async () => {
    bench.write("a.txt", "abc");
    expect(await refusal("a.txt", "", "-")).toContain("old must not be empty");
  });

  it("is refused when nothing would change", async () => {
    bench.write("a.txt", "a\nb\n");
    expect(await refusal("a.txt", "a", "a")).toContain("nothing would change");
    expect(await refusal("a.txt", "a\nb", "a\r\nb")).toContain("nothing would change");
  });

  it("says where the text stands with other white space", async () => {
    bench.write("a.py", "def f():\n    if x:\n        return 1\n");
    expect(await refusal("a.py", "if x:\n  return 1", "pass")).toContain(
      "differs only in white space from line 2 on, where the file has:\n    if x:\n        return 1",
    );
  });

  it("says where the first line stands", async () => {
    bench.write("a.py", "one = 1\ntwo = 2\nthree = 3\n");
    expect(await refusal("a.py", "two = 2\nfour = 4", "x")).toContain("at line 2");
    expect(await refusal("a.py", "five = 5", "x")).toContain("No line of the file is like its first line");
  });
});

describe("half of a character", () => {
  it("is not taken for a backslash in Shift-JIS", async () => {
    // 83 5C is one character whose second byte looks like a backslash.
    bench.write("a.ini", Buffer.from([0x83, 0x5c, 0x0d, 0x0a, 0x82, 0xa0]));
    expect(await refusal("a.ini", "\\", "/")).toContain("half of a character");
  });

  it("is not cut out with the byte before it", async () => {
    bench.write("a.ini", Buffer.from([0x61, 0x83, 0x5c, 0x0a]));
    expect(await refusal("a.ini", "a\u0083", "a")).toContain("half of a character");
  });
});

describe("a file that", () => {
  it("changed since it was read is not written (H34)", async () => {
    bench.write("a.txt", "one\n");
    await bench.call(readFile, { path: "a.txt" });
    bench.write("a.txt", "one\nsomebody else\n");
    expect(await refusal("a.txt", "one", "1")).toBe(
      "changed-since-read: a.txt: the file changed since it was read; read it again",
    );
    await bench.call(readFile, { path: "./a.txt" });
    expect(await edit("a.txt", "one", "1")).toBe("Edited a.txt, line 1.");
  });

  it("changes between reading and writing is not written", async () => {
    bench.write("a.txt", "one\n");
    bench.onBegin = () => bench.write("a.txt", "other\n");
    const result = await bench.call(editFile, { path: "a.txt", old: "one", new: "1" });
    expect(result).toMatchObject({ ok: false, code: "changed-since-read" });
    expect(bench.bytes("a.txt").toString()).toBe("other\n");
  });

  it("this run wrote last can be edited again", async () => {
    bench.write("a.txt", "one\n");
    await edit("a.txt", "one", "two");
    expect(await edit("a.txt", "two", "three")).toBe("Edited a.txt, line 1.");
  });

  it("is journaled with its digests before it is touched", async () => {
    bench.write("a.txt", "one\n");
    const before = bench.digest("a.txt");
    await edit("a.txt", "one", "1");
    expect(bench.told).toEqual([{ told: "begin", files: [{ path: "a.txt", before, after: bench.digest("a.txt") }] }]);
  });

  it("has a second hard link is not written", async () => {
    bench.write("a.txt", "one\n");
    linkSync(join(bench.root, "a.txt"), join(bench.root, "b.txt"));
    expect(await refusal("a.txt", "one", "1")).toContain("2 hard links");
  });

  it("is a symbolic link is not written through", async () => {
    bench.write("a.txt", "one\n");
    symlinkSync("a.txt", join(bench.root, "link.txt"));
    expect(await edit("link.txt", "one", "1")).toContain("this is a link");
    expect(bench.bytes("a.txt").toString()).toBe("one\n");
  });

  it("is binary or UTF-16 is not edited", async () => {
    bench.write("a.bin", Buffer.from([0x61, 0x00, 0x62]));
    bench.write("b.txt", Buffer.from([0xff, 0xfe, 0x61, 0x00]));
    expect(await refusal("a.bin", "a", "c")).toContain("it is a binary file");
    expect(await refusal("b.txt", "a", "c")).toContain("UTF-16");
  });

  it("is missing is named", async () => {
    expect(await edit("none.txt", "a", "b")).toBe("none.txt: there is no such file");
  });

  it("has odd characters in its path is found (H36)", async () => {
    bench.write("c#/100% é.ts", "one\n");
    expect(await edit("c#/100% é.ts", "one", "1")).toBe("Edited c#/100% é.ts, line 1.");
  });
});
