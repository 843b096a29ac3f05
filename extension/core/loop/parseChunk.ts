// Understands one `data:` payload. Everything a server can send is untrusted: unknown fields are left alone,
// known fields of another type are ignored or refused, and an error object is a failure wherever it stands.
import type { ModelFailure } from "../ports/modelClient";
import { asRecord } from "./asRecord";
import { classifyServerError, modelFailure, parseServerError } from "./modelFailure";
import type { ReasoningKey, ReplyUsage } from "./modelReply";

export interface CallDelta {
  index: number | null;
  /** Empty when absent. */
  id: string;
  /** Empty when absent. */
  name: string;
  /** A fragment of JSON text; arguments that came as a value are written as JSON. */
  argumentsText: string;
}

export interface ParsedChunk {
  /** A choice was there, so the stream holds a reply. */
  hasChoice: boolean;
  text: string;
  reasoning: string;
  reasoningKey: ReasoningKey | null;
  calls: readonly CallDelta[];
  /** The older dialect's only call. */
  functionCall: CallDelta | null;
  usage: ReplyUsage | null;
  finish: string | null;
}

export type ChunkResult = { ok: true; chunk: ParsedChunk } | { ok: false; failure: ModelFailure };

export function parseChunk(json: string): ChunkResult {
  const body = parseRecord(json);
  if (body === null) {
    return {
      ok: false,
      failure: modelFailure("malformed", `the stream holds an event that is not a JSON object: ${excerpt(json)}`),
    };
  }
  const choice = firstChoice(body["choices"]);
  const error = parseServerError(body) ?? parseServerError(choice);
  if (error !== null) {
    const failure = modelFailure(classifyServerError(error), error.message, { status: error.status });
    return { ok: false, failure };
  }
  const usage = parseUsage(body["usage"]) ?? parseUsage(choice?.["usage"]);
  if (choice === null) return { ok: true, chunk: { ...emptyChunk, usage } };
  return readChoice(choice, usage);
}

const emptyChunk: ParsedChunk = {
  hasChoice: false,
  text: "",
  reasoning: "",
  reasoningKey: null,
  calls: [],
  functionCall: null,
  usage: null,
  finish: null,
};

// Finish reasons by which some servers report that they gave up; the text so far is not an answer.
const failedFinishes: ReadonlySet<string> = new Set(["error", "network_error", "abort"]);

function readChoice(choice: Record<string, unknown>, usage: ReplyUsage | null): ChunkResult {
  const finish = textOf(choice["finish_reason"]) || null;
  if (finish !== null && failedFinishes.has(finish)) {
    return { ok: false, failure: modelFailure("server", `the server ended the reply with finish_reason ${finish}`) };
  }
  // A whole answer has `message` where a stream has `delta`, and lists its calls without an index.
  const isWhole = choice["delta"] === undefined || choice["delta"] === null;
  const delta = asRecord(isWhole ? choice["message"] : choice["delta"]) ?? {};
  const content = readContent(delta["content"]);
  const reasoning = readReasoning(delta);
  const chunk: ParsedChunk = {
    hasChoice: true,
    text: content.text + textOf(delta["refusal"]),
    reasoning: content.thinking + reasoning.text,
    reasoningKey: reasoning.key,
    calls: asList(delta["tool_calls"]).map((entry, position) => readCall(entry, isWhole ? position : null)),
    functionCall: delta["function_call"] ? readCall({ function: delta["function_call"] }, null) : null,
    usage,
    finish,
  };
  return { ok: true, chunk };
}

/** The first choice only: one is asked for, and another one's text must not run into it. */
function firstChoice(choices: unknown): Record<string, unknown> | null {
  const records = asList(choices).map(asRecord);
  return records.find((choice) => choice !== null && (toIndex(choice["index"]) ?? 0) === 0) ?? null;
}

function readReasoning(delta: Record<string, unknown>): { text: string; key: ReasoningKey | null } {
  const content = textOf(delta["reasoning_content"]);
  if (content !== "") return { text: content, key: "reasoning_content" };
  const reasoning = textOf(delta["reasoning"]);
  return { text: reasoning, key: reasoning === "" ? null : "reasoning" };
}

/** Content is text, nothing, or a list of parts; parts that are neither text nor thinking are left out. */
function readContent(content: unknown): { text: string; thinking: string } {
  if (typeof content === "string") return { text: content, thinking: "" };
  let text = "";
  let thinking = "";
  for (const entry of asList(content)) {
    const part = asRecord(entry);
    text += textOf(part?.["text"]);
    thinking += typeof part?.["thinking"] === "string" ? part["thinking"] : readContent(part?.["thinking"]).text;
  }
  return { text, thinking };
}

function readCall(entry: unknown, position: number | null): CallDelta {
  const call = asRecord(entry) ?? {};
  const body = asRecord(call["function"]) ?? call;
  return {
    index: toIndex(call["index"]) ?? position,
    id: textOf(call["id"]),
    name: textOf(body["name"]),
    argumentsText: toArgumentsText(body["arguments"]),
  };
}

function toArgumentsText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function parseUsage(value: unknown): ReplyUsage | null {
  const usage = asRecord(value);
  if (usage === null) return null;
  const input = toCount(usage["prompt_tokens"] ?? usage["input_tokens"]);
  const output = toCount(usage["completion_tokens"] ?? usage["output_tokens"]);
  return input === null && output === null ? null : { input: input ?? 0, output: output ?? 0 };
}

function toCount(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : null;
}

function toIndex(value: unknown): number | null {
  const index = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  return typeof index === "number" && Number.isInteger(index) && index >= 0 ? index : null;
}

function parseRecord(json: string): Record<string, unknown> | null {
  try {
    return asRecord(JSON.parse(json) as unknown);
  } catch (error: unknown) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function excerpt(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
