// What each server of the dialect does its own way, as far as it is documented (docs/model-servers.md lists it in words).
// Every row is played by a real server through the real client and loop: one turn with a call, then the answer.
import { afterEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool, runAgent, type RunState } from "../../../extension/core";
import { OpenAiModel } from "../../../extension/node/openAiModel";
import { benchPorts, outcomeOf } from "../../support/agentBench";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelStep } from "../../support/modelScript";
import { callDelta, delta, events, finish, payload } from "../../support/wireStream";

const done = "[DONE]";
const whole = (text: string, id: string | null = "call_1", index: number | null = 0): string =>
  callDelta({
    ...(index === null ? {} : { index }),
    ...(id === null ? {} : { id }),
    type: "function",
    function: { name: "look", arguments: text },
  });
const more = (text: string): string => callDelta({ index: 0, function: { arguments: text } });
const usage = (input: number, output: number): string =>
  payload({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } });

interface Dialect {
  server: string;
  habit: string;
  stream: string;
  route?: string;
  reasoning?: string;
  usage?: { input: number; output: number };
}

const dialects: readonly Dialect[] = [
  {
    server: "OpenAI",
    habit: "sends usage in a last chunk without choices, null before it, and an obfuscation field",
    stream: events(
      payload({
        choices: [{ index: 0, delta: { role: "assistant", content: null, refusal: null } }],
        usage: null,
        obfuscation: "x9",
      }),
      whole(""),
      more('{"at":'),
      more('"a"}'),
      finish("tool_calls"),
      usage(50, 9),
      done,
    ),
    usage: { input: 50, output: 9 },
  },
  {
    server: "Azure OpenAI",
    habit: "is reached through a deployment and opens with filter results and no choices",
    route: "/openai/deployments/my-model/chat/completions?api-version=2024-10-21",
    stream: events(
      payload({
        choices: [],
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false } } }],
      }),
      whole('{"at":"a"}'),
      payload({ choices: [{ index: 0, delta: {}, finish_reason: "tool_calls", content_filter_results: {} }] }),
      done,
    ),
  },
  {
    server: "OpenRouter",
    habit: "sends comments while it waits, reasoning in `reasoning`, and usage beside an empty choice",
    stream: events(
      ": OPENROUTER PROCESSING",
      delta({
        role: "assistant",
        content: "",
        reasoning: "Look first.",
        reasoning_details: [{ type: "reasoning.text", text: "Look first." }],
      }),
      whole('{"at":"a"}'),
      payload({
        choices: [{ index: 0, delta: { content: "" }, finish_reason: "tool_calls", native_finish_reason: "tool_use" }],
      }),
      payload({
        choices: [{ index: 0, delta: { content: "" } }],
        usage: { prompt_tokens: 8, completion_tokens: 2, cost: 0.1 },
      }),
      done,
    ),
    reasoning: "Look first.",
    usage: { input: 8, output: 2 },
  },
  {
    server: "vLLM",
    habit: "counts usage in every chunk when asked to, and names its reasoning `reasoning_content`",
    stream: events(
      payload({
        choices: [{ index: 0, delta: { reasoning_content: "Hm." } }],
        usage: { prompt_tokens: 5, completion_tokens: 1 },
      }),
      whole('{"at":'),
      payload({
        choices: [
          { index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] }, stop_reason: null },
        ],
        usage: { prompt_tokens: 5, completion_tokens: 7 },
      }),
      finish("tool_calls"),
      usage(5, 8),
      done,
    ),
    reasoning: "Hm.",
    usage: { input: 5, output: 8 },
  },
  {
    server: "llama.cpp",
    habit: "puts timings beside the choices, and usage in the last chunk",
    stream: events(
      delta({ role: "assistant", content: null }),
      whole("{"),
      more('"at":"a"'),
      more("}"),
      finish("tool_calls"),
      payload({
        choices: [],
        usage: { prompt_tokens: 4, completion_tokens: 3 },
        timings: { prompt_n: 4, predicted_n: 3 },
      }),
      done,
    ),
    usage: { input: 4, output: 3 },
  },
  {
    server: "Ollama",
    habit: "sends a call whole in one delta, every one under index 0, with empty content beside it",
    stream: events(
      delta({ role: "assistant", content: "", reasoning: "Look." }),
      delta({
        role: "assistant",
        content: "",
        tool_calls: [{ id: "call_a", index: 0, type: "function", function: { name: "look", arguments: '{"at":"a"}' } }],
      }),
      delta({ role: "assistant", content: "" }, "tool_calls"),
      done,
    ),
    reasoning: "Look.",
  },
  {
    server: "LM Studio",
    habit: "sends numeric ids and a finish reason beside the last fragment",
    stream: events(
      delta({ role: "assistant" }),
      whole("", "365174485"),
      more('{"at":"a"'),
      delta({ tool_calls: [{ index: 0, type: "function", function: { name: null, arguments: "}" } }] }, "tool_calls"),
      done,
    ),
  },
];

