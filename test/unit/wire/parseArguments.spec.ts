import { describe, expect, it } from "vitest";
import { parseArguments } from "../../../extension/core/loop/parseArguments";

describe("parseArguments", () => {
  it.each(["", "  \n", "null"])("reads %j as no arguments", (text) => {
    expect(parseArguments(text)).toEqual({ args: { ok: true, value: {} }, text: "{}", note: null });
  });

  it("leaves good JSON as it is, spaces included", () => {
    const text = '{ "a" : "x\\ny", "b": [1] }';

    expect(parseArguments(text)).toEqual({ args: { ok: true, value: { a: "x\ny", b: [1] } }, text, note: null });
  });

  it("escapes raw control characters inside strings only", () => {
    const { args, text } = parseArguments('{\n\t"a": "one\ntwo\tthree\r\u0001 \\"q\\"\n"\n}');

    expect(args).toEqual({ ok: true, value: { a: 'one\ntwo\tthree\r\u0001 "q"\n' } });
    expect(JSON.parse(text)).toEqual({ a: 'one\ntwo\tthree\r\u0001 "q"\n' });
  });

  it("refuses a raw newline after a backslash, which has no single reading", () => {
    expect(parseArguments('{"a":"x\\\ny"}').args.ok).toBe(false);
  });

  it("unwraps an object that was encoded twice", () => {
    const inner = '{"path":"a"}';

    expect(parseArguments(JSON.stringify(inner))).toMatchObject({
      args: { ok: true, value: { path: "a" } },
      text: inner,
    });
  });

  it.each([
    ['{"path":"a"', "ends before it is complete"],
    ['{"path":"a', "ends before it is complete"],
    ['{"path":"a"}}', "extra data after the first JSON object: }"],
    ['{"path":"a"}\n{"path":"b\n"}', 'extra data after the first JSON object: {"path":"b'],
    ['{"path":"{"} tail', "extra data after the first JSON object: tail"],
    ["[1]", "a list"],
    ["7", "a number"],
    ['"text"', "a string"],
    ["{'path':'a'}", "not valid JSON"],
    ['{"path":"a",}', "not valid JSON"],
    ["path=a", "not valid JSON"],
  ])("refuses %j and says why", (given, reason) => {
    const { args, text } = parseArguments(given);

    expect(args).toEqual({ ok: false, message: expect.stringContaining(reason) as string });
    expect(args).toEqual({ ok: false, message: expect.stringContaining("nothing was run") as string });
    expect(text).toBe("{}");
  });
});
