// What people meet with model servers, played through the whole product: real HTTP, real client, real loop.
// Each stream arrives whole and byte by byte; where nothing is left out, with a clean end and with a reset after it.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../../../extension/core";
import type { AnyToolDef } from "../../../extension/core/tools/toolDef";
import { eventsOf, outcomeOf, runOverWire, toolResults, type WireRun } from "../../support/agentBench";
import type { ModelStep, ScriptedRequest } from "../../support/modelScript";
import { callDelta, delta, events, finish, payload } from "../../support/wireStream";

const done = "[DONE]";
const named = (name: string, text: unknown, rest: object = {}): object => ({
  type: "function",
  ...rest,
  function: { name, arguments: text },
});
const more = (text: string, rest: object = {}): object => ({ ...rest, function: { arguments: text } });

interface ServerCase {
  title: string;
  stream: string;
  /** The calls that ran, in order. */
  ran: readonly (readonly [tool: string, args: Record<string, unknown>])[];
  /** What the next request has to say. */
  next?: (request: ScriptedRequest | undefined, bench: WireRun) => void;
}

const cases: readonly ServerCase[] = [
  {
    title: "a call without an id runs under one id, on the call and on its result",
    stream: events(
      callDelta(named("read_file", "", { index: 0 })),
      callDelta(more('{"path":"src/', { index: 0 })),
      callDelta(more('schema.ts"}', { index: 0 })),
      finish("tool_calls"),
      done,
    ),
    ran: [["read_file", { path: "src/schema.ts" }]],
    next: (request, { signals }) => {
      expect(callIds(request)[0]).toMatch(/\S/);
      expect(signals.filter((signal) => signal.type === "text_delta" && signal.turn === 1)).toEqual([]);
    },
  },
  {
    title: "fragments without an index continue the only open call",
    stream: events(
      callDelta(named("search", '{"query":"TODO"', { id: "call_a1" })),
      callDelta(more(',"glob":"**/*.ts"}')),
      finish("tool_calls"),
      done,
    ),
    ran: [["search", { query: "TODO", glob: "**/*.ts" }]],
    next: (request) => expect(callIds(request)).toEqual(["call_a1"]),
  },
  {
    title: "a name and an id repeated in every fragment are taken once",
    stream: events(
      ...['{"pa', 'th":"READ', 'ME.md"}'].map((text) =>
        callDelta(named("read_file", text, { index: 0, id: "call_b1" })),
      ),
      finish("tool_calls"),
      done,
    ),
    ran: [["read_file", { path: "README.md" }]],
    next: (request) => expect(callIds(request)).toEqual(["call_b1"]),
  },
  {
    title: "empty arguments run a tool that needs none, and tell another one what is missing",
    stream: events(
      delta({ role: "assistant", content: null }),
      callDelta(named("run_tests", "", { index: 0, id: "c1" }), named("read_file", " ", { index: 1, id: "c2" })),
      finish("tool_calls"),
      payload({ choices: [], usage: { prompt_tokens: 812, completion_tokens: 9, total_tokens: 821 } }),
      done,
    ),
    ran: [["run_tests", {}]],
    next: (request, { run }) => {
      expect(toolResults(request)["c2"]).toContain("path");
      expect(run.state().usage.input).toBe(812 + 10);
    },
  },
  {
    title: "a last chunk with usage and no choices changes the token count alone",
    stream: events(
      callDelta(named("run_tests", "{}", { index: 0, id: "c1" })),
      finish("tool_calls"),
      payload({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } }),
      done,
    ),
    ran: [["run_tests", {}]],
    next: (_request, { run }) => expect(run.state().usage).toEqual({ input: 17, output: 7 }),
  },
  {
    title: "arguments that came as an object run, and go back as text",
    stream: events(
      callDelta(named("write_file", { path: "notes/a.txt", content: "one\ntwo\n" }, { index: 0, id: "call_d1" })),
      finish("tool_calls"),
      done,
    ),
    ran: [["write_file", { path: "notes/a.txt", content: "one\ntwo\n" }]],
    next: (request) =>
      expect(wireCalls(request)[0]?.function.arguments).toBe('{"path":"notes/a.txt","content":"one\\ntwo\\n"}'),
  },
  {
    title: "interleaved parallel calls are joined by index and answered one by one",
    stream: events(
      callDelta(named("read_file", "", { index: 0, id: "e0" }), named("read_file", "", { index: 1, id: "e1" })),
      callDelta(more('{"path":"b', { index: 1 })),
      callDelta(more('{"path":"a', { index: 0 })),
      callDelta(more('.ts"}', { index: 1 })),
      callDelta(more('.ts"}', { index: 0 })),
      finish("tool_calls"),
      done,
    ),
    ran: [
      ["read_file", { path: "a.ts" }],
      ["read_file", { path: "b.ts" }],
    ],
    next: (request) => expect(callIds(request)).toEqual(["e0", "e1"]),
  },
  {
    title: "a call goes on although the reply finished with stop",
    stream: events(
      delta({ content: "Let me look." }),
      callDelta(named("read_file", '{"path":"package.json"}', { index: 0, id: "f1" })),
      finish("stop"),
      done,
    ),
    ran: [["read_file", { path: "package.json" }]],
  },
  {
    title: "comment lines between events are no content",
    stream: `: keepalive\n\n${events(
      callDelta(named("list_files", '{"glob":', { index: 0, id: "h1" })),
      ": ping",
      callDelta(more('"src/**"}', { index: 0 })),
      finish("tool_calls"),
      done,
    )}`,
    ran: [["list_files", { glob: "src/**" }]],
  },
  {
    title: "raw newlines and tabs inside a string reach the tool exactly, and go back as good JSON",
    stream: events(
      callDelta(named("edit_file", '{"path":"a.ts","old":"x;\n\ty;","new":"x;\n\tz;"}', { index: 0, id: "i1" })),
      finish("tool_calls"),
      done,
    ),
    ran: [["edit_file", { path: "a.ts", old: "x;\n\ty;", new: "x;\n\tz;" }]],
    next: (request) =>
      expect(JSON.parse(wireCalls(request)[0]?.function.arguments ?? "")).toEqual({
        path: "a.ts",
        old: "x;\n\ty;",
        new: "x;\n\tz;",
      }),
  },
  {
    title: "two objects glued in one arguments string run neither, and the answer names the extra data",
    stream: events(
      callDelta(named("read_file", '{"path":"a"}{"path":"b"}', { index: 0, id: "g1" })),
      finish("tool_calls"),
      done,
    ),
    ran: [],
    next: (request) => {
      expect(toolResults(request)["g1"]).toContain('extra data after the first JSON object: {"path":"b"}');
      expect(wireCalls(request)[0]?.function.arguments).toBe("{}");
    },
  },
  {
    title: "two calls with one id both run and get a result each",
    stream: events(
      callDelta(named("read_file", '{"path":"a.md"}', { index: 0, id: "functions.read_file:7" })),
      callDelta(named("read_file", '{"path":"b.md"}', { index: 1, id: "functions.read_file:7" })),
      finish("tool_calls"),
      done,
    ),
    ran: [
      ["read_file", { path: "a.md" }],
      ["read_file", { path: "b.md" }],
    ],
    next: (request) => {
      expect(new Set(callIds(request)).size).toBe(2);
      expect(Object.keys(toolResults(request))).toEqual(callIds(request));
    },
  },
  {
    title: "reasoning goes back with its turn and is not shown as the answer",
    stream: events(
      delta({ content: null, reasoning_content: "The user wants the " }),
      delta({ reasoning_content: "tests run first." }),
      callDelta(named("run_tests", "{}", { index: 0, id: "k1" })),
      finish("tool_calls"),
      done,
    ),
    ran: [["run_tests", {}]],
    next: (request, { signals }) => {
      const [assistant] = (request?.messages ?? []).filter((message) => message["role"] === "assistant");
      expect(assistant?.["reasoning_content"]).toBe("The user wants the tests run first.");
      expect(signals.filter((signal) => signal.type === "text_delta" && signal.turn === 1)).toEqual([]);
    },
  },
  {
    title: "a turn of calls alone goes back with its content key there, and null",
    stream: events(callDelta(named("run_tests", "{}", { index: 0, id: "n1" })), finish("tool_calls"), done),
    ran: [["run_tests", {}]],
    next: (request) => {
      const [assistant] = (request?.messages ?? []).filter((message) => message["role"] === "assistant");
      expect(assistant).toHaveProperty("content", null);
    },
  },
  {
    title: "a tool that does not exist is answered with the names that do",
    stream: events(callDelta(named("run_cell", '{"code":"1"}', { index: 0, id: "u1" })), finish("tool_calls"), done),
    ran: [],
    next: (request) => {
      expect(toolResults(request)["u1"]).toContain("run_cell");
      expect(toolResults(request)["u1"]).toContain("edit_file, list_files, read_file");
    },
  },
];