const servers: FakeModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.assertDone();
    await server.close();
  }
});

describe.each(["whole", "bytes"] as const)("over a stream that arrives %s", (chunking) => {
  it.each(dialects)("$server $habit", async ({ stream, route, reasoning, usage: counted }) => {
    const { state, looked, signals } = await play(
      [
        { kind: "sse", bytes: stream, chunking },
        { kind: "reply", text: "ok", usage: null },
      ],
      route,
    );

    expect(outcomeOf(state)).toMatchObject({ status: "done", text: "ok", turns: 2 });
    expect(looked).toEqual(["a"]);
    if (counted !== undefined) expect(state.usage).toEqual(counted);
    expect(signals.filter((text) => text !== "").join("")).toBe(reasoning ?? "");
  });
});

describe("a key", () => {
  it("goes to Azure in its own header as well, to nobody else", async () => {
    await play([{ kind: "reply", text: "ok" }], "/openai/deployments/d/chat/completions?api-version=2024-10-21");
    await play([{ kind: "reply", text: "ok" }]);

    expect(servers.map((server) => server.requests[0]?.headers["api-key"])).toEqual(["key-1234", undefined]);
  });
});

describe("a refusal because of length", () => {
  const error = (status: number, body: object): ModelStep => ({ kind: "http", status, body: { error: body } });

  it.each([
    [
      "OpenAI",
      error(400, {
        code: "context_length_exceeded",
        message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      }),
      8192,
    ],
    [
      "vLLM",
      error(400, {
        object: "error",
        type: "BadRequestError",
        code: 400,
        message: "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens",
      }),
      8192,
    ],
    [
      "llama.cpp",
      error(400, {
        code: 400,
        type: "exceed_context_size_error",
        message: "the request exceeds the available context size",
        n_prompt_tokens: 9000,
        n_ctx: 8192,
      }),
      8192,
    ],
    [
      "OpenRouter",
      error(400, {
        code: 400,
        message: "This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens",
      }),
      8192,
    ],
    [
      "LM Studio",
      error(400, {
        message: "the model is loaded with context length of only 8192 tokens",
      }),
      8192,
    ],
  ])("is known as one from %s, and its number is learnt", async (_server, refusal, window) => {
    const call: ModelStep = { kind: "reply", calls: [{ name: "look", args: { at: "x".repeat(5_000) } }] };
    const { state } = await play([call, call, refusal, { kind: "reply", text: "ok" }]);

    expect(outcomeOf(state).status).toBe("done");
    expect(state.window).toBe(window);
  });
});

async function play(
  script: readonly ModelStep[],
  route?: string,
): Promise<{ state: RunState; looked: string[]; signals: string[] }> {
  const server = await FakeModelServer.start(script, route);
  servers.push(server);
  const looked: string[] = [];
  const signals: string[] = [];
  const look = defineTool({
    name: "look",
    description: "Looks",
    args: z.strictObject({ at: z.string() }),
    tags: ["read"],
    run: ({ at }) => {
      looked.push(at);
      return Promise.resolve({ ok: true, output: `seen ${looked.length}` });
    },
  });
  const run = runAgent({
    goal: "look",
    modelName: "m",
    model: new OpenAiModel({ baseUrl: server.baseUrl, apiKey: "key-1234" }),
    tools: [look],
    ports: benchPorts(),
    listener: { onSignal: (signal) => signals.push(signal.type === "reasoning_delta" ? signal.text : "") },
  });
  return { state: await run.settled, looked, signals };
}
