import { describe, expect, it } from "vitest";
import { streamReply, type StreamReplyResult } from "../../../extension/core/loop/streamReply";
import type { ModelChunk, ModelClient } from "../../../extension/core/ports/modelClient";
import { FakeClock } from "../../support/fakeClock";
import type { ModelStep } from "../../support/modelScript";
import { ScriptedModel } from "../../support/scriptedModel";
import { countingIds, delta, events, finish, payload, plainRequest } from "../../support/wireStream";

const good: ModelStep = { kind: "reply", text: "done" };
const cut: Extract<ModelStep, { kind: "sse" }> = { kind: "sse", bytes: events(delta({ content: "half" })) };
const http = (status: number, error: object = {}, headers: Record<string, string> = {}): ModelStep => ({
  kind: "http",
  status,
  headers,
  body: { error: { message: "m", ...error } },
});

const retried: readonly (readonly [string, ModelStep])[] = [
  ["rate limit", http(429)],
  ["server failure", http(500)],
  ["overloaded server", http(503)],
  ["cut stream", cut],
  ["reset connection", { ...cut, end: "reset" }],
  ["malformed event", { kind: "sse", bytes: "data: {\n\n" }],
  ["error in a 200", { kind: "sse", bytes: events(payload({ error: { message: "m" } }), "[DONE]") }],
];

describe("streamReply: retries", () => {
  it.each(retried)("tries again after a %s", async (_title, step) => {
    const bench = await startBench([step, good]);
    await bench.clock.advance(1_000);

    expect(await bench.result).toMatchObject({ ok: true, reply: { text: "done" }, attempts: 2 });
    bench.assertClean();
  });

  it.each([
    ["quota", http(429, { code: "insufficient_quota" })],
    ["auth", http(401)],
    ["not-found", http(404)],
    ["bad-request", http(400)],
    ["overflow", http(400, { code: "context_length_exceeded" })],
  ])("sends a request that failed with %s once only", async (code, step) => {
    const bench = await startBench([step]);

    expect(await bench.result).toMatchObject({ ok: false, failure: { code, message: "m" }, attempts: 1 });
    expect(bench.log).toEqual([]);
    bench.assertClean();
  });

  it("doubles the wait, stops after four tries and hands on the last failure", async () => {
    const bench = await startBench([http(500), http(502), cut, http(503, { message: "last" })]);
    await bench.clock.advance(7_000);

    expect(await bench.result).toMatchObject({ ok: false, failure: { status: 503, message: "last" }, attempts: 4 });
    expect(bench.log).toEqual([
      "retry 1 in 1000: server",
      "retry 2 in 2000: server",
      "text half",
      "reset",
      "retry 3 in 4000: dropped",
    ]);
    bench.assertClean();
  });

  it("waits as long as the server asks, but never more than a minute", async () => {
    const bench = await startBench([
      http(429, {}, { "retry-after": "2" }),
      http(429, {}, { "retry-after": "3600" }),
      good,
    ]);
    await bench.clock.advance(62_000);

    expect(await bench.result).toMatchObject({ ok: true, attempts: 3 });
    expect(bench.log.slice(0, 2)).toEqual(["retry 1 in 2000: rate-limit", "retry 2 in 60000: rate-limit"]);
  });

  it("sends the same request again and keeps nothing of the failed try", async () => {
    const bench = await startBench([cut, good]);
    await bench.clock.advance(1_000);

    expect(await bench.result).toMatchObject({ ok: true, reply: { text: "done" } });
    expect(bench.log.slice(0, 3)).toEqual(["text half", "reset", "retry 1 in 1000: dropped"]);
    expect(bench.model.requests[1]).toEqual(bench.model.requests[0]);
  });
});

