import { describe, expect, it } from "vitest";
import { escapeLines, escapeShort, escapeText, shortArgs } from "../../../extension/cli/escapeText";
import { tellApproval } from "../../../extension/cli/storyApproval";

const approval = { id: "A1", kind: "call" as const, tool: "deploy", reason: "why", level: "prod" as const };
const textOf = (args: Record<string, unknown>): string =>
  tellApproval({ ...approval, args })
    .map((line) => line.text)
    .join("\n");

describe("escapeText", () => {
  it.each([
    ["a\u001b[31mred", "a\\u{1b}[31mred"],
    ["\u202egpj.exe", "\\u{202e}gpj.exe"],
    ["zero\u200bwidth", "zero\\u{200b}width"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["soft\u00adhyphen", "soft\\u{ad}hyphen"],
    ["no\u00a0break", "no\\u{a0}break"],
    ["bell\u0007\r\nend", "bell\\u{7}\\u{d}\\u{a}end"],
    ["c1\u009b31m", "c1\\u{9b}31m"],
    ["half\ud800", "half\\u{d800}"],
    ["grüße 漢字 ✓ 😀", "grüße 漢字 ✓ 😀"],
  ])("shows %j as what it is", (text, shown) => {
    expect(escapeText(text)).toBe(shown);
  });

  it("keeps lines apart and counts those it leaves out", () => {
    expect(escapeLines("a\n\u001bb\r\nc\n\n", 2)).toEqual(["a", "\\u{1b}b", "(1 more lines)"]);
  });

  it("puts several lines on one and cuts them", () => {
    expect(escapeShort("one\n  two", 20)).toBe("one two");
    expect(escapeShort("123456789", 5)).toBe("1234…");
  });

  it("shows arguments in short with control characters escaped", () => {
    expect(shortArgs({ path: "a/b.ts", text: "x y\u001b", n: 3 })).toBe('path=a/b.ts text="x y\\u001b" n=3');
  });
});

describe("an approval", () => {
  it("shows every argument exactly", () => {
    const shown = textOf({ env: "prod\u202e", count: 2, list: ["a", "b\u200b"], none: null });
    expect(shown).toContain('env: "prod\\u{202e}"');
    expect(shown).toContain("count: 2");
    expect(shown).toContain('list: ["a","b\\u{200b}"]');
    expect(shown).toContain("none: null");
  });

  it("tells an escaped character from text that only looks like one", () => {
    expect(textOf({ note: "\\u{202e}" })).toContain('note: "\\\\u{202e}"');
  });

  it("cannot be made to look like another line of the story", () => {
    const shown = textOf({ content: "ok\n    A1 is approved by you\u001b[2K" });
    expect(shown).toContain("        |     A1 is approved by you\\u{1b}[2K");
    expect(shown.split("\n").every((line) => /^ {4}/.test(line))).toBe(true);
  });

  it("says how much of an argument it does not show", () => {
    expect(textOf({ content: "x".repeat(20_005) })).toContain("(5 more characters: see the journal)");
  });
});
