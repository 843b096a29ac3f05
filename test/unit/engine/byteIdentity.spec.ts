// Design 3.2, rule 1: without completion and guardrails the engine sends the bytes of a plain loop, no more and no less.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool, runAgent, type RunAgentOptions } from "../../../extension/core";
import { parseArguments } from "../../../extension/core/tools/parseArguments";
import { todowrite } from "../../../extension/core/tools/todowrite";
import { createRegistry } from "../../../extension/core/tools/toolRegistry";
import type { AnyToolDef, ToolContext } from "../../../extension/core/tools/toolDef";
import { NodeHasher } from "../../../extension/node/nodeHasher";
import { OpenAiModel } from "../../../extension/node/openAiModel";
import { RandomIds } from "../../../extension/node/randomIds";
import { SystemClock } from "../../../extension/node/systemClock";
import { FakeModelServer } from "../../support/fakeModelServer";
import { toEventStream, toPayloads, type ModelStep } from "../../support/modelScript";
import { runReferenceLoop } from "../../support/referenceLoop";

const prompt = "You are terse.\nWork in the folder “Ünïcode”.";
const goal = 'Count the rows of "data".csv, 数える 🧮';

const look = defineTool({
  name: "look",
  description: "Looks at a place – any place",
  args: z.strictObject({ at: z.string().min(1), depth: z.int().optional() }),
  tags: ["read"],
  run: ({ at }) => Promise.resolve({ ok: true, output: `at ${at}: ñ, 漢字, 🚀, "quoted"\n\tand a tab` }),
});
const breakDown = defineTool({
  name: "break_down",
  description: "Always fails",
  args: z.strictObject({ how: z.enum(["value", "throw"]) }),
  tags: ["write"],
  run: async ({ how }, context) => {
    await context.begin({});
    if (how === "throw") throw new Error("it broke");
    return { ok: false, code: "failed", message: "no such luck" };
  },
});
const tools: readonly AnyToolDef[] = [look, breakDown];

const call = (name: string, args: Record<string, unknown> | string) => ({ name, args });
const reply = (step: Omit<Extract<ModelStep, { kind: "reply" }>, "kind">): ModelStep => ({ kind: "reply", ...step });
const end = reply({ text: "All counted." });

const scripts: Record<string, readonly ModelStep[]> = {
  "text only": [end],
  "one call": [reply({ calls: [call("look", { at: "a" })] }), end],
  "parallel calls": [
    reply({ calls: [call("look", { at: "a" }), call("break_down", { how: "value" }), call("look", { at: "b" })] }),
    reply({ calls: [call("look", { at: "c", depth: 2 }), call("look", { at: "d" })] }),
    end,
  ],
  "text and calls": [
    reply({ text: "First I look.", calls: [call("look", { at: "a" })] }),
    reply({ text: "Then again.", calls: [call("look", { at: "b" })] }),
    end,
  ],
  "a tool that fails": [reply({ calls: [call("break_down", { how: "value" })] }), end],
  "a tool that throws": [reply({ calls: [call("break_down", { how: "throw" })] }), end],
  "an unknown argument": [reply({ calls: [call("look", { at: "a", wherever: true })] }), end],
  "arguments written with spaces and escapes": [
    reply({ calls: [call("look", '{ "at" : "a\\u00e9\\n" ,  "depth":1 }')] }),
    end,
  ],
  reasoning: [
    reply({ reasoning: "Where might it be? ", text: "Looking.", calls: [call("look", { at: "a" })] }),
    reply({ reasoning: "There it is.", calls: [call("look", { at: "b" })] }),
    end,
  ],
  unicode: [
    reply({ text: "Zähle 数 🧮\u2028", calls: [call("look", { at: "日本/ü\u0301 🗂" })], chunking: "bytes" }),
    end,
  ],
  "usage chunks, and none": [
    reply({ calls: [call("look", { at: "a" })], usage: { input: 100_000, output: 3 } }),
    reply({ calls: [call("look", { at: "b" })], usage: null }),
    { kind: "sse", bytes: toEventStream(toPayloads({ text: "done", usage: { input: 1, output: 1 } }, 2)) },
  ],
};

/** What a plain program does with a call: validate, run, answer the text. */
async function execute(name: string, argumentsText: string): Promise<string> {
  const tool = createRegistry(tools).find(name);
  if (tool === null) throw new Error(`the script calls ${name}, which is no tool`);
  const parsed = parseArguments(tool, JSON.parse(argumentsText));
  if (!parsed.ok) return parsed.message;
  try {
    const result = await tool.run(parsed.args, { begin: () => Promise.resolve() } as unknown as ToolContext);
    return result.ok ? result.output : result.message;
  } catch (error: unknown) {
    return `${name} failed: ${(error as Error).message}`;
  }
}

