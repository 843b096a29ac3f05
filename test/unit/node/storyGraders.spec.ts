import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..");
const rightRows = "1,2,3,6\nfoo,3,4,foo34\n2.5,4,1,7.5\n12,bar,7,12bar7\n10,20,30,60\n-4,1.5,2.5,0\n8,1,baz,81baz\n";

const stories = [
  {
    name: "JavaScript",
    folder: join(root, "media", "demo"),
    grader: [process.execPath, "../grader/grade.js"],
    script: "addColumn.js",
    print: (text: string) => `require("node:fs").writeFileSync("out.csv", ${JSON.stringify(text)});\n`,
    nothing: "",
    crash: "process.exit(3);\n",
  },
  {
    name: "Python",
    folder: join(root, "test", "fixtures", "story"),
    grader: ["python3", "../grader/check.py"],
    script: "add_column.py",
    print: (text: string) => `open("out.csv", "w").write(${JSON.stringify(text)})\n`,
    nothing: "pass\n",
    crash: "raise SystemExit(3)\n",
  },
];

const places: string[] = [];
afterEach(() => places.splice(0).forEach((place) => rmSync(place, { recursive: true, force: true })));

describe.each(stories)("the $name grader", ({ folder, grader, script, print, nothing, crash }) => {
  function grade(source: string | null, out?: string): { code: number | null; text: string } {
    const place = mkdtempSync(join(tmpdir(), "donegate-grader-"));
    places.push(place);
    cpSync(folder, place, { recursive: true });
    const workspace = join(place, "workspace");
    if (source !== null) writeFileSync(join(workspace, script), source);
    if (out !== undefined) writeFileSync(join(workspace, "out.csv"), out);
    const [program = "", ...words] = grader;
    const { status, stdout } = spawnSync(program, words, { cwd: workspace, encoding: "utf8" });
    return { code: status, text: stdout };
  }

  it("accepts the right rows, however their numbers are written", () => {
    expect(grade(print(`A,B,C,D\n${rightRows}`))).toMatchObject({ code: 0 });
    expect(grade(print(`A,B,C,D\r\n${rightRows.replace("3,6", "3,6.0")}`))).toMatchObject({ code: 0 });
  });

  it("rejects floats that were joined as text and names the rows", () => {
    const { code, text } = grade(print(`A,B,C,D\n${rightRows.replace("foo34", "foo3.04.0").replace("60", "61")}`));
    expect(code).toBe(1);
    expect(text).toBe("row 2: got foo3.04.0, want foo34\nrow 5: got 61, want 60\n");
  });

  it.each([
    ["a missing row", `A,B,C,D\n${rightRows.replace("8,1,baz,81baz\n", "")}`, "row 7: missing"],
    ["a row too many", `A,B,C,D\n${rightRows}1,1,1,3\n`, "row 8: got 1,1,1,3, want no such row"],
    ["a changed cell of the table", `A,B,C,D\n${rightRows.replace("10,20", "11,20")}`, "row 5: got 11,20,30,60"],
    ["a missing column", "A,B,C\n1,2,3\n", "row 0: got A,B,C, want A,B,C,D"],
    ["an empty file", "", "row 0:"],
  ])("rejects %s", (_, out, words) => {
    const { code, text } = grade(print(out));
    expect(code).toBe(1);
    expect(text).toContain(words);
  });

  it("rejects an out.csv that the script did not write in this run", () => {
    expect(grade(nothing, `A,B,C,D\n${rightRows}`)).toMatchObject({ code: 1, text: `${script} wrote no out.csv\n` });
  });

  it("rejects a script that is missing or fails", () => {
    expect(grade(null)).toMatchObject({ code: 1, text: `${script} does not exist\n` });
    const failed = grade(crash);
    expect(failed.code).toBe(1);
    expect(failed.text).toContain("exit code 3");
  });
});
