import type OpenAI from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { modelFailure } from "../core/loop/modelFailure";
import type { ModelChunk, ModelClient, ModelFailure, ModelRequest } from "../core/ports/modelClient";
import { readReplyBody } from "./openAiModelBody";
import { maskKey, toModelFailure, type ModelConnection } from "./openAiModelErrors";

export interface OpenAiModelOptions {
  /** The address before `/chat/completions`, usually ending in `/v1`. May have a query, but no user name or password. */
  baseUrl: string;
  /** Null where none is configured: only servers on this machine are then asked. */
  apiKey: string | null;
}

/** Any server that speaks the OpenAI chat completions dialect. Waiting, retrying and understanding are the engine's. */
export class OpenAiModel implements ModelClient {
  readonly endpoint: string;
  readonly #baseUrl: URL | null;
  readonly #options: OpenAiModelOptions;
  #client: Promise<OpenAI> | null = null;

  constructor(options: OpenAiModelOptions) {
    this.#options = options;
    this.#baseUrl = parseBaseUrl(options.baseUrl);
    this.endpoint = toEndpoint(this.#baseUrl, options.baseUrl);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk, void, void> {
    const problem = this.#findProblem();
    if (problem !== null) {
      yield { type: "failure", failure: problem };
      return;
    }
    const { apiKey } = this.#options;
    const connection: ModelConnection = { endpoint: this.endpoint, model: request.model, apiKey };
    const sent = await this.#send(request, connection, signal);
    if (!sent.ok) {
      yield { type: "failure", failure: sent.failure };
      return;
    }
    yield { type: "activity" };
    for await (const chunk of readReplyBody(sent.response.body, connection, signal)) yield withoutKey(chunk, apiKey);
  }

  /** Null when a request can be sent at all. */
  #findProblem(): ModelFailure | null {
    const url = this.#baseUrl;
    if (url === null) {
      return modelFailure("bad-request", explainBaseUrl(this.endpoint));
    }
    if (this.#options.apiKey || isLoopback(url.hostname)) return null;
    const message = `no API key for ${this.endpoint}: set DONEGATE_API_KEY or OPENAI_API_KEY, or store a key in the editor (a server that needs none takes any value)`;
    return modelFailure("no-key", message);
  }

  async #send(
    request: ModelRequest,
    connection: ModelConnection,
    signal: AbortSignal,
  ): Promise<{ ok: true; response: Response } | { ok: false; failure: ModelFailure }> {
    try {
      this.#client ??= createClient(this.#options, this.#baseUrl);
      const client = await this.#client;
      // The port's lists are readonly and the SDK's are not; it only serialises them.
      const body = request as ChatCompletionCreateParamsStreaming;
      return { ok: true, response: await client.chat.completions.create(body, { signal }).asResponse() };
    } catch (error: unknown) {
      return { ok: false, failure: toModelFailure(error, connection, signal) };
    }
  }
}

// Local servers want no key, yet the SDK sends no request without one.
const placeholderKey = "no-key-needed";

// The SDK's own limit covers the headers only; the engine's stall timer covers everything. The longest a timer can be.
const longestTimeoutMs = 2 ** 31 - 1;

/** Loaded with the first request: starting without a model should not pay for the SDK. */
async function createClient({ baseUrl, apiKey }: OpenAiModelOptions, url: URL | null): Promise<OpenAI> {
  const { OpenAI: Client } = await import("openai");
  return new Client({
    baseURL: baseUrl,
    apiKey: apiKey || placeholderKey,
    // Null, not absent: otherwise the SDK takes these from the environment and sends them to whatever server this is.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    ...(apiKey && url !== null && isAzure(url) ? { defaultHeaders: { "api-key": apiKey } } : {}),
    maxRetries: 0,
    timeout: longestTimeoutMs,
    logLevel: "off",
  });
}

function parseBaseUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.username !== "" || url.password !== "") return null;
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}

/** Azure's deployments take a key in a header of their own; its newer addresses take it both ways. */
function isAzure(url: URL): boolean {
  return (
    url.searchParams.has("api-version") || /\.(?:azure\.com|azure-api\.net|azure\.us|azure\.cn)$/.test(url.hostname)
  );
}

function explainBaseUrl(shown: string): string {
  // `localhost:11434` even parses as a URL, with the scheme `localhost:`.
  const hasOnlyHost = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|[\w.-]+(?=:\d)|\[[\da-f:]+\])(?::\d+)?(?:\/|$)/i.test(shown);
  if (hasOnlyHost) return `the base URL ${shown} has no scheme: add http://, as in http://${shown}`;
  return `the base URL ${shown} is not usable: it has to be an http or https address without user name and password`;
}

function toEndpoint(url: URL | null, text: string): string {
  if (url !== null) return `${url.origin}${url.pathname}`.replace(/\/$/, "");
  return text.replace(/^((?:[a-z][a-z\d+.-]*:)?\/\/)?[^/]*@/i, "$1***@").replace(/[?#].*$/, "");
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Servers quote the key in errors, and errors are journaled. Other payloads pass byte by byte. */
function withoutKey(chunk: ModelChunk, apiKey: string | null): ModelChunk {
  return chunk.type === "data" && chunk.json.includes('"error"')
    ? { ...chunk, json: maskKey(chunk.json, apiKey) }
    : chunk;
}
