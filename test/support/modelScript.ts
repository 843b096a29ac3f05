// What a scripted model does, step by step, and the bytes it sends for it. Shared by the server and the in-process model.
import type { WireTool } from "../../extension/core/ports/modelClient";

export interface ScriptedCall {
  name: string;
  /** An object is written as JSON; text goes out as it is. */
  args: Record<string, unknown> | string;
  /** `call_{n}` counted over the whole script when absent. */
  id?: string;
}

export interface ScriptedReply {
  text?: string;
  reasoning?: string;
  calls?: readonly ScriptedCall[];
  usage?: { input: number; output: number } | null;
  /** `tool_calls` or `stop` by what the reply holds when absent. */
  finish?: string;
}

/** How bytes are cut into writes: all at once, one by one, or so many at a time. */
export type Chunking = "whole" | "bytes" | number;

export type ModelStep =
  | ({ kind: "reply"; chunking?: Chunking } & ScriptedReply)
  | { kind: "sse"; bytes: string | Uint8Array; chunking?: Chunking; end?: "clean" | "reset" }
  | { kind: "http"; status: number; headers?: Record<string, string>; body?: string | object }
  /** Sends `first` (with headers) or nothing at all, then keeps the connection open until the client leaves. */
  | { kind: "stall"; first?: string }
  | { kind: "delay"; ms: number; then: ModelStep };

export interface ScriptedRequest {
  model: string;
  messages: readonly Record<string, unknown>[];
  tools?: readonly WireTool[];
}

/** Steps in order, or a function of the request; a function that answers null had no step for it. */
export type ModelScript = readonly ModelStep[] | ((request: ScriptedRequest, index: number) => ModelStep | null);

/** Hands out the steps and keeps account of what did not fit. */
export class ScriptCursor {
  #next = 0;
  #unexpected = 0;
  readonly #script: ModelScript;

  constructor(script: ModelScript) {
    this.#script = script;
  }

  take(request: ScriptedRequest): { step: ModelStep; index: number } | null {
    const index = this.#next;
    const step = typeof this.#script === "function" ? this.#script(request, index) : (this.#script[index] ?? null);
    if (step === null) {
      this.#unexpected += 1;
      return null;
    }
    this.#next += 1;
    return { step, index };
  }

  get unexpectedCount(): number {
    return this.#unexpected;
  }

  get unusedCount(): number {
    return typeof this.#script === "function" ? 0 : this.#script.length - this.#next;
  }
}

/** The `data:` payloads of a reply, text and arguments in two pieces each, as servers send them. */
export function toPayloads(reply: ScriptedReply, index: number): string[] {
  const { text, reasoning, calls = [], usage = { input: 10, output: 5 } } = reply;
  const deltas: object[] = [{ role: "assistant", content: text === undefined ? null : "" }];
  for (const piece of inTwo(reasoning ?? "")) deltas.push({ reasoning_content: piece });
  for (const piece of inTwo(text ?? "")) deltas.push({ content: piece });
  calls.forEach((call, position) => deltas.push(...toCallDeltas(call, position, `call_${index}_${position}`)));
  const finish = reply.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  return [
    ...deltas.map((delta) => toPayload([{ index: 0, delta, finish_reason: null }], null)),
    toPayload([{ index: 0, delta: {}, finish_reason: finish }], null),
    ...(usage === null ? [] : [toPayload([], usage)]),
  ];
}

export function toEventStream(payloads: readonly string[]): string {
  return [...payloads, "[DONE]"].map((payload) => `data: ${payload}\n\n`).join("");
}

export function cutBytes(bytes: string | Uint8Array, chunking: Chunking = "whole"): Uint8Array[] {
  const buffer = Buffer.from(bytes);
  const size = chunking === "whole" ? Math.max(1, buffer.length) : chunking === "bytes" ? 1 : chunking;
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < buffer.length; start += size) pieces.push(buffer.subarray(start, start + size));
  return pieces;
}

function toCallDeltas(call: ScriptedCall, index: number, spareId: string): object[] {
  const text = typeof call.args === "string" ? call.args : JSON.stringify(call.args);
  const opening = { index, id: call.id ?? spareId, type: "function", function: { name: call.name, arguments: "" } };
  return [opening, ...inTwo(text).map((piece) => ({ index, function: { arguments: piece } }))].map((entry) => ({
    tool_calls: [entry],
  }));
}

function toPayload(choices: readonly object[], usage: { input: number; output: number } | null): string {
  const counts = usage && {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
  };
  const head = { id: "chatcmpl-script", object: "chat.completion.chunk", created: 1_750_000_000, model: "scripted" };
  return JSON.stringify({ ...head, choices, ...(counts && { usage: counts }) });
}

function inTwo(text: string): string[] {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(""), characters.slice(middle).join("")].filter((piece) => piece !== "");
}
