// A fuzzer over model streams and tool arguments. Whatever a server sends: no crash, no hang, and no tool runs from a
// call that was not whole. What may run is decided by how the bytes were made, not by how the product reads them.
// DONEGATE_FUZZ_SECONDS (at most 60) lengthens it, DONEGATE_FUZZ_SEED plays another sequence.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool, runAgent } from "../../extension/core";
import { parseArguments } from "../../extension/core/loop/parseArguments";
import type { ModelChunk, ModelClient } from "../../extension/core/ports/modelClient";
import { readReplyBody } from "../../extension/node/openAiModelBody";
import { benchPorts, runOverWire } from "../support/agentBench";
import { seededRandom } from "../support/seededRandom";
import {
  cutByChance,
  randomArgs,
  randomReply,
  spoil,
  type FuzzedReply,
  type FuzzedStream,
  type Random,
} from "../support/wireFuzz";

const seconds = Math.min(60, Number(process.env["DONEGATE_FUZZ_SECONDS"] ?? 6));
const seed = Number(process.env["DONEGATE_FUZZ_SEED"] ?? 20_261_201);
const share = { inProcess: 0.6, overHttp: 0.2, args: 0.2 };

describe("model streams of any bytes", () => {
  it("never crash or hang the loop, and run nothing but whole calls", { timeout: 90_000 }, async () => {
    const tried = new Map<string, number>();
    await forSeconds(seconds * share.inProcess, async (at) => {
      const random = seededRandom(seed + at);
      const reply = randomReply(random);
      const stream = spoil(random, reply);
      const ran: Record<string, unknown>[] = [];
      const model = bodyModel(random, stream.bytes);
      const run = runAgent({ ...runOptions(ran), model });
      const state = await withinSeconds(10, run.settled, `case ${at} (${stream.spoiled}) hangs`);
      expect(["done", "error", "incomplete"], `case ${at}`).toContain(state.end?.status);
      judge(at, reply, stream, ran);
      tried.set(stream.spoiled, (tried.get(stream.spoiled) ?? 0) + 1);
    });
    // Every way to spoil a stream came up, or the fuzzer proves less than it says.
    expect(tried.size).toBe(12);
    process.stdout.write(`fuzzed ${[...tried.values()].reduce((sum, count) => sum + count, 0)} streams in process\n`);
  });

  it("do the same over HTTP, with a clean end and with a reset", { timeout: 90_000 }, async () => {
    let tried = 0;
    await forSeconds(seconds * share.overHttp, async (at) => {
      const random = seededRandom(seed + 1_000_000 + at);
      const reply = randomReply(random);
      const stream = spoil(random, reply);
      const ran: Record<string, unknown>[] = [];
      const end = random.below(8) === 0 ? "reset" : "clean";
      const chunking = random.pick(["whole", 5, 64] as const);
      const bench = await runOverWire(
        (_request, index) =>
          index === 0 ? { kind: "sse", bytes: stream.bytes, chunking, end } : { kind: "reply", text: "ok" },
        runOptions(ran),
      );
      await withinSeconds(10, bench.end(), `case ${at} (${stream.spoiled}, ${end}) hangs over HTTP`);
      judge(at, reply, stream, ran);
      tried += 1;
    });
    process.stdout.write(`fuzzed ${tried} streams over HTTP\n`);
  });
});

