/** The wire shape of one chat message in the OpenAI dialect; what is sent is built from exactly these. */
export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string }
  | { role: "assistant"; content: string | null; reasoning_content?: string; tool_calls?: WireToolCall[] }
  | { role: "tool"; tool_call_id: string; content: string };

export interface WireToolCall {
  id: string;
  type: "function";
  /** `arguments` is JSON text, as the dialect wants it. */
  function: { name: string; arguments: string };
}

export interface WireTool {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/** The request's body, key order included: two equal requests are equal bytes. */
export interface ModelRequest {
  model: string;
  messages: readonly ChatMessage[];
  tools?: readonly WireTool[];
  stream: true;
  stream_options: { include_usage: true };
}

/** What a model server's stream is made of, before anything is understood. */
export type ModelChunk =
  /** One `data:` payload, JSON text as received. */
  | { type: "data"; json: string }
  /** `data: [DONE]`; nothing after it counts. */
  | { type: "done" }
  /** Life without content: headers arrived, a comment line. Feeds the stall timer. */
  | { type: "activity" }
  /** The request or its stream failed; always the last chunk. */
  | { type: "failure"; failure: ModelFailure };

export type ModelFailureCode =
  | "no-key"
  | "auth"
  | "not-found"
  | "quota"
  | "rate-limit"
  | "overflow"
  | "bad-request"
  | "server"
  | "network"
  | "dropped"
  | "stalled"
  | "malformed"
  | "cancelled";

export interface ModelFailure {
  code: ModelFailureCode;
  /** HTTP status where there was one. */
  status: number | null;
  /** What the server or the network said, with secrets taken out. */
  message: string;
  /** From `Retry-After`, milliseconds, uncapped. */
  retryAfterMs: number | null;
}

export interface ModelClient {
  /** What a person calls this endpoint; shown in errors and the journal, never holds a key. */
  readonly endpoint: string;
  /** Never throws: failures are the last chunk. Ends soon after `signal` aborts. Never retries by itself. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk>;
}