async function bodiesOfReference(script: readonly ModelStep[], given = tools): Promise<Buffer[]> {
  const server = await FakeModelServer.start(script);
  const wire = createRegistry(given).wire();
  await runReferenceLoop({ baseUrl: server.baseUrl, model: "m1", systemPrompt: prompt, goal, tools: wire, execute });
  server.assertDone();
  await server.close();
  return server.requests.map((request) => request.body);
}

async function bodiesOfEngine(script: readonly ModelStep[], extra: Partial<RunAgentOptions> = {}): Promise<Buffer[]> {
  const server = await FakeModelServer.start(script);
  const clock = new SystemClock();
  const run = runAgent({
    goal,
    prompt,
    tools,
    modelName: "m1",
    model: new OpenAiModel({ baseUrl: server.baseUrl, apiKey: "engine" }),
    ports: { clock, ids: new RandomIds(clock), hasher: new NodeHasher() },
    ...extra,
  });
  const state = await run.settled;
  expect(state.end?.status).toBe("done");
  server.assertDone();
  await server.close();
  return server.requests.map((request) => request.body);
}

const texts = (bodies: readonly Buffer[]): string[] => bodies.map((body) => body.toString("utf8"));

describe("without completion and guardrails", () => {
  it.each(Object.entries(scripts))("the bytes sent are those of the reference loop: %s", async (_name, script) => {
    const reference = await bodiesOfReference(script);
    const engine = await bodiesOfEngine(script);
    // Text first: a difference is readable there.
    expect(texts(engine)).toEqual(texts(reference));
    expect(engine.map((body, at) => body.equals(reference[at] ?? Buffer.alloc(0)))).toEqual(reference.map(() => true));
    expect(engine).toHaveLength(script.length);
  });

  it("no tools are announced when there are none", async () => {
    const [body] = await bodiesOfEngine([end], { tools: [] });
    expect(body).toEqual((await bodiesOfReference([end], []))[0]);
    expect(body?.includes("tools")).toBe(false);
  });

  it("a hook that changes nothing leaves the bytes alone", async () => {
    const script = scripts["parallel calls"] ?? [];
    expect(await bodiesOfEngine(script, { beforeTool: () => undefined })).toEqual(await bodiesOfReference(script));
  });
});

describe("with completion or guardrails", () => {
  const script = scripts["text and calls"] ?? [];
  const completion = { verify: () => ({ ok: true }), maxAttempts: 2 };
  const guardrails = [() => ({ decision: "allow" as const })];
  const completionSentence = /^Your work counts as done only when checks .+ pass\. .+$/;
  const guardrailSentence = /^A call answered with `denied:` was not executed\. .+$/;

  it.each([
    ["completion", { completion }, [completionSentence]],
    ["guardrails", { guardrails }, [guardrailSentence]],
    ["both", { completion, guardrails }, [completionSentence, guardrailSentence]],
  ])("%s adds its sentences to the system prompt and changes nothing else", async (_name, extra, sentences) => {
    const plain = await bodiesOfEngine(script);
    const gated = await bodiesOfEngine(script, extra);
    const added = systemPromptOf(gated[0]).slice(prompt.length);
    expect(systemPromptOf(gated[0]).startsWith(prompt)).toBe(true);
    const lines = added.split("\n").slice(1);
    expect(lines).toHaveLength(sentences.length);
    sentences.forEach((sentence, at) => expect(lines[at]).toMatch(sentence));
    const withoutAddition = texts(gated).map((text) => text.replace(JSON.stringify(added).slice(1, -1), ""));
    expect(withoutAddition).toEqual(texts(plain));
  });

  it("`todos` adds the completion's sentence alone: the tool itself was chosen by the caller", async () => {
    const given = [...tools, todowrite];
    const plain = await bodiesOfEngine(script, { tools: given });
    const gated = await bodiesOfEngine(script, { tools: given, completion: { verify: "todos", maxAttempts: 1 } });
    const added = systemPromptOf(gated[0]).slice(prompt.length);
    expect(added.split("\n").slice(1)).toEqual([expect.stringMatching(completionSentence)]);
    expect(texts(gated).map((text) => text.replace(JSON.stringify(added).slice(1, -1), ""))).toEqual(texts(plain));
  });
});

function systemPromptOf(body: Buffer | undefined): string {
  const { messages } = JSON.parse(body?.toString("utf8") ?? "{}") as { messages: { role: string; content: string }[] };
  const [first] = messages;
  expect(first?.role).toBe("system");
  return first?.content ?? "";
}
