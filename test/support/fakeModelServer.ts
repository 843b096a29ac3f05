import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import {
  cutBytes,
  ScriptCursor,
  toEventStream,
  toPayloads,
  type Chunking,
  type ModelScript,
  type ModelStep,
  type ScriptedRequest,
} from "./modelScript";

export interface RecordedRequest {
  headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  body: Buffer;
  json: ScriptedRequest;
}

/**
 * A model server on 127.0.0.1 that plays a script. Strict: a request without a step answers 500, and `assertDone`
 * names requests and steps that did not meet.
 */
export class FakeModelServer {
  readonly requests: RecordedRequest[] = [];
  readonly #cursor: ScriptCursor;
  readonly #server: Server;
  readonly #strayPaths: string[] = [];
  readonly #faults: string[] = [];
  #connections = 0;
  #port = 0;

  private constructor(
    script: ModelScript,
    /** Where completions are asked for, query included. */
    private readonly route: string,
  ) {
    this.#cursor = new ScriptCursor(script);
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on("connection", () => (this.#connections += 1));
  }

  static async start(script: ModelScript, route = "/v1/chat/completions"): Promise<FakeModelServer> {
    const fake = new FakeModelServer(script, route);
    await new Promise<void>((resolve) => fake.#server.listen(0, "127.0.0.1", resolve));
    fake.#port = (fake.#server.address() as AddressInfo).port;
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}${this.route.replace("/chat/completions", "")}`;
  }

  /** TCP connections so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Throws unless the requests and the script met exactly. */
  assertDone(): void {
    const problems = [...this.#faults];
    if (this.#cursor.unexpectedCount > 0) problems.push(`${this.#cursor.unexpectedCount} unexpected request(s)`);
    if (this.#cursor.unusedCount > 0) problems.push(`${this.#cursor.unusedCount} unused step(s)`);
    if (this.#strayPaths.length > 0) problems.push(`requests to unknown paths: ${this.#strayPaths.join(", ")}`);
    if (problems.length > 0) throw new Error(`FakeModelServer: ${problems.join("; ")}`);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request);
      const route = `${request.method} ${request.url}`;
      if (route === "GET /v1/models")
        return sendJson(response, 200, { object: "list", data: [{ id: "scripted", object: "model" }] });
      if (route !== `POST ${this.route}`) {
        this.#strayPaths.push(route);
        return sendJson(response, 404, { error: { message: `no such path: ${route}` } });
      }
      const json = JSON.parse(body.toString("utf8")) as ScriptedRequest;
      this.requests.push({ headers: request.headers, body, json });
      const taken = this.#cursor.take(json);
      if (taken === null)
        return sendJson(response, 500, { error: { message: "the script has no step for this request" } });
      await play(taken.step, taken.index, response);
    } catch (error: unknown) {
      // A client that leaves ends its own request; everything else is a fault of the script.
      if (response.destroyed || request.destroyed) return;
      this.#faults.push(`a step failed: ${String(error)}`);
      response.destroy();
    }
  }
}

async function play(step: ModelStep, index: number, response: ServerResponse): Promise<void> {
  switch (step.kind) {
    case "reply":
      return sendEvents(response, toEventStream(toPayloads(step, index)), step.chunking, "clean");
    case "sse":
      return sendEvents(response, step.bytes, step.chunking, step.end ?? "clean");
    case "http":
      return sendJson(response, step.status, step.body ?? "", step.headers);
    case "stall":
      if (step.first === undefined) return;
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      response.write(step.first);
      return;
    case "delay":
      await sleep(step.ms);
      return play(step.then, index, response);
  }
}

async function sendEvents(
  response: ServerResponse,
  bytes: string | Uint8Array,
  chunking: Chunking | undefined,
  end: "clean" | "reset",
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  // Without this the kernel joins small writes, and "byte by byte" would arrive whole.
  response.socket?.setNoDelay(true);
  for (const piece of cutBytes(bytes, chunking)) {
    response.write(piece);
    if (chunking !== undefined && chunking !== "whole") await nextTurn();
  }
  if (end === "clean") response.end();
  // The bytes written so far have to leave before the socket is torn down.
  else await sleep(50).then(() => response.socket?.resetAndDestroy());
}

/** Text goes out as it is, with the content type of `headers`. */
function sendJson(
  response: ServerResponse,
  status: number,
  body: string | object,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
