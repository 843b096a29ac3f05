import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ModelChunk, ModelRequest } from "../../../extension/core/ports/modelClient";
import { OpenAiModel } from "../../../extension/node/openAiModel";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelStep } from "../../support/modelScript";
import { delta, events, finish, payload, plainRequest } from "../../support/wireStream";

const key = "sk-secret-0123456789";
const open: FakeModelServer[] = [];

beforeEach(() => {
  for (const level of ["log", "info", "warn", "error", "debug"] as const) {
    vi.spyOn(console, level).mockImplementation((...said: unknown[]) => {
      throw new Error(`printed: ${said.join(" ")}`);
    });
  }
});

afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const server of open.splice(0)) {
    server.assertDone();
    await server.close();
  }
});

describe("OpenAiModel: the request", () => {
  it("sends exactly the bytes of the request, in its order of keys", async () => {
    const server = await start([{ kind: "reply", text: "ok" }]);
    const request: ModelRequest = {
      model: "näme",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: 'emoji 😀, quote ", line\nend' },
        {
          role: "assistant",
          content: null,
          reasoning_content: "why",
          tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: '{ "x": 1 }' } }],
        },
        { role: "tool", tool_call_id: "a", content: "" },
      ],
      tools: [
        { type: "function", function: { name: "f", description: "d", parameters: { type: "object", properties: {} } } },
      ],
      stream: true,
      stream_options: { include_usage: true },
    };
    await collect(new OpenAiModel({ baseUrl: server.baseUrl, apiKey: key }), request);

    expect(server.requests[0]?.body.equals(Buffer.from(JSON.stringify(request)))).toBe(true);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it("sends nothing of the environment to the server", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-from-environment");
    vi.stubEnv("OPENAI_ADMIN_KEY", "sk-admin-environment");
    vi.stubEnv("OPENAI_ORG_ID", "org-environment");
    vi.stubEnv("OPENAI_PROJECT_ID", "project-environment");
    vi.stubEnv("OPENAI_LOG", "debug");
    const server = await start([{ kind: "reply", text: "ok" }]);
    await collect(new OpenAiModel({ baseUrl: server.baseUrl, apiKey: null }));

    expect(JSON.stringify(server.requests[0]?.headers)).not.toContain("environment");
  });

  it("uses one connection for many requests", async () => {
    const server = await start(Array.from({ length: 5 }, (): ModelStep => ({ kind: "reply", text: "ok" })));
    const model = new OpenAiModel({ baseUrl: server.baseUrl, apiKey: key });
    for (let turn = 0; turn < 5; turn += 1) {
      await collect(model);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }

    expect(server.connections).toBe(1);
  });

  it("never sends a failed request again by itself", async () => {
    const server = await start([{ kind: "http", status: 500, headers: { "x-should-retry": "true" }, body: {} }]);

    expect(await failureOf(server)).toMatchObject({ code: "server", status: 500 });
    expect(server.requests).toHaveLength(1);
  });

  it("asks for a key, except from this machine", async () => {
    const [failure] = await collect(new OpenAiModel({ baseUrl: "https://models.invalid/v1", apiKey: null }));

    expect(failure).toMatchObject({ type: "failure", failure: { code: "no-key" } });
    expect(JSON.stringify(failure)).toContain("DONEGATE_API_KEY or OPENAI_API_KEY");
  });

  it.each(["not a url", "ftp://host/v1", `https://user:${key}@host/v1`])("refuses the base URL %s", async (baseUrl) => {
    const model = new OpenAiModel({ baseUrl, apiKey: "x" });

    expect(await collect(model)).toMatchObject([{ type: "failure", failure: { code: "bad-request" } }]);
    expect(JSON.stringify([model.endpoint, await collect(model)])).not.toContain(key);
  });
});

