import { describe, expect, it } from "vitest";
import type { ModelReply, ReplyCall } from "../../../extension/core/loop/modelReply";
import type { Chunking } from "../../support/modelScript";
import { callDelta, delta, events, finish, payload, readStep } from "../../support/wireStream";

interface WireCase {
  title: string;
  stream: string;
  calls?: readonly (readonly [id: string, name: string, args: Record<string, unknown>])[];
  expected?: Partial<ModelReply>;
}

const done = "[DONE]";
const call = (name: string, text: unknown, rest: object = {}): object => ({
  type: "function",
  ...rest,
  function: { name, arguments: text },
});
const more = (text: string, rest: object = {}): object => ({ ...rest, function: { arguments: text } });

const cases: readonly WireCase[] = [
  {
    title: "01 a call without an id gets one",
    stream: events(
      callDelta(call("read_file", "", { index: 0 })),
      callDelta(more('{"path":"src/', { index: 0 })),
      callDelta(more('schema.ts"}', { index: 0 })),
      finish("tool_calls"),
      done,
    ),
    calls: [["minted-1", "read_file", { path: "src/schema.ts" }]],
    expected: { text: "", notes: ["read_file: the call had no id"] },
  },
  {
    title: "02 a fragment without index and id continues the only open call",
    stream: events(
      callDelta(call("search", '{"query":"TODO"', { id: "call_a1" })),
      callDelta(more(',"glob":"**/*.ts"}')),
      finish("tool_calls"),
      done,
    ),
    calls: [["call_a1", "search", { query: "TODO", glob: "**/*.ts" }]],
  },
  {
    title: "03 name and id sent again in every fragment are set once",
    stream: events(
      ...['{"pa', 'th":"READ', 'ME.md"}'].map((text) =>
        callDelta(call("read_file", text, { index: 0, id: "call_b1" })),
      ),
      finish("tool_calls"),
      done,
    ),
    calls: [["call_b1", "read_file", { path: "README.md" }]],
  },
  {
    title: "04 blank arguments are {}, null content is no text, a chunk without choices only counts tokens",
    stream: events(
      delta({ role: "assistant", content: null }),
      callDelta(call("run_tests", "", { index: 0, id: "call_c1" })),
      finish("tool_calls"),
      payload({ choices: [], usage: { prompt_tokens: 812, completion_tokens: 9, total_tokens: 821 } }),
      done,
    ),
    calls: [["call_c1", "run_tests", {}]],
    expected: { text: "", usage: { input: 812, output: 9 } },
  },
  {
    title: "05 arguments that came as an object are taken as they are",
    stream: events(
      callDelta(call("write_file", { path: "notes/a.txt", content: "one\ntwo\n" }, { index: 0, id: "call_d1" })),
      finish("tool_calls"),
      done,
    ),
    calls: [["call_d1", "write_file", { path: "notes/a.txt", content: "one\ntwo\n" }]],
  },
  {
    title: "06 interleaved fragments are joined by index",
    stream: events(
      callDelta(call("read_file", "", { index: 0, id: "call_e0" }), call("read_file", "", { index: 1, id: "call_e1" })),
      callDelta(more('{"path":"b', { index: 1 })),
      callDelta(more('{"path":"a', { index: 0 })),
      callDelta(more('.ts"}', { index: 1 })),
      callDelta(more('.ts"}', { index: 0 })),
      finish("tool_calls"),
      done,
    ),
    calls: [
      ["call_e0", "read_file", { path: "a.ts" }],
      ["call_e1", "read_file", { path: "b.ts" }],
    ],
  },
  {
    title: "07 a call counts although the reply finished with stop",
    stream: events(
      delta({ content: "Let me look." }),
      callDelta(call("read_file", '{"path":"package.json"}', { index: 0, id: "call_f1" })),
      finish("stop"),
      done,
    ),
    calls: [["call_f1", "read_file", { path: "package.json" }]],
    expected: { text: "Let me look.", finish: "stop" },
  },
  {
    title: "10 [DONE] without a finish reason is a whole reply and is noted",
    stream: events(delta({ content: "The helper handles " }), delta({ content: "naïve input, 你好 too." }), done),
    expected: {
      text: "The helper handles naïve input, 你好 too.",
      finish: null,
      done: true,
      notes: ["finish_reason was missing"],
    },
  },
  {
    title: "11 comments are no content, wherever they stand",
    stream: `: keepalive\n\n:\n\n${events(callDelta(call("list_files", '{"glob":', { index: 0, id: "call_h1" })))}:ping\n\n${events(
      ": ping 28s",
      callDelta(more('"src/**"}', { index: 0 })),
      finish("tool_calls"),
      ": bye",
      done,
    )}`,
    calls: [["call_h1", "list_files", { glob: "src/**" }]],
    expected: { text: "" },
  },
  {
    title: "12 raw newlines and tabs inside argument strings are kept exactly",
    stream: events(
      callDelta(call("edit_file", '{"path":"a.ts","old":"x;\n\ty;","new":"x;\n\tz;', { index: 0, id: "call_i1" })),
      callDelta(more('"}', { index: 0 })),
      finish("tool_calls"),
      done,
    ),
    calls: [["call_i1", "edit_file", { path: "a.ts", old: "x;\n\ty;", new: "x;\n\tz;" }]],
  },
  {
    title: "13 the second of two calls with one id gets its own",
    stream: events(
      callDelta(call("read_file", '{"path":"a.md"}', { index: 0, id: "functions.read_file:7" })),
      callDelta(call("read_file", '{"path":"b.md"}', { index: 1, id: "functions.read_file:7" })),
      finish("tool_calls"),
      done,
    ),
    calls: [
      ["functions.read_file:7", "read_file", { path: "a.md" }],
      ["minted-1", "read_file", { path: "b.md" }],
    ],
  },
  {
    title: "14 a call that leaked as text is text, not a call",
    stream: events(
      delta({ content: "I need the readme.\n\n" }),
      delta({ content: "<function=read_file>\n<parameter=path>\nREADME.md\n</parameter>\n" }),
      finish("stop"),
      done,
    ),
    calls: [],
    expected: {
      text: "I need the readme.\n\n<function=read_file>\n<parameter=path>\nREADME.md\n</parameter>\n",
    },
  },
  {
    title: "15 reasoning is kept apart from the answer, with the field it came in",
    stream: events(
      delta({ content: null, reasoning_content: "The user wants the " }),
      delta({ reasoning_content: "tests run first." }),
      callDelta(call("run_tests", "{}", { index: 0, id: "call_k1" })),
      finish("tool_calls"),
      done,
    ),
    calls: [["call_k1", "run_tests", {}]],
    expected: {
      text: "",
      reasoning: "The user wants the tests run first.",
      reasoningKey: "reasoning_content",
    },
  },
  {
    title: "16 a list that came as a string stays a string for the tool to judge",
    stream: events(
      callDelta(call("todowrite", JSON.stringify({ todos: '[{"text":"Read"}]' }), { index: 0, id: "call_l1" })),
      finish("tool_calls"),
      done,
    ),
    calls: [["call_l1", "todowrite", { todos: '[{"text":"Read"}]' }]],
  },
];