const ways = (["whole", "bytes"] as const).flatMap((chunking) =>
  (["clean", "reset"] as const).map((end) => ({ chunking, end })),
);

describe.each(ways)("a model server whose stream arrives $chunking with a $end end", ({ chunking, end }) => {
  it.each(cases)("$title", async ({ stream, ran, next }) => {
    const { bench, calls } = await play([
      { kind: "sse", bytes: stream, chunking, end },
      { kind: "reply", text: "ok" },
    ]);

    expect(outcomeOf(await bench.end())).toMatchObject({ status: "done", text: "ok" });
    expect(calls).toEqual(ran);
    const request = bench.requests()[1];
    expect(Object.keys(toolResults(request))).toEqual(callIds(request));
    next?.(request, bench);
  });

  it("text with [DONE] and no finish reason is a whole answer, and the journal notes it", async () => {
    const text = "The helper handles naïve input, 你好 too.";
    const { bench } = await play([{ kind: "sse", bytes: events(delta({ content: text }), done), chunking, end }]);

    expect(outcomeOf(await bench.end())).toMatchObject({ status: "done", text });
    expect(eventsOf(bench, "model_reply")[0]?.notes).toEqual(["finish_reason was missing"]);
  });

  it("an error inside a 200 is told, tried again, and never an empty answer", async () => {
    const error = { code: 502, message: "upstream worker is at its request limit (9/8)" };
    const bytes = events(payload({ choices: [], error }), done);
    const { bench } = await play([
      { kind: "sse", bytes, chunking, end },
      { kind: "reply", text: "ok" },
    ]);

    expect(outcomeOf(await bench.end())).toMatchObject({ status: "done", text: "ok", turns: 1 });
    expect(eventsOf(bench, "model_error")).toMatchObject([{ failure: { message: error.message }, attempt: 1 }]);
  });

  it("an error inside every 200 ends the run as an error with the server's words", async () => {
    const bytes = events(payload({ choices: [], error: { code: 502, message: "no worker" } }), done);
    const step: ModelStep = { kind: "sse", bytes, chunking, end };
    const { bench } = await play([step, step, step]);

    expect(outcomeOf(await bench.end())).toMatchObject({
      status: "error",
      stoppedBy: expect.stringContaining("no worker") as string,
    });
  });

  it("a stream cut inside arguments runs nothing, is told as dropped, and is asked for again", async () => {
    const cut = events(
      delta({ content: "Writing the outline now." }),
      callDelta(named("write_file", "", { index: 0, id: "g1" })),
      callDelta(more('{"path":"docs/outline.md","content":"# Outline\\n\\n1. Sco', { index: 0 })),
    );
    const { bench, calls } = await play([
      { kind: "sse", bytes: cut, chunking, end },
      { kind: "reply", text: "ok" },
    ]);

    expect(outcomeOf(await bench.end()).status).toBe("done");
    expect(calls).toEqual([]);
    expect(eventsOf(bench, "model_error")).toMatchObject([{ failure: { code: "dropped" } }]);
    expect(bench.requests()[1]?.messages).toEqual(bench.requests()[0]?.messages);
    expect(bench.signals.map((signal) => signal.type)).toContain("reply_reset");
  });
});

