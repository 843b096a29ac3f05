import { describe, expect, it } from "vitest";
import { hasFlag, parseArguments, valueOf, valuesOf, type OptionTable } from "../../../extension/cli/parseArguments";
import { readAnswers } from "../../../extension/cli/resumeAnswers";

const table: OptionTable = { json: "flag", model: "value", path: "list", answer: "pair" };

function parse(...words: string[]) {
  const parsed = parseArguments(words, table);
  if (!parsed.ok) throw new Error(parsed.message);
  return parsed;
}

function problem(...words: string[]): string {
  const parsed = parseArguments(words, table);
  return parsed.ok ? "" : parsed.message;
}

describe("parseArguments", () => {
  it("takes options before, between and after operands", () => {
    const parsed = parse("--json", "one", "--model", "m", "two", "--path=a", "--path", "b");
    expect(parsed.operands).toEqual(["one", "two"]);
    expect([hasFlag(parsed, "json"), valueOf(parsed, "model"), valuesOf(parsed, "path")]).toEqual([
      true,
      "m",
      ["a", "b"],
    ]);
  });

  it("takes words after -- as operands, and a lone dash as one", () => {
    expect(parse("-", "--", "--json").operands).toEqual(["-", "--json"]);
  });

  it("takes a value that begins with dashes after an equals sign only", () => {
    expect(valueOf(parse("--model=--odd"), "model")).toBe("--odd");
    expect(problem("--model", "--json")).toBe("--model needs a value");
  });

  it("takes two values for a pair", () => {
    expect(parse("--answer", "A1", "yes, do").options).toEqual([{ name: "answer", values: ["A1", "yes, do"] }]);
    expect(problem("--answer", "A1")).toBe("--answer needs two values");
  });

  it.each([
    [["--modle", "x"], "unknown option --modle"],
    [["--modle=x"], "unknown option --modle"],
    [["-j"], "unknown option -j"],
    [["--constructor"], "unknown option --constructor"],
    [["--model"], "--model needs a value"],
    [["--model="], "--model has an empty value"],
    [["--json=yes"], "--json takes no value"],
    [["--json", "--json"], "--json is given twice"],
    [["--model", "a", "--model", "b"], "--model is given twice"],
  ])("refuses %j", (words, message) => {
    expect(problem(...words)).toBe(message);
  });
});

describe("readAnswers", () => {
  const answersTable: OptionTable = { approve: "list", deny: "list", reason: "list", answer: "pair" };
  const read = (...words: string[]) => {
    const parsed = parseArguments(words, answersTable);
    if (!parsed.ok) throw new Error(parsed.message);
    return readAnswers(parsed, "somebody");
  };

  it("reads any number of answers in their order", () => {
    const words = ["--approve", "A1", "--deny", "A2", "--reason", "no", "--answer", "A3", "blue", "--approve", "A4"];
    const read4 = read(...words);
    expect(read4).toEqual({
      ok: true,
      answers: [
        { type: "approve", id: "A1", by: "somebody" },
        { type: "deny", id: "A2", by: "somebody", reason: "no" },
        { type: "answer", id: "A3", by: "somebody", text: "blue" },
        { type: "approve", id: "A4", by: "somebody" },
      ],
    });
  });

  it.each([
    [["--deny", "A1"], "--deny A1 needs its reason right after it"],
    [["--deny", "A1", "--approve", "A2", "--reason", "x"], "--deny A1 needs its reason right after it"],
    [["--reason", "x"], "--reason belongs right after --deny ID"],
    [["--approve", "A1", "--approve", "A1"], "A1 is answered twice"],
    [["--approve", "A1", "--deny", "A1", "--reason", "x"], "A1 is answered twice"],
  ])("refuses %j", (words, message) => {
    const answered = read(...words);
    expect(answered).toMatchObject({ ok: false, exitCode: 64 });
    expect(answered.ok ? "" : answered.message).toContain(message);
  });
});
