import { describe, expect, it } from "vitest";
import { smallestChange } from "../../../extension/host/editors/smallestChange";
import { seededRandom } from "../../support/seededRandom";

describe("the smallest change between two texts", () => {
  it.each([
    ["one two three", "one 2 three", { from: 4, to: 7, text: "2" }],
    ["same", "same", { from: 4, to: 4, text: "" }],
    ["", "new", { from: 0, to: 0, text: "new" }],
    ["aaa", "aa", { from: 2, to: 3, text: "" }],
    ["a\r\nb", "a\nb", { from: 1, to: 3, text: "\n" }],
    ["👍", "👎", { from: 0, to: 2, text: "👎" }],
  ])("of %j and %j keeps what they share", (before, after, change) => {
    expect(smallestChange(before, after)).toEqual(change);
  });

  it("turns one into the other, whatever they are", () => {
    const random = seededRandom(7);
    const letters = ["a", "b", "\r\n", "\n", "\r", "👍", "é"];
    const text = (): string => Array.from({ length: random.below(8) }, () => random.pick(letters)).join("");
    for (let round = 0; round < 2_000; round += 1) {
      const [before, after] = [text(), text()];
      const { from, to, text: inserted } = smallestChange(before, after);
      expect(before.slice(0, from) + inserted + before.slice(to)).toBe(after);
    }
  });
});
