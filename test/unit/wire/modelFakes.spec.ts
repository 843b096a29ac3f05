import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { assembleReply } from "../../../extension/core/loop/assembleReply";
import type { ModelChunk, WireTool } from "../../../extension/core/ports/modelClient";
import { OpenAiModel } from "../../../extension/node/openAiModel";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelScript, ModelStep } from "../../support/modelScript";
import { runReferenceLoop } from "../../support/referenceLoop";
import { ScriptedModel, UnexpectedModelCall, UnusedModelSteps } from "../../support/scriptedModel";
import { countingIds, plainRequest } from "../../support/wireStream";

const step: ModelStep = {
  kind: "reply",
  text: "naïve 😀 text",
  reasoning: "because",
  calls: [
    { name: "read_file", args: { path: "a" }, id: "mine" },
    { name: "run_tests", args: "{}" },
  ],
  usage: { input: 3, output: 4 },
};

describe("FakeModelServer and ScriptedModel", () => {
  it("say the same for the same step", async () => {
    const overHttp = await withServer([{ ...step, chunking: 7 }], (server) => readAll(toModel(server)));
    const inProcess = await readAll(new ScriptedModel([step]));

    expect(assembleReply(overHttp, countingIds())).toEqual(assembleReply(inProcess, countingIds()));
    expect(assembleReply(overHttp, countingIds())).toMatchObject({
      ok: true,
      reply: {
        text: "naïve 😀 text",
        reasoning: "because",
        calls: [{ id: "mine" }, { id: "call_0_1" }],
        usage: { input: 3, output: 4 },
        notes: [],
      },
    });
  });

  it("play a script that looks at the request", async () => {
    const echo: ModelScript = ({ messages }, index) => ({ kind: "reply", text: `${index}: ${messages.length}` });
    const texts = await withServer(echo, async (server) => {
      const replies = [await readAll(toModel(server)), await readAll(toModel(server))];
      return replies.map((chunks) => assembleReply(chunks, countingIds()));
    });

    expect(texts).toMatchObject([{ reply: { text: "0: 1" } }, { reply: { text: "1: 1" } }]);
  });

  it("the server answers 500 to a request without a step and reports it", async () => {
    const server = await FakeModelServer.start([]);
    const chunks = await readAll(toModel(server));
    await server.close();

    expect(chunks).toMatchObject([{ type: "failure", failure: { code: "server", status: 500 } }]);
    expect(() => server.assertDone()).toThrow("1 unexpected request(s)");
  });

  it("the server reports unused steps and unknown paths", async () => {
    const server = await FakeModelServer.start([step]);
    await fetch(`${server.baseUrl}/responses`, { method: "POST", body: "{}" });
    await server.close();

    expect(() => server.assertDone()).toThrow("1 unused step(s); requests to unknown paths: POST /v1/responses");
  });

  it("the server lists its models", async () => {
    const models = await withServer([], async (server) => {
      const client = new OpenAI({ baseURL: server.baseUrl, apiKey: "x" });
      return (await client.models.list()).data.map(({ id }) => id);
    });

    expect(models).toEqual(["scripted"]);
  });

  it("the model throws different errors for an unexpected call and for an unused step", async () => {
    const empty = new ScriptedModel([]);

    await expect(readAll(empty)).rejects.toThrow(UnexpectedModelCall);
    expect(() => empty.assertDone()).toThrow(UnexpectedModelCall);
    expect(() => new ScriptedModel([step]).assertDone()).toThrow(UnusedModelSteps);
  });
});

describe("runReferenceLoop", () => {
  const tool: WireTool = {
    type: "function",
    function: { name: "read_file", description: "Reads", parameters: { type: "object" } },
  };
  const script: ModelStep[] = [
    { kind: "reply", calls: [{ name: "read_file", args: '{ "path": "a" }', id: "c1" }] },
    { kind: "reply", text: "all good" },
  ];

  it("sends plain bodies, runs the calls and ends with the text of a reply without calls", async () => {
    await withServer(script, async (server) => {
      const executed: string[] = [];
      const text = await runReferenceLoop({
        baseUrl: server.baseUrl,
        model: "m",
        systemPrompt: "s",
        goal: "g",
        tools: [tool],
        execute: (name, argumentsText) => Promise.resolve(String(executed.push(`${name} ${argumentsText}`))),
      });
      const start = [
        { role: "system", content: "s" },
        { role: "user", content: "g" },
      ];
      const call = { id: "c1", type: "function", function: { name: "read_file", arguments: '{ "path": "a" }' } };
      const rest = { tools: [tool], stream: true, stream_options: { include_usage: true } };
      const turn = [
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "c1", content: "1" },
      ];

      expect(text).toBe("all good");
      expect(executed).toEqual(['read_file { "path": "a" }']);
      expect(server.requests.map(({ body }) => body.toString())).toEqual([
        JSON.stringify({ model: "m", messages: start, ...rest }),
        JSON.stringify({ model: "m", messages: [...start, ...turn], ...rest }),
      ]);
    });
  });
});

async function withServer<T>(script: ModelScript, use: (server: FakeModelServer) => Promise<T>): Promise<T> {
  const server = await FakeModelServer.start(script);
  try {
    const result = await use(server);
    server.assertDone();
    return result;
  } finally {
    await server.close();
  }
}

function toModel(server: FakeModelServer): OpenAiModel {
  return new OpenAiModel({ baseUrl: server.baseUrl, apiKey: null });
}

async function readAll(model: OpenAiModel | ScriptedModel): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = [];
  for await (const chunk of model.stream(plainRequest, new AbortController().signal)) chunks.push(chunk);
  return chunks;
}