/** Plays against tools that only note what they were called with. */
async function play(
  script: readonly ModelStep[],
): Promise<{ bench: WireRun; calls: (readonly [string, Record<string, unknown>])[] }> {
  const calls: (readonly [string, Record<string, unknown>])[] = [];
  const note = (name: string, args: z.ZodRawShape, tag: "read" | "write"): AnyToolDef =>
    defineTool({
      name,
      description: name,
      args: z.strictObject(args),
      tags: [tag],
      run: async (given, context) => {
        if (tag === "write") await context.begin({});
        calls.push([name, given]);
        return { ok: true, output: `${name} ran` };
      },
    });
  const text = z.string();
  const tools = [
    note("edit_file", { path: text, old: text, new: text }, "write"),
    note("list_files", { glob: text }, "read"),
    note("read_file", { path: text }, "read"),
    note("run_tests", {}, "read"),
    note("search", { query: text, glob: text }, "read"),
    note("write_file", { path: text, content: text }, "write"),
  ];
  const bench = await runOverWire(script, { tools, retry: { maxAttempts: 3, firstWaitMs: 1, maxWaitMs: 5 } });
  return { bench, calls };
}

interface WireCall {
  id: string;
  function: { name: string; arguments: string };
}

function wireCalls(request: ScriptedRequest | undefined): WireCall[] {
  return (request?.messages ?? []).flatMap((message) => (message["tool_calls"] as WireCall[] | undefined) ?? []);
}

function callIds(request: ScriptedRequest | undefined): string[] {
  return wireCalls(request).map((call) => call.id);
}
