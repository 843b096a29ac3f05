// Recognises a tool call that a model wrote into its text. Only a call that ends the text and names a known tool
// counts: prose that explains a tool, or shows a call in the middle, is an answer.
import { asRecord } from "./asRecord";

export interface TextCall {
  tool: string;
  /** How it was written, for the correction message. */
  form: "function tag" | "tool_call tag" | "invoke tag" | "JSON";
}

/** The leaked call, or null. `toolNames` are the tools of this run. */
export function findTextCall(text: string, toolNames: Iterable<string>): TextCall | null {
  const tools = new Set(toolNames);
  const trimmed = text.trim();
  for (const find of [findFunctionTag, findInvokeTag, findToolCallTag, findJson]) {
    const call = find(trimmed, tools);
    if (call !== null) return call;
  }
  return null;
}

function findFunctionTag(text: string, tools: ReadonlySet<string>): TextCall | null {
  const call = lastTag(text, /<function=["']?([\w.-]+)["']?>/g);
  const body = call === null ? "" : stripEnd(call.body, [/<\/tool_call>$/, /<\/function>$/]);
  return call !== null && tools.has(call.name) && isParameterList(body)
    ? { tool: call.name, form: "function tag" }
    : null;
}

function findInvokeTag(text: string, tools: ReadonlySet<string>): TextCall | null {
  const call = lastTag(text, /<(?:\w+:)?invoke\s+name=["']([\w.-]+)["']\s*>/g);
  const body = call === null ? "" : stripEnd(call.body, [/<\/(?:\w+:)?function_calls>$/, /<\/(?:\w+:)?invoke>$/]);
  return call !== null && tools.has(call.name) && isParameterList(body)
    ? { tool: call.name, form: "invoke tag" }
    : null;
}

/** The tag holds JSON, or the name followed by key and value tags. */
function findToolCallTag(text: string, tools: ReadonlySet<string>): TextCall | null {
  const call = lastTag(text, /<tool_call>()/g);
  if (call === null) return null;
  const body = stripEnd(call.body, [/<\/tool_call>$/]).trimStart();
  const named = /^([\w.-]+)\s*(?:$|<arg_key>)/.exec(body)?.[1];
  const cut = /^\{\s*"name"\s*:\s*"([\w.-]+)"\s*,\s*"(?:arguments|parameters)"/.exec(body)?.[1];
  const tool = named ?? readJsonCall(body) ?? cut;
  return tool !== undefined && tools.has(tool) ? { tool, form: "tool_call tag" } : null;
}

/** The whole text, or the fence that ends it, is a JSON call with arguments. */
function findJson(text: string, tools: ReadonlySet<string>): TextCall | null {
  const bare = text.replace(/^(?:\[TOOL_CALLS\]|<\|python_tag\|>)\s*/, "");
  const tool = readJsonCall(lastFence(text) ?? bare);
  return tool !== undefined && tools.has(tool) ? { tool, form: "JSON" } : null;
}

/** What stands in the code fence that ends the text, or null. */
function lastFence(text: string): string | null {
  const fence = "```";
  if (!text.endsWith(`\n${fence}`)) return null;
  const end = text.length - fence.length;
  const start = text.lastIndexOf(fence, end - 1);
  const opening = start === -1 ? null : /^```(?:json|tool_call|tool)?[ \t]*\n/.exec(text.slice(start, end));
  return opening === null ? null : text.slice(start + opening[0].length, end);
}

/** The last opening tag, if it starts a line outside a code fence, and all that follows it. */
function lastTag(text: string, opening: RegExp): { name: string; body: string } | null {
  const match = [...text.matchAll(opening)].at(-1);
  if (match === undefined) return null;
  const before = text.slice(0, match.index);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const isFenced = (before.match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 1;
  // Wrapper tags may stand on the same line before it.
  if (isFenced || !/^[ \t]*(?:<[\w:]+>[ \t]*)*$/.test(line)) return null;
  return { name: match[1] ?? "", body: text.slice(match.index + match[0].length) };
}

function stripEnd(text: string, closers: readonly RegExp[]): string {
  return closers.reduce((rest, closer) => rest.replace(closer, "").trimEnd(), text.trimEnd());
}

/** Nothing, or parameters up to the end; the last one may be unclosed, since models forget that. */
function isParameterList(body: string): boolean {
  const parameters = body.trimStart();
  if (parameters === "") return true;
  if (!/^<(?:\w+:)?parameter[=\s]/.test(parameters)) return false;
  const lastClose = [...parameters.matchAll(/<\/(?:\w+:)?parameter>/g)].at(-1);
  const rest = lastClose === undefined ? parameters : parameters.slice(lastClose.index + lastClose[0].length);
  return rest === "" || /^\s*<(?:\w+:)?parameter[=\s]/.test(rest);
}

/** The tool that a JSON text calls with arguments; a list counts by its first entry. */
function readJsonCall(json: string): string | undefined {
  const trimmed = json.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch (error: unknown) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  const first = asRecord(Array.isArray(value) ? (value as unknown[])[0] : value);
  const list = asRecord(Array.isArray(first?.["tool_calls"]) ? (first["tool_calls"] as unknown[])[0] : null);
  const call = list ?? first;
  const body = asRecord(call?.["function"]) ?? call;
  const name = body?.["name"] ?? body?.["tool"] ?? body?.["function"];
  const hasArguments = ["arguments", "parameters", "args", "input"].some((key) => {
    const given = body?.[key];
    return asRecord(given) !== null || (typeof given === "string" && given.trimStart().startsWith("{"));
  });
  return typeof name === "string" && hasArguments ? name : undefined;
}
