// Files as they are, through a whole run: real folder, real adapters, a model over HTTP.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Event } from "../../../extension/core";
import type { ScriptedCall } from "../../support/modelScript";
import { answersInTurn, call, say, WorkspaceBench } from "../../support/workspaceBench";

const fixtures = join(import.meta.dirname, "../../fixtures/files");

class FilesRun {
  readonly bench = new WorkspaceBench();

  put(path: string, content: string | Uint8Array): string {
    const file = join(this.bench.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  bytes(path: string): Buffer {
    return readFileSync(join(this.bench.root, path));
  }

  /** One call a turn, then the end. Answers what the model was told about each call. */
  async edit(...calls: readonly ScriptedCall[]): Promise<string[]> {
    this.put("donegate.yaml", "verify: off\n");
    const started = await this.bench.start([...calls.map((one) => call(one)), say("Done.")]);
    await started.end();
    return told(started.events);
  }
}

function told(events: readonly Event[]): string[] {
  return events.flatMap((event) => (event.type === "tool_end" ? [event.result] : []));
}

const edit = (path: string, old: string, replacement: string): ScriptedCall => ({
  name: "edit_file",
  args: { path, old, new: replacement },
});
const write = (path: string, content: string): ScriptedCall => ({ name: "write_file", args: { path, content } });
const read = (path: string): ScriptedCall => ({ name: "read_file", args: { path } });

describe("an edit in a run", () => {
  it("keeps line ends, encoding and byte order mark of files as they lie about", async () => {
    const run = new FilesRun();
    for (const name of ["17-crlf.ts", "18-sjis.ini", "19-bom.ps1"]) run.put(name, readFileSync(join(fixtures, name)));
    const results = await run.edit(
      edit("17-crlf.ts", "  const h = 2;\n  return", "  const h = 3;\n  return"),
      edit("18-sjis.ini", "mode=1", "mode=2"),
      edit("18-sjis.ini", "mode=2", "mode=2\nmemo=設定"),
      edit("19-bom.ps1", "Write-Output", "Write-Host"),
    );
    const changed = (name: string, old: string, replacement: string): Buffer =>
      Buffer.from(
        readFileSync(join(fixtures, name), "latin1").replace(old, () => replacement),
        "latin1",
      );
    expect(run.bytes("17-crlf.ts")).toEqual(changed("17-crlf.ts", "h = 2", "h = 3"));
    expect(run.bytes("18-sjis.ini")).toEqual(changed("18-sjis.ini", "mode=1", "mode=2"));
    expect(run.bytes("19-bom.ps1")).toEqual(changed("19-bom.ps1", "Write-Output", "Write-Host"));
    expect(results[2]).toMatch(/18-sjis\.ini is not UTF-8 and its encoding is not known/);
  });

  it("takes every name that a disk takes", async () => {
    const names = [
      ..."c#/100% é.ts|-rf|--help.txt|trailing |quo\"te's.txt|$(touch owned).txt|a&b;c|d.txt".split("|"),
      ...["e\u0301.txt", "\u00e9.txt", "設定/ファイル.md", "*.txt", "?[a].txt", "back\\slash.txt", "n".repeat(250)],
    ];
    const run = new FilesRun();
    for (const name of names) run.put(name, `before ${name}`);
    const results = await run.edit(...names.map((name) => edit(name, "before", "after")));
    expect(results.filter((result) => !result.startsWith("Edited "))).toEqual([]);
    for (const name of names) expect(run.bytes(name).toString()).toBe(`after ${name}`);
    expect(readdirSync(run.bench.root)).not.toContain("owned");
  });

  it("is denied a name that would not be shown as it is", async () => {
    const run = new FilesRun();
    run.put("new\nline.txt", "before");
    run.put("donegate.yaml", "verify: off\n");
    const started = await run.bench.start([call(edit("new\nline.txt", "before", "after")), say("Done.")]);
    const state = await started.end();
    expect(state.denials).toMatchObject([{ reason: "the path holds the invisible or control character U+000A" }]);
    expect(run.bytes("new\nline.txt").toString()).toBe("before");
  });

  it("keeps mode, and writes new bytes exactly as they are given", async () => {
    const run = new FilesRun();
    chmodSync(run.put("run.sh", "echo one\n"), 0o755);
    const content = 'echo "$& $1 $$ $` \\1" \u2019quoted\u2019 👍\r\nlast without newline';
    await run.edit(edit("run.sh", "echo one", content), write("new/deep/file.txt", content));
    expect(run.bytes("run.sh").toString()).toBe(`${content.replaceAll("\r\n", "\n")}\n`);
    expect(statSync(join(run.bench.root, "run.sh")).mode & 0o777).toBe(0o755);
    expect(run.bytes("new/deep/file.txt").toString()).toBe(content);
  });

  it("changes no byte outside of it, whatever the other bytes are", async () => {
    const run = new FilesRun();
    const others = Buffer.from([...Array.from({ length: 255 }, (_, index) => index + 1), 0x0a]);
    const stored = Buffer.concat([Buffer.from("first = 1\r\nsecond\n"), others, others]);
    run.put("mixed.dat.txt", stored);
    await run.edit(edit("mixed.dat.txt", "first = 1", "first = 2"), edit("mixed.dat.txt", "second", "2nd"));
    const expected = stored.toString("latin1").replace("first = 1", "first = 2").replace("second", "2nd");
    expect(run.bytes("mixed.dat.txt").toString("latin1")).toBe(expected);
  });

  it("is refused, with the file as it was, where it is not clear or nothing is known to be kept", async () => {
    const run = new FilesRun();
    const files: Record<string, Buffer> = {
      "twice.ts": Buffer.from("a();\nb();\na();\n"),
      "image.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
      "wide.txt": Buffer.from("\uFEFFwide\r\n", "utf16le"),
      "wide-be.txt": Buffer.from("\uFEFFwide\r\n", "utf16le").swap16(),
      "sjis.txt": Buffer.from([0x83, 0x5c, 0x0a]),
    };
    for (const [name, content] of Object.entries(files)) run.put(name, content);
    const results = await run.edit(
      edit("twice.ts", "a();", "c();"),
      edit("twice.ts", "", "x"),
      edit("image.png", "PNG", "GIF"),
      edit("wide.txt", "wide", "narrow"),
      edit("wide-be.txt", "wide", "narrow"),
      edit("sjis.txt", "\\", "/"),
    );
    const reasons = [/lines 1, 3/, /old/, /binary file/, /UTF-16/, /UTF-16/, /half of a character/];
    reasons.forEach((reason, at) => expect(results[at]).toMatch(reason));
    for (const [name, content] of Object.entries(files)) expect(run.bytes(name)).toEqual(content);
  });

  it("knows a change by content: a new time is none, the old time hides none", async () => {
    const run = new FilesRun();
    const touched = run.put("touched.txt", "one");
    const hidden = run.put("hidden.txt", "one");
    const before = statSync(hidden);
    const started = await run.bench.start(
      (_request, index) => {
        if (index === 2) {
          utimesSync(touched, 1, 1);
          writeFileSync(hidden, "two");
          utimesSync(hidden, before.atime, before.mtime);
        }
        const calls = [
          read("touched.txt"),
          read("hidden.txt"),
          edit("touched.txt", "one", "1"),
          write("hidden.txt", "3"),
        ];
        const next = calls[index];
        return next === undefined ? say("Done.") : call(next);
      },
      { maxAttempts: 1 },
    );
    await started.end();
    const results = told(started.events);
    expect(results[2]).toMatch(/^Edited touched\.txt/);
    expect(results[3]).toMatch(/hidden\.txt: the file changed since it was read/);
    expect(readFileSync(hidden, "utf8")).toBe("two");
  });
});

describe("a path that leads elsewhere", () => {
  it("by a link is asked about by its real place, and not written when it is denied", async () => {
    const run = new FilesRun();
    run.put("donegate.yaml", "verify: off\n");
    const outside = join(run.bench.base, "other");
    mkdirSync(outside);
    symlinkSync("../other", join(run.bench.root, "out"));
    const person = answersInTurn({ deny: "not there" });
    const started = await run.bench.start([call(write("out/x.txt", "x")), say("Done.")], {}, person);
    await started.end();
    expect(person.asked).toMatchObject([{ tool: "write_file", level: "guarded" }]);
    expect(person.asked[0]?.reason).toContain(outside);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("into a second root of the same shape is never taken for the run's own", async () => {
    const run = new FilesRun();
    run.put("donegate.yaml", "verify: off\n");
    run.put("src/index.ts", "here\n");
    const other = join(run.bench.base, "second", "src", "index.ts");
    mkdirSync(dirname(other), { recursive: true });
    writeFileSync(other, "there\n");
    const person = answersInTurn({ deny: "another root" }, { deny: "another root" });
    const calls = [
      edit("src/index.ts", "here", "HERE"),
      edit(other, "there", "THERE"),
      edit("../second/src/index.ts", "there", "THERE"),
    ];
    const started = await run.bench.start([...calls.map((one) => call(one)), say("Done.")], {}, person);
    await started.end();
    expect(person.asked.map(({ level }) => level)).toEqual(["guarded", "guarded"]);
    expect(run.bytes("src/index.ts").toString()).toBe("HERE\n");
    expect(readFileSync(other, "utf8")).toBe("there\n");
  });
});
