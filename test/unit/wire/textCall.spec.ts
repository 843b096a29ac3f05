import { describe, expect, it } from "vitest";
import { findTextCall } from "../../../extension/core/loop/textCall";
import { growthOf, linear } from "../../support/growth";

const tools = ["read_file", "run_tests"];
const fence = "```";

describe("findTextCall", () => {
  it.each([
    ["function tag", "I need it.\n\n<function=read_file>\n<parameter=path>\nREADME.md\n</parameter>\n"],
    ["function tag", "<function=read_file>\n<parameter=path>\nREADME.md\n</parameter>\n</function>"],
    ["function tag", "<tool_call>\n<function=run_tests>\n</function>\n</tool_call>"],
    ["function tag", "<function=read_file>\n<parameter=path>\nREADME.md"],
    ["tool_call tag", '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>'],
    ["tool_call tag", 'Now:\n<tool_call>{"name":"read_file","arguments":{"path":"a"}}'],
    ["tool_call tag", '<tool_call>{"name":"read_file","arguments":{"path":"a'],
    ["tool_call tag", "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a</arg_value>\n</tool_call>"],
    ["invoke tag", '<invoke name="read_file">\n<parameter name="path">a</parameter>\n</invoke>'],
    ["invoke tag", '<x:function_calls>\n<x:invoke name="run_tests">\n</x:invoke>\n</x:function_calls>'],
    ["JSON", `I will read.\n\n${fence}json\n{"name": "read_file", "arguments": {"path": "a"}}\n${fence}`],
    ["JSON", '{"name": "read_file", "parameters": {"path": "a"}}'],
    ["JSON", '[TOOL_CALLS][{"name": "read_file", "arguments": {"path": "a"}}]'],
    ["JSON", '{"function": {"name": "read_file", "arguments": "{}"}}'],
  ])("finds a %s in %j", (form, text) => {
    expect(findTextCall(text, tools)).toMatchObject({ form });
  });

  it.each([
    "All tests pass.",
    "",
    "Use `<function=read_file>` to read a file.",
    "<function=read_file>\n<parameter=path>\nREADME.md\n</parameter>\n</function>\nThat is how the call looks.",
    "<function=delete_everything>\n<parameter=path>\n/\n</parameter>\n</function>",
    `The format:\n${fence}\n<function=read_file>\n<parameter=path>a</parameter>\n</function>\n${fence}`,
    `${fence}xml\n<function=read_file>\n<parameter=path>a</parameter>`,
    '<invoke name="unknown">\n</invoke>',
    "I wrapped it in <tool_call> tags.",
    `${fence}json\n{"name": "my-package", "version": "1.0.0"}\n${fence}`,
    `${fence}json\n{"name": "read_file"}\n${fence}`,
    `${fence}json\n{"name": "read_file", "arguments": {}}\n${fence}\nThis is an example.`,
    '{"name": "not_ours", "arguments": {}}',
  ])("takes %j for an answer", (text) => {
    expect(findTextCall(text, tools)).toBeNull();
  });

  it("stays fast on long text", () => {
    const toLong = (count: number) =>
      `${"<function=read_file> `".repeat(count)}${"\n```\n".repeat(count)}${" ".repeat(count * 5)}x`;

    expect(findTextCall(toLong(1_000), tools)).toBeNull();
    expect(growthOf(toLong, (text) => findTextCall(text, tools), 4_000)).toBeLessThan(linear);
  });
});
