// Waiting, giving up and correcting, in a whole run: what a person sees of it, and what is never sent again.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../../../extension/core";
import { eventsOf, outcomeOf, runOverWire, type BenchOptions } from "../../support/agentBench";
import type { ModelStep } from "../../support/modelScript";

const http = (status: number, error: object, headers: Record<string, string> = {}): ModelStep => ({
  kind: "http",
  status,
  headers,
  body: { error: { message: "m", ...error } },
});
const say = (text: string): ModelStep => ({ kind: "reply", text });

describe("a model server that asks to wait", () => {
  it("is waited for with a countdown that never exceeds a minute, and Stop ends the wait at once", async () => {
    const bench = await runOverWire([http(429, {}, { "retry-after": "3600" })]);
    await until(() => bench.signals.some((signal) => signal.type === "retry_countdown"));
    const stopped = performance.now();
    await bench.run.send({ type: "stop" });

    expect(outcomeOf(await bench.end()).status).toBe("interrupted");
    expect(performance.now() - stopped).toBeLessThan(2_000);
    expect(bench.signals).toContainEqual({
      type: "retry_countdown",
      attempt: 1,
      waitMs: 60_000,
      message: expect.stringContaining("the server asks to wait 3600 s, 60 s are waited") as string,
    });
    expect(eventsOf(bench, "model_error")).toMatchObject([{ attempt: 1, retryInMs: 60_000 }]);
  });

  it("is asked again with the same bytes after the wait", async () => {
    const bench = await runOverWire([
      http(429, {}, { "retry-after": "0" }),
      http(503, {}, { "retry-after": "0" }),
      say("ok"),
    ]);

    expect(outcomeOf(await bench.end())).toMatchObject({ status: "done", turns: 1 });
    const [first, second, third] = bench.requests();
    expect([second, third]).toEqual([first, first]);
  });
});

describe("a request that no repetition can help", () => {
  it.each([
    [
      "an empty account",
      http(429, { code: "insufficient_quota", message: "You exceeded your current quota" }),
      "current quota",
    ],
    ["an empty account by HTTP 402", http(402, { message: "Insufficient credits" }), "Insufficient credits"],
    ["a bad request", http(400, { message: "tools[0].function.name is not valid" }), "tools[0].function.name"],
    ["a request the server cannot process", http(422, { message: "unprocessable" }), "unprocessable"],
    ["a refused key", http(401, { message: "Incorrect API key" }), "Incorrect API key"],
  ])("is sent once only: %s", async (_title, step, words) => {
    const bench = await runOverWire([step]);

    expect(outcomeOf(await bench.end())).toMatchObject({
      status: "error",
      stoppedBy: expect.stringContaining(words) as string,
    });
    expect(bench.requests()).toHaveLength(1);
    expect(bench.signals.filter((signal) => signal.type === "retry_countdown")).toEqual([]);
  });
});

describe("an empty reply", () => {
  const nothing: ModelStep = { kind: "reply", calls: [] };
  const verify = (): { ok: boolean } => ({ ok: true });

  it("is not the claim to be done: the gate does not judge, and the model is told", async () => {
    const { options } = readers();
    const bench = await runOverWire([nothing, say("  "), say("Done.")], {
      ...options,
      completion: { verify, maxAttempts: 1 },
    });
    expect(outcomeOf(await bench.end())).toMatchObject({ status: "done", text: "Done.", attempts: 1, turns: 3 });
    expect(bench.requests()[1]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("was empty") as string,
    });
  });

  it("ends the run as stuck when it comes three times in a row, with no attempt used", async () => {
    const { options } = readers();
    const bench = await runOverWire([nothing, nothing, nothing], {
      ...options,
      completion: { verify, maxAttempts: 3 },
    });
    expect(outcomeOf(await bench.end())).toMatchObject({ status: "incomplete", limit: "stuck", attempts: 0 });
  });

  it("ends a run without a gate, as it would any other loop", async () => {
    const { options } = readers();
    const bench = await runOverWire([nothing], options);
    expect(outcomeOf(await bench.end())).toMatchObject({ status: "done", text: "" });
    expect(bench.requests()).toHaveLength(1);
  });
});