describe("streamReply: silence", () => {
  it("gives up a request that brings no headers", async () => {
    const bench = await startBench([{ kind: "stall" }, good]);
    await bench.clock.advance(stallMs - 1);
    expect(bench.log).toEqual([]);
    await bench.clock.advance(1_001);

    expect(await bench.result).toMatchObject({ ok: true, attempts: 2 });
    expect(bench.log[0]).toBe("retry 1 in 1000: stalled");
    bench.assertClean();
  });

  it("gives up a body that goes silent, also when the client ignores its signal", async () => {
    const bench = await startBench(deafModel([toData(delta({ content: "half" })), "hang"]));
    await bench.clock.advance(stallMs + 7_000 + 3 * stallMs);

    expect(await bench.result).toMatchObject({ ok: false, failure: { code: "stalled" }, attempts: 4 });
    expect(bench.clock.sleeping).toBe(0);
  });

  it("takes life without content for life", async () => {
    const life: (ModelChunk | number)[] = Array.from({ length: 8 }, (_, index) =>
      index % 2 === 0 ? stallMs - 1 : { type: "activity" },
    );
    const clock = new FakeClock();
    const bench = await startBench(deafModel([...life, toData(finish("stop")), { type: "done" }], clock), clock);
    await clock.advance(stallMs * 8);

    expect(await bench.result).toMatchObject({ ok: true, attempts: 1 });
    bench.assertClean();
  });

  it("takes a reply with a finish reason for whole when only the end of the stream stays out", async () => {
    const first = events(delta({ content: "all" }), finish("stop"));
    const bench = await startBench([{ kind: "stall", first }]);
    await bench.clock.advance(stallMs);

    expect(await bench.result).toMatchObject({ ok: true, reply: { text: "all", notes: ["[DONE] was missing"] } });
  });
});

describe("streamReply: stopping", () => {
  it("ends a wait at once", async () => {
    const bench = await startBench([http(429, {}, { "retry-after": "50" })]);
    expect(bench.log).toEqual(["retry 1 in 50000: rate-limit"]);
    bench.stop();

    expect(await bench.result).toMatchObject({ ok: false, failure: { code: "cancelled" }, attempts: 1 });
    bench.assertClean();
  });

  it("ends a silent request at once, also when the client ignores its signal", async () => {
    for (const model of [new ScriptedModel([{ kind: "stall" }]), deafModel(["hang"])]) {
      const bench = await startBench(model);
      bench.stop();

      expect(await bench.result).toMatchObject({ ok: false, failure: { code: "cancelled" }, attempts: 1 });
      expect(bench.clock.sleeping).toBe(0);
    }
  });

  it("sends nothing when it was stopped before", async () => {
    const clock = new FakeClock();
    const model = new ScriptedModel([]);
    const options = { model, clock, stallMs, ids: countingIds() };

    expect(await streamReply(plainRequest, options, AbortSignal.abort())).toMatchObject({
      failure: { code: "cancelled" },
      attempts: 0,
    });
    expect(model.requests).toEqual([]);
  });
});

const stallMs = 30_000;

interface Bench {
  result: Promise<StreamReplyResult>;
  model: ScriptedModel;
  clock: FakeClock;
  /** What views were told, in order. */
  log: string[];
  stop(): void;
  /** No step and no timer is left. */
  assertClean(): void;
}

/** Started, and run up to its first wait. */
async function startBench(script: readonly ModelStep[] | ModelClient, clock = new FakeClock()): Promise<Bench> {
  const model = Array.isArray(script) ? new ScriptedModel(script as readonly ModelStep[]) : (script as ScriptedModel);
  const log: string[] = [];
  const controller = new AbortController();
  const result = streamReply(
    plainRequest,
    {
      model,
      clock,
      stallMs,
      ids: countingIds(),
      onText: (text) => log.push(`text ${text}`),
      onReset: () => log.push("reset"),
      onRetry: ({ attempt, waitMs, failure }) => void log.push(`retry ${attempt} in ${waitMs}: ${failure.code}`),
    },
    controller.signal,
  );
  const assertClean = (): void => {
    if (model instanceof ScriptedModel) model.assertDone();
    expect(clock.sleeping).toBe(0);
  };
  await clock.advance(0);
  return { result, model, clock, log, stop: () => controller.abort(), assertClean };
}

/** A client that never looks at its signal. A number is a pause in the clock's time, "hang" lasts for ever. */
function deafModel(steps: readonly (ModelChunk | number | "hang")[], clock?: FakeClock): ModelClient {
  return {
    endpoint: "deaf",
    async *stream() {
      for (const step of steps) {
        if (step === "hang") await new Promise<never>(() => undefined);
        else if (typeof step === "number") await clock?.sleep(step);
        else yield step;
      }
    },
  };
}

function toData(json: string): ModelChunk {
  return { type: "data", json };
}
