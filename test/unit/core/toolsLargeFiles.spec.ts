import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editFile } from "../../../extension/core/tools/editFile";
import { createLineScan, type TextView } from "../../../extension/core/tools/lineScan";
import { readFile } from "../../../extension/core/tools/readFile";
import { openText } from "../../../extension/core/tools/textFile";
import { seededRandom } from "../../support/seededRandom";
import { textOf, ToolBench } from "../../support/toolBench";

let bench: ToolBench;
beforeEach(() => {
  bench = new ToolBench();
});
afterEach(() => bench.dispose());

describe("a file of 200 MB", { timeout: 60_000 }, () => {
  const size = 200_000_000;
  const lineLength = 100;

  function writeLarge(): void {
    const file = openSync(join(bench.root, "large.log"), "w");
    const lines = 10_000;
    for (let from = 1; from * lineLength <= size; from += lines) {
      const text = Array.from({ length: lines }, (_, index) => `${from + index} `.padEnd(lineLength - 1, ".") + "\n");
      writeSync(file, text.join(""));
    }
    closeSync(file);
  }

  it("is read by range, never whole in memory, and known by its content", async () => {
    writeLarge();
    const before = process.memoryUsage();
    const result = await bench.call(readFile, { path: "large.log", offset: 1_999_999, limit: 1 });
    const after = process.memoryUsage();
    expect(textOf(result)).toMatch(/^large\.log, lines 1999999 to 1999999 of 2000000; read on .*\n1999999 \.+\n$/);
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(size / 4);
    expect(bench.seen.get("large.log")).toBe(bench.digest("large.log"));
    expect(textOf(await bench.call(readFile, { path: "large.log" }))).toMatch(/^large\.log, lines 1 to \d+ of 2000000/);
  });

  it("is not edited, and the refusal says what to do", async () => {
    writeLarge();
    const result = await bench.call(editFile, { path: "large.log", old: "1999999 ", new: "x" });
    expect(result).toMatchObject({ ok: false, code: "refused" });
    expect(textOf(result)).toMatch(/^large\.log has more than 20000000 bytes.*command/);
  });

  it("that is one line shows its start", async () => {
    const file = openSync(join(bench.root, "one.txt"), "w");
    for (let part = 0; part < 30; part += 1) writeSync(file, "é".repeat(500_000));
    closeSync(file);
    const text = textOf(await bench.call(readFile, { path: "one.txt" }));
    expect(text).toMatch(/^one\.txt, lines 1 to 1 of 1; line 1 has more than \d+ characters, the first \d+ are shown/);
    expect(text).toMatch(/\né+$/);
    expect(text.length).toBeLessThanOrEqual(16_000);
  });

  it("that is binary is refused, and a stop ends the reading", async () => {
    const file = openSync(join(bench.root, "disk.img"), "w");
    ftruncateSync(file, size);
    closeSync(file);
    expect(textOf(await bench.call(readFile, { path: "disk.img" }))).toBe(
      `disk.img (${size} bytes): it is a binary file`,
    );
    bench.stop.abort();
    expect(await bench.call(readFile, { path: "disk.img" })).toMatchObject({ ok: false, code: "cancelled" });
  });
});

describe("reading piece by piece", () => {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

  function scanned(bytes: Uint8Array, pieceLength: number, first = 1, limit = 1_000): TextView {
    const scan = createLineScan(first, limit, 10_000);
    for (let at = 0; at < bytes.length; at += pieceLength) scan.take(bytes.subarray(at, at + pieceLength));
    const found = scan.end();
    if (!found.ok) throw new Error(found.reason);
    return found.view;
  }

  it("finds what reading the whole finds, wherever the pieces are cut", () => {
    const random = seededRandom(11);
    const parts = ["a", "é", "設定", "👍", "\n", "\r\n", "\r", "", "\uFEFF"];
    for (let round = 0; round < 500; round += 1) {
      const text = Array.from({ length: random.below(12) }, () => random.pick(parts)).join("");
      const bytes = random.below(5) === 0 ? Uint8Array.of(...encode(text), 0x99, 0x41) : encode(text);
      const opened = openText(bytes);
      if (!opened.ok) throw new Error(opened.reason);
      const { file } = opened;
      const { lines, ended, ...view } = scanned(bytes, 1 + random.below(4));
      expect(view).toMatchObject({ encoding: file.encoding, bom: file.bom, lineEnds: file.lineEnds });
      expect(lines.join("\n") + (ended ? "\n" : "")).toBe(file.text);
    }
  });

  it("keeps only the lines that are wanted, and never half a character", () => {
    const bytes = encode("one\ntwo\nthree\nfour");
    expect(scanned(bytes, 2, 2, 2)).toMatchObject({ lines: ["two", "three"], total: 4, ended: false });
    expect(scanned(bytes, 5, 9, 1)).toMatchObject({ lines: [], total: 4 });
    const scan = createLineScan(1, 1, 5);
    scan.take(encode("éééé\n"));
    expect(scan.end()).toMatchObject({ ok: true, view: { lines: ["éé"], isCut: true, total: 1 } });
  });
});