describe("tool arguments of any text", () => {
  it("are read as they stand, repaired only in raw control characters, or refused", { timeout: 90_000 }, async () => {
    let tried = 0;
    await forSeconds(seconds * share.args, async (at) => {
      const random = seededRandom(seed + 2_000_000 + at);
      const value = randomArgs(random);
      const whole = JSON.stringify(value);
      expect(parseArguments(whole)).toEqual({ args: { ok: true, value }, text: whole, note: null });
      expect(parseArguments(whole.slice(0, 1 + random.below(whole.length - 1))).args.ok, `case ${at}, cut`).toBe(false);
      expect(parseArguments(whole + whole).args.ok, `case ${at}, glued`).toBe(false);
      expect(parseArguments(whole + random.pick(["x", "}", ",", "[]", '"'])).args.ok, `case ${at}, more`).toBe(false);
      const spoiled = splice(random, whole);
      const read = parseArguments(spoiled);
      if (read.args.ok && spoiled.trim() !== "") {
        expect(JSON.parse(read.text), `case ${at}`).toEqual(read.args.value);
        expect(withoutControls(read.text), `case ${at}: ${JSON.stringify(spoiled)}`).toBe(withoutControls(spoiled));
      }
      tried += 1;
      await Promise.resolve();
    });
    process.stdout.write(`fuzzed ${tried} arguments\n`);
  });
});

/** Held against how the bytes were made. */
function judge(at: number, reply: FuzzedReply, stream: FuzzedStream, ran: readonly Record<string, unknown>[]): void {
  const where = `seed ${seed}, case ${at}, ${stream.spoiled}`;
  const sent = reply.calls.map((call) => JSON.stringify(call.args));
  const made = ran.map((args) => JSON.stringify(args));
  if (stream.allowed === "same") expect(made, where).toEqual(sent);
  if (stream.allowed === "none") expect(made, where).toEqual([]);
  if (stream.allowed === "subset")
    expect(
      made.filter((args) => !sent.includes(args)),
      where,
    ).toEqual([]);
  if (stream.allowed === "any" && made.length > 0) expect(endsWhole(stream.bytes), where).toBe(true);
}

/** By itself, without the product's parser: the end of a whole reply stands somewhere in these bytes. */
function endsWhole(bytes: Uint8Array): boolean {
  return /^data: ?\[DONE\]|"finish_reason": ?"/m.test(Buffer.from(bytes).toString("utf8"));
}

function runOptions(
  ran: Record<string, unknown>[],
): Pick<Parameters<typeof runAgent>[0], "goal" | "modelName" | "ports" | "tools" | "retry" | "stallMs" | "budget"> {
  const note = defineTool({
    name: "note",
    description: "Notes its arguments",
    args: z.looseObject({}),
    tags: ["write"],
    run: async (args, context) => {
      await context.begin({});
      ran.push(args);
      return { ok: true, output: "noted" };
    },
  });
  return {
    goal: "note",
    modelName: "fuzzed",
    ports: benchPorts(),
    tools: [note],
    retry: { maxAttempts: 2, firstWaitMs: 0, maxWaitMs: 0 },
    stallMs: 5_000,
    budget: { maxTurns: 4 },
  };
}

/** The first request gets the bytes through the product's own reader, every later one a short good answer. */
function bodyModel(random: Random, bytes: Uint8Array): ModelClient {
  let requests = 0;
  const connection = { endpoint: "fuzz", model: "fuzzed", apiKey: null };
  return {
    endpoint: "fuzz",
    async *stream(_request, signal): AsyncGenerator<ModelChunk, void, void> {
      requests += 1;
      const good = Buffer.from(
        'data: {"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
      const chunks = requests === 1 ? cutByChance(random, bytes) : [good];
      yield* readReplyBody(ReadableStream.from<Uint8Array>(chunks), connection, signal);
    },
  };
}

async function forSeconds(length: number, one: (at: number) => Promise<void>): Promise<void> {
  const end = performance.now() + length * 1_000;
  for (let at = 0; at < 100 || performance.now() < end; at += 1) await one(at);
}

async function withinSeconds<T>(length: number, promise: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), length * 1_000);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Raw control characters, their escapes, and JSON's own white space say nothing about content here. */
function withoutControls(text: string): string {
  return text.replaceAll(/\\(?:[nrtbf]|u00[01][0-9a-f])|[\u0000-\u001f]/g, "");
}

function splice(random: Random, text: string): string {
  const at = random.below(text.length);
  const put = random.pick(["\n", "\t", "\r\n", "\u0001", '"', "\\", "{", "}", "", "é"]);
  return text.slice(0, at) + put + text.slice(at + random.below(3));
}
