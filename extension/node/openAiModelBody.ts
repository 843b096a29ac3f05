// Reads the body of an answer. Servers label bodies wrongly, so the first character decides what one is:
// an event stream, a whole answer in JSON, or a web page.
import { createParser } from "eventsource-parser";
import { modelFailure, parseServerError } from "../core/loop/modelFailure";
import type { ModelChunk } from "../core/ports/modelClient";
import { toBodyFailure, toPageFailure, type ModelConnection } from "./openAiModelErrors";

/** Ends after `done` or a failure; a clean end of the body without either just ends. */
export async function* readReplyBody(
  body: ReadableStream<Uint8Array> | null,
  connection: ModelConnection,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    yield* readChunks(reader, connection, signal);
  } finally {
    signal.removeEventListener("abort", stop);
    void letGo(reader);
  }
}

interface BodyParser {
  feed(text: string): ModelChunk[];
  end(): ModelChunk[];
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

// One event larger than this is not a reply but a fault; without a limit it would fill the memory.
const longestEvent = 32 * 1024 * 1024;

// Longest wait for a server to close a body whose [DONE] was read. Only a closed body leaves a connection to use again.
const closeWithinMs = 500;

async function* readChunks(
  reader: Reader,
  connection: ModelConnection,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk, void, void> {
  const decoder = new TextDecoder();
  const parser = createBodyParser(connection);
  for (;;) {
    const read = await readNext(reader);
    if (signal.aborted) {
      yield { type: "failure", failure: modelFailure("cancelled", "the request was stopped") };
      return;
    }
    if ("error" in read) {
      yield { type: "failure", failure: toBodyFailure(read.error, connection) };
      return;
    }
    const chunks = read.done
      ? [...parser.feed(decoder.decode()), ...parser.end()]
      : parser.feed(decoder.decode(read.value, { stream: true }));
    if (chunks.length === 0 && !read.done) yield { type: "activity" };
    for (const chunk of chunks) {
      yield chunk;
      if (chunk.type === "done" || chunk.type === "failure") return;
    }
    if (read.done) return;
  }
}

async function readNext(
  reader: Reader,
): Promise<{ done: false; value: Uint8Array } | { done: true } | { error: unknown }> {
  try {
    const read = await reader.read();
    return read.done ? { done: true } : { done: false, value: read.value };
  } catch (error: unknown) {
    return { error };
  }
}

/** Reads on in the background to the end of the body, for a moment, then cuts it. */
async function letGo(reader: Reader): Promise<void> {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), closeWithinMs);
  timer.unref();
  for (;;) {
    const read = await readNext(reader);
    if ("error" in read || read.done) break;
  }
  clearTimeout(timer);
}

function createBodyParser(connection: ModelConnection): BodyParser {
  let leading = "";
  let parser: BodyParser | null = null;
  return {
    feed(text) {
      if (parser !== null) return parser.feed(text);
      leading += text;
      const character = leading.trimStart().charAt(0);
      if (character === "") return [];
      if (character === "<") return [{ type: "failure", failure: toPageFailure(connection) }];
      parser = character === "{" || character === "[" ? createWholeParser(connection) : createEventParser(connection);
      return parser.feed(leading);
    },
    end: () => parser?.end() ?? [],
  };
}

/** An answer that was not streamed becomes one chunk. */
function createWholeParser(connection: ModelConnection): BodyParser {
  let json = "";
  return {
    feed(text) {
      json += text;
      return json.length > longestEvent ? [malformed(connection, "more than it can hold", "")] : [];
    },
    end() {
      const value = parseJson(json);
      const body = Array.isArray(value) ? (value as unknown[])[0] : value;
      const isReply = typeof body === "object" && body !== null && "choices" in body;
      if (!isReply && parseServerError(body) === null)
        return [malformed(connection, "something else than a reply", json)];
      return [{ type: "data", json: JSON.stringify(body) }, { type: "done" }];
    },
  };
}

function createEventParser(connection: ModelConnection): BodyParser {
  let chunks: ModelChunk[] = [];
  let hasEvents = false;
  let isAtEnd = false;
  let strayText = "";
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent({ event, data }) {
      // What the end of the body cut off is no event, unless only its blank line is missing.
      if (isAtEnd && data.trim() !== "[DONE]" && parseJson(data) === undefined) return;
      hasEvents = true;
      chunks.push(toChunk(event, data));
    },
    onComment() {
      chunks.push({ type: "activity" });
    },
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") chunks.push(malformed(connection, "an event without end", ""));
      if (error.type === "unknown-field") strayText ||= error.line ?? "";
    },
  });
  const take = (): ModelChunk[] => {
    const taken = chunks;
    chunks = [];
    return taken;
  };
  return {
    feed(text) {
      parser.feed(text);
      return take();
    },
    end() {
      isAtEnd = true;
      parser.feed("\n\n");
      if (!hasEvents && strayText !== "") chunks.push(malformed(connection, "text that is no event stream", strayText));
      return take();
    },
  };
}

function toChunk(event: string | undefined, data: string): ModelChunk {
  const text = data.trim();
  if (text === "[DONE]") return { type: "done" };
  if (text === "") return { type: "activity" };
  if (event === "error" && parseServerError(parseJson(data)) === null) {
    return { type: "failure", failure: modelFailure("server", text.slice(0, 500)) };
  }
  return { type: "data", json: data };
}

function malformed({ endpoint }: ModelConnection, what: string, text: string): ModelChunk {
  const quoted = text === "" ? "" : `: ${text.trim().slice(0, 200)}`;
  return { type: "failure", failure: modelFailure("malformed", `${endpoint} answered with ${what}${quoted}`) };
}

/** Undefined when the text is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error: unknown) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