describe("a call that leaked into the text", () => {
  const leaked = say("I need it.\n\n<function=read_file>\n<parameter=path>\nREADME.md\n</parameter>\n");
  const read: ModelStep = { kind: "reply", calls: [{ name: "read_file", args: { path: "README.md" } }] };

  it("is not run and is no final answer: the model is told once, and goes on", async () => {
    const { options, ran } = readers();
    const bench = await runOverWire([leaked, read, say("Read.")], options);

    expect(outcomeOf(await bench.end())).toMatchObject({ status: "done", text: "Read." });
    expect(ran).toEqual(["README.md"]);
    const corrections = bench
      .requests()[2]
      ?.messages.filter((message) => String(message["content"]).includes("written as text"));
    expect(corrections).toMatchObject([{ role: "user", content: expect.stringContaining("read_file") as string }]);
    expect(eventsOf(bench, "model_reply")[0]?.textCall).toEqual({ tool: "read_file", form: "function tag" });
  });

  it("is corrected twice in a row at most; then the run is stuck and says why", async () => {
    const { options, ran } = readers();
    const bench = await runOverWire([leaked, leaked, leaked], options);

    expect(outcomeOf(await bench.end())).toMatchObject({
      status: "incomplete",
      limit: "stuck",
      stoppedBy: "3 replies in a row held neither a tool call nor an answer",
    });
    expect(ran).toEqual([]);
  });

  it("starts the count anew after a real call", async () => {
    const { options } = readers();
    const bench = await runOverWire([leaked, leaked, read, leaked, leaked, read, say("done")], options);

    expect(outcomeOf(await bench.end()).status).toBe("done");
  });

  it("is never judged by the gate", async () => {
    const { options } = readers();
    let judged = 0;
    const verify = (): { ok: boolean } => ({ ok: (judged += 1) > 0 });
    const bench = await runOverWire([leaked, say("done")], { ...options, completion: { verify, maxAttempts: 1 } });

    expect(outcomeOf(await bench.end()).status).toBe("done");
    expect(judged).toBe(1);
  });
});

describe("calls that cannot be used", () => {
  it.each([
    ["an unknown tool", { name: "run_cell", args: { code: "1" } }],
    ["broken arguments", { name: "read_file", args: '{"path":' }],
  ])("three turns of %s in a row end the run as stuck", async (_title, call) => {
    const { options, ran } = readers();
    const turn = (at: number): ModelStep => ({ kind: "reply", calls: [{ ...call, id: `c${at}` }] });
    const bench = await runOverWire([turn(0), turn(1), turn(2)], options);

    expect(outcomeOf(await bench.end())).toMatchObject({ status: "incomplete", limit: "stuck" });
    expect(ran).toEqual([]);
  });
});

describe("parallel calls of one reply", () => {
  it("run reads side by side and changes one after the other, in their order", async () => {
    const log: string[] = [];
    let inside = 0;
    let most = 0;
    let release: () => void = () => undefined;
    const both = new Promise<void>((resolve) => (release = resolve));
    const read = defineTool({
      name: "read",
      description: "r",
      args: z.strictObject({ at: z.string() }),
      tags: ["read"],
      run: async ({ at }) => {
        // Each waits for the other: one after the other they would never end.
        if ((most += 1) === 2) release();
        await both;
        return { ok: true, output: at };
      },
    });
    const change = defineTool({
      name: "change",
      description: "c",
      args: z.strictObject({ at: z.string() }),
      tags: ["write"],
      run: async ({ at }, context) => {
        await context.begin({});
        expect((inside += 1)).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        log.push(at);
        return { ok: true, output: at };
      },
    });
    const calls = ["a", "b"].map((at) => ({ name: "read", args: { at } }));
    const changes = ["1", "2", "3"].map((at) => ({ name: "change", args: { at } }));
    const bench = await runOverWire([{ kind: "reply", calls: [...calls, ...changes] }, say("ok")], {
      tools: [read, change],
    });

    expect(outcomeOf(await bench.end()).status).toBe("done");
    expect(log).toEqual(["1", "2", "3"]);
    const results = bench.requests()[1]?.messages.filter((message) => message["role"] === "tool");
    expect(results?.map((message) => message["content"])).toEqual(["a", "b", "1", "2", "3"]);
  });
});

function readers(): { options: BenchOptions; ran: string[] } {
  const ran: string[] = [];
  const read = defineTool({
    name: "read_file",
    description: "Reads",
    args: z.strictObject({ path: z.string() }),
    tags: ["read"],
    run: ({ path }) => {
      ran.push(path);
      return Promise.resolve({ ok: true, output: `${path} read ${ran.length}` });
    },
  });
  return { options: { tools: [read] }, ran };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
