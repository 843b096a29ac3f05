import { describe, expect, it } from "vitest";
import { createOutputFold, foldOutput } from "../../../extension/core/tools/foldOutput";

const small = { headChars: 40, tailChars: 40, fullChars: 400 };

/** Folds the text one character at a time: every sequence is cut at every place. */
function foldInPieces(text: string): string {
  const fold = createOutputFold();
  for (const character of text) fold.push(character);
  return fold.end().output;
}

describe("foldOutput", () => {
  it.each([
    ["plain text and tabs", "a\tb\nc", "a\tb\nc"],
    ["a carriage return before the line end", "a\r\nb\r\r\n", "a\nb\n"],
    ["frames drawn over each other", "10%\r50%\r100%\ndone\n", "100%\ndone\n"],
    ["a last frame that ends in a carriage return", "10%\r100%\r", "100%"],
    ["a shorter frame over a longer one", "working...\rok\n", "ok\n"],
    ["colours and styles", "\u001b[1;31mred\u001b[0m \u001b[38;5;4mblue\u001b[m", "red blue"],
    ["erasing the line", "\u001b[2K\u001b[1Gone\u001b[2K\u001b[1Gtwo\n", "two\n"],
    ["a bar that clears itself", "bar 10%\r\u001b[K\nrest", "\nrest"],
    ["a title and a link", "\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\b\u001b]8;;\u001b\\c", "abc"],
    ["a string that never ends", "\u001b]0;title\nnext line\n", "0;title\nnext line\n"],
    ["backspace spinners", "|\b/\b-\bdone\n", "done\n"],
    ["bells, zero bytes and eight-bit sequences", "a\u0007b\u0000c\u009b31md", "abcd"],
    ["a lone escape at the end", "a\u001b", "a"],
    ["an escape before a line end", "a\u001b\nb", "a\nb"],
    ["astral characters", "🙂\r🙃\n", "🙃\n"],
  ])("folds %s, however it is cut", (_, text, expected) => {
    expect(foldOutput(text).output).toBe(expected);
    expect(foldInPieces(text)).toBe(expected);
  });

  it("keeps one frame of five thousand", () => {
    const frames = Array.from({ length: 5_000 }, (_, index) => `\r\u001b[2K\u001b[32m⠋\u001b[39m step ${index}`).join(
      "",
    );
    expect(foldOutput(`start\n${frames}\nend\n`)).toEqual({ output: "start\n⠋ step 4999\nend\n", fullOutput: null });
  });

  it("hands out what is final and keeps the line that is still drawn", () => {
    const fold = createOutputFold();
    expect(fold.push("one\ntw")).toBe("one\n");
    expect(fold.push("o\r")).toBe("");
    expect(fold.push("\nthree")).toBe("two\n");
    expect(fold.end().output).toBe("one\ntwo\nthree");
  });

  it("leaves a text alone that just fits", () => {
    const text = "x".repeat(80);
    expect(foldOutput(text, small)).toEqual({ output: text, fullOutput: null });
  });

  it("keeps whole lines of head and tail, counts the rest and keeps all of it aside", () => {
    const text = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join("");
    const { output, fullOutput } = foldOutput(text, { ...small, fullChars: 4_000 });
    expect(fullOutput).toBe(text);
    const [, head = "", characters, lines, tail = ""] =
      /^([^[]*)\[\.\.\. (\d+) characters \((\d+) lines\) left out \.\.\.\]\n([^]*)$/.exec(output) ?? [];
    expect(head).toBe("line 0\nline 1\nline 2\nline 3\nline 4\n");
    expect(tail).toBe("line 46\nline 47\nline 48\nline 49\n");
    expect(Number(characters)).toBe(text.length - head.length - tail.length);
    expect(Number(lines)).toBe(50 - 5 - 4);
  });

  it("cuts a single long line without cutting a character in half", () => {
    const { output } = foldOutput("🙂".repeat(100), { headChars: 41, tailChars: 41, fullChars: 100 });
    expect(output).toBe(`${"🙂".repeat(20)}\n[... 120 characters (0 lines) left out ...]\n${"🙂".repeat(20)}`);
  });

  it("keeps memory and the full text within the cap and says what is lost", () => {
    const { output, fullOutput } = foldOutput("0123456789\n".repeat(1_000), small);
    expect(fullOutput?.length).toBeLessThan(500);
    expect(fullOutput).toMatch(
      /^0123456789\n[^]*\n\[\.\.\. \d+ characters \(\d+ lines\) left out \.\.\.\]\n[^]*0123456789\n$/,
    );
    expect(output.length).toBeLessThan(200);
  });

  it("takes a line without end in bounded steps", () => {
    const fold = createOutputFold();
    let handedOut = 0;
    for (let round = 0; round < 100; round += 1) handedOut += fold.push("x".repeat(10_000)).length;
    expect(handedOut).toBeGreaterThan(900_000);
    expect(fold.end().fullOutput?.length).toBe(1_000_000);
  });
});