const chunkings: readonly Chunking[] = ["whole", "bytes"];

describe.each(chunkings)("a stream that arrives %s", (chunking) => {
  it.each(cases)("$title", async ({ stream, calls, expected }) => {
    const result = await readStep({ kind: "sse", bytes: stream, chunking });

    expect(result).toMatchObject({ ok: true, attempts: 1 });
    if (!result.ok) return;
    if (calls !== undefined) expect(result.reply.calls.map(toRow)).toEqual(calls);
    for (const made of result.reply.calls)
      expect(made.args).toEqual({ ok: true, value: JSON.parse(made.argumentsText) as unknown });
    if (expected !== undefined) expect(result.reply).toMatchObject(expected);
    expect(result.shown).toBe(result.reply.text);
  });

  it("08 an error inside a 200 is a failure with the server's own text", async () => {
    const message = "upstream worker is at its request limit (9/8)";
    const stream = events(": PROCESSING", payload({ choices: [], error: { code: 502, message } }), done);

    const result = await readStep({ kind: "sse", bytes: stream, chunking });

    expect(result).toMatchObject({ ok: false, failure: { code: "server", status: 502, message } });
  });

  it.each(["clean", "reset"] as const)(
    "09 a stream cut inside arguments (%s end) is dropped, with no call",
    async (end) => {
      const stream = events(
        delta({ content: "Writing the outline now." }),
        callDelta(call("write_file", "", { index: 0, id: "call_g1" })),
        callDelta(more('{"path":"docs/outline.md","content":"# Outline\\n\\n1. Sco', { index: 0 })),
      );

      const result = await readStep({ kind: "sse", bytes: stream, chunking, end });

      expect(result).toMatchObject({ ok: false, failure: { code: "dropped" }, attempts: 1 });
      expect(result).not.toHaveProperty("reply");
    },
  );

  it("a stream cut inside an event is dropped, not malformed", async () => {
    const stream = events(delta({ content: "Half" })) + `data: ${delta({ content: "lost" }).slice(0, 40)}`;

    const result = await readStep({ kind: "sse", bytes: stream, chunking });

    expect(result).toMatchObject({ ok: false, failure: { code: "dropped" } });
  });

  it("[DONE] counts without the blank line after it", async () => {
    const stream = `${events(delta({ content: "hello" }))}data: [DONE]`;

    expect(await readStep({ kind: "sse", bytes: stream, chunking })).toMatchObject({
      ok: true,
      reply: { text: "hello" },
    });
  });

  it("nothing after [DONE] counts", async () => {
    const stream = events(delta({ content: "hello" }), finish("stop"), done, delta({ content: " again" }));

    expect(await readStep({ kind: "sse", bytes: stream, chunking })).toMatchObject({
      ok: true,
      reply: { text: "hello" },
    });
  });

  it("line ends of CR LF and a byte order mark change nothing", async () => {
    const stream = `\uFEFF${events(delta({ content: "héllo" }), finish("stop"), done)}`.replaceAll("\n", "\r\n");

    expect(await readStep({ kind: "sse", bytes: stream, chunking })).toMatchObject({
      ok: true,
      reply: { text: "héllo" },
    });
  });
});

function toRow(made: ReplyCall): readonly [string, string, unknown] {
  return [made.id, made.name, made.args.ok ? made.args.value : made.args.message];
}