describe("OpenAiModel: failures", () => {
  it.each([
    [401, { error: { message: `Incorrect API key provided: ${key}` } }, "auth", "refused the API key"],
    [403, { error: { message: "no" } }, "auth", "refused the API key"],
    [404, { error: { message: "no such model" } }, "not-found", "does not know the model case-model"],
    [404, "<html>nginx</html>", "not-found", "a web page instead of an answer"],
    [400, { error: { message: "bad field" } }, "bad-request", "bad field"],
    [
      400,
      { error: { code: "context_length_exceeded", message: "m" } },
      "overflow",
      "longer than the context of case-model",
    ],
    [400, [{ error: { code: 400, message: "in a list" } }], "bad-request", "in a list"],
    [402, {}, "quota", "no quota left"],
    [429, { error: { code: "insufficient_quota", message: "m" } }, "quota", "check plan and billing"],
    [429, { error: "slow down" }, "rate-limit", "slow down"],
    [503, "upstream down", "server", "upstream down"],
    [500, { detail: "a detail" }, "server", "a detail"],
  ])("maps HTTP %d %j to %s", async (status, body, code, text) => {
    const server = await start([{ kind: "http", status, body }]);
    const failure = await failureOf(server);

    expect(failure).toMatchObject({ code, status });
    expect(failure?.message).toContain(text);
    expect(failure?.message).toContain(code === "overflow" ? "HTTP 400" : server.baseUrl);
    expect(JSON.stringify(failure)).not.toContain(key);
  });

  it.each([
    [{ "retry-after": "7" }, 7_000],
    [{ "retry-after": "3600" }, 3_600_000],
    [{ "retry-after-ms": "250", "retry-after": "7" }, 250],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{}, null],
  ])("reads %j as a wait of %s ms", async (headers, retryAfterMs) => {
    const server = await start([{ kind: "http", status: 429, headers: headers, body: {} }]);

    expect(await failureOf(server)).toMatchObject({ code: "rate-limit", retryAfterMs });
  });

  it("says that nothing listens where nothing listens", async () => {
    const server = await FakeModelServer.start([]);
    await server.close();
    const failure = await failureOf(server);

    expect(failure).toMatchObject({ code: "network", status: null });
    expect(failure?.message).toBe(`nothing listens at ${server.baseUrl}: is the model server running?`);
  });

  it("says that a host cannot be found", async () => {
    const [chunk] = await collect(new OpenAiModel({ baseUrl: "http://models.invalid/v1", apiKey: key }));

    expect(chunk).toMatchObject({ type: "failure", failure: { code: "network" } });
    expect(JSON.stringify(chunk)).toContain("the host of http://models.invalid/v1 cannot be found");
  });

  it("says that a server does not speak TLS", async () => {
    const server = await start([]);
    const [chunk] = await collect(new OpenAiModel({ baseUrl: server.baseUrl.replace("http:", "https:"), apiKey: key }));

    expect(chunk).toMatchObject({ type: "failure", failure: { code: "network" } });
    expect(JSON.stringify(chunk)).toContain("does not speak TLS");
  });

  it("takes the key out of an error inside a stream, and leaves other payloads alone", async () => {
    const mine = delta({ content: `the text has ${key} in it` });
    const stream = events(mine, payload({ error: { message: `bad key ${key}` } }));
    const server = await start([{ kind: "sse", bytes: stream }]);
    const data = (await collect(toModel(server))).filter((chunk) => chunk.type === "data");

    expect(data[0]?.json).toBe(mine);
    expect(data[1]?.json).toContain("bad key ***");
  });
});

describe("OpenAiModel: bodies that are no stream", () => {
  const whole = {
    id: "x",
    choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
  };

  it.each([JSON.stringify(whole), JSON.stringify(whole, null, 2)])(
    "turns a whole answer into one chunk",
    async (body) => {
      const server = await start([{ kind: "http", status: 200, body }]);

      expect((await collect(toModel(server))).filter(({ type }) => type !== "activity")).toEqual([
        { type: "data", json: JSON.stringify(whole) },
        { type: "done" },
      ]);
    },
  );

  it("says that a web page is no API", async () => {
    const headers = { "content-type": "text/html" };
    const server = await start([{ kind: "http", status: 200, headers, body: "\n<!doctype html><title>Hi</title>" }]);
    const failure = await failureOf(server);

    expect(failure).toMatchObject({ code: "not-found" });
    expect(failure?.message).toContain("web page, not with the API: check the base URL");
  });

  it.each(["Ollama is running", '{"status":"ok"}', '{"choices":[', '{"a":1}\n{"b":2}'])(
    "calls %j malformed",
    async (body) => {
      const server = await start([{ kind: "http", status: 200, headers: { "content-type": "text/plain" }, body }]);
      const failure = await failureOf(server);

      expect(failure).toMatchObject({ code: "malformed" });
      expect(failure?.message).toContain(body.slice(0, 10));
    },
  );

  it("hands on the text of an error event", async () => {
    const server = await start([{ kind: "sse", bytes: 'event: error\ndata: {"message":"overloaded"}\n\n' }]);

    expect(await failureOf(server)).toMatchObject({ code: "server", message: '{"message":"overloaded"}' });
  });

  it("trusts the bytes more than a wrong content type", async () => {
    const bytes = events(delta({ content: "hi" }), finish("stop"), "[DONE]");
    const server = await start([{ kind: "http", status: 200, body: bytes }]);

    expect((await collect(toModel(server))).filter(({ type }) => type === "data")).toHaveLength(2);
  });
});

describe("OpenAiModel: stopping", () => {
  it.each([
    ["before the headers", undefined],
    ["in the body", events(delta({ content: "half" }))],
  ])("ends at once %s, and the server sees it", async (_title, first) => {
    let left = (): void => undefined;
    const hasLeft = new Promise<void>((resolve) => (left = resolve));
    const server = createServer((request, response) => {
      response.on("close", () => left());
      request.resume();
      if (first !== undefined) response.writeHead(200, { "content-type": "text/event-stream" }).write(first);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const controller = new AbortController();
    let abortedAt = Infinity;
    setTimeout(() => {
      abortedAt = performance.now();
      controller.abort();
    }, 200);
    const chunks = await collect(new OpenAiModel({ baseUrl, apiKey: null }), plainRequest, controller.signal);

    expect(chunks.at(-1)).toMatchObject({ type: "failure", failure: { code: "cancelled" } });
    expect(performance.now() - abortedAt).toBeLessThan(2_000);
    await hasLeft;
    server.closeAllConnections();
    server.close();
  });
});

async function start(steps: readonly ModelStep[]): Promise<FakeModelServer> {
  const server = await FakeModelServer.start(steps);
  open.push(server);
  return server;
}

function toModel(server: FakeModelServer): OpenAiModel {
  return new OpenAiModel({ baseUrl: server.baseUrl, apiKey: key });
}

async function collect(
  model: OpenAiModel,
  request: ModelRequest = plainRequest,
  signal = new AbortController().signal,
): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of model.stream(request, signal)) chunks.push(chunk);
  return chunks;
}

async function failureOf(server: FakeModelServer) {
  const last = (await collect(toModel(server))).at(-1);
  return last?.type === "failure" ? last.failure : null;
}
