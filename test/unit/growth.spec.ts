import { describe, expect, it } from "vitest";
import { growthOf, linear } from "../support/growth";

const numbers = (size: number) => Array.from({ length: size }, (_, index) => index);

describe("growthOf", () => {
  it("tells quadratic time from linear time", () => {
    expect(growthOf(numbers, (all) => all.reduce((sum, each) => sum + Math.sqrt(each), 0), 50_000)).toBeLessThan(
      linear,
    );
    const quadratic = (all: number[]) => all.filter((each) => !all.includes(-each - 1)).length;
    expect(growthOf(numbers, quadratic, 2_000)).toBeGreaterThan(linear);
  });
});
