import { describe, expect, it } from "vitest";
import { assembleReply } from "../../../extension/core/loop/assembleReply";
import type { AssembledReply, ModelReply } from "../../../extension/core/loop/modelReply";
import { modelFailure } from "../../../extension/core/loop/modelFailure";
import type { ModelChunk } from "../../../extension/core/ports/modelClient";
import { callDelta, countingIds, delta, finish, payload } from "../../support/wireStream";

describe("assembleReply: calls", () => {
  it("gives an id that an earlier reply of the run used to nobody", () => {
    const reply = whole([callDelta(call(0, "call_1", "read_file", "{}"))], ["call_1", "minted-1"]);

    expect(reply.calls[0]?.id).toBe("minted-2");
    expect(reply.notes).toEqual(["read_file: the id call_1 was used before"]);
  });

  it("tells calls apart that all have index 0", () => {
    const reply = whole([
      callDelta(call(0, "a", "read_file", '{"path":"a"}')),
      callDelta(call(0, "b", "read_file", '{"path":"b"}')),
    ]);

    expect(reply.calls.map(({ id, args }) => [id, args])).toEqual([
      ["a", { ok: true, value: { path: "a" } }],
      ["b", { ok: true, value: { path: "b" } }],
    ]);
  });

  it("keeps one call together whose every fragment has a new id", () => {
    const reply = whole([
      callDelta(call(0, "x1", "read_file", "")),
      callDelta(call(0, "x2", "read_file", '{"path"')),
      callDelta(call(0, "x3", "read_file", ':"a"}')),
    ]);

    expect(reply.calls).toMatchObject([{ id: "x1", args: { ok: true, value: { path: "a" } } }]);
  });

  it("tells calls apart that have neither index nor id", () => {
    const entry = (path: string) => ({ function: { name: "read_file", arguments: JSON.stringify({ path }) } });

    const reply = whole([callDelta(entry("a"), entry("b"))]);

    expect(reply.calls.map(({ id, args }) => [id, args])).toEqual([
      ["minted-1", { ok: true, value: { path: "a" } }],
      ["minted-2", { ok: true, value: { path: "b" } }],
    ]);
  });

  it("keeps the order of the indexes", () => {
    const reply = whole([callDelta(call(1, "b", "second", "{}")), callDelta(call(0, "a", "first", "{}"))]);

    expect(reply.calls.map(({ name }) => name)).toEqual(["first", "second"]);
  });

  it("joins a name that came in pieces", () => {
    const reply = whole([
      callDelta({ index: 0, id: "a", function: { name: "read_" } }),
      callDelta({ index: 0, function: { name: "file" } }),
      callDelta({ index: 0, function: { arguments: "{}" } }),
    ]);

    expect(reply.calls.map(({ name }) => name)).toEqual(["read_file"]);
  });

  it("takes the older function_call as one call", () => {
    const chunks = [
      delta({ function_call: { name: "read_file", arguments: '{"path":' } }),
      delta({ function_call: { arguments: '"a"}' } }),
      finish("function_call"),
    ];

    expect(toReply(chunks)).toMatchObject({
      ok: true,
      reply: {
        calls: [{ id: "minted-1", name: "read_file", args: { ok: true, value: { path: "a" } } }],
        notes: expect.arrayContaining(["the call came as function_call"]) as string[],
      },
    });
  });

  it("refuses two objects glued together, whole or in two fragments", () => {
    for (const pieces of [['{"path":"a"}{"path":"b"}'], ['{"path":"a"}', '{"path":"b"}']]) {
      const [first = "", ...rest] = pieces;
      const fragments = rest.map((text) => callDelta({ index: 0, function: { arguments: text } }));
      const reply = whole([callDelta(call(0, "a", "read_file", first)), ...fragments]);

      expect(reply.calls).toHaveLength(1);
      expect(reply.calls[0]).toMatchObject({ argumentsText: "{}", args: { ok: false } });
      expect(JSON.stringify(reply.calls[0]?.args)).toContain(
        'extra data after the first JSON object: {\\"path\\":\\"b\\"}',
      );
    }
  });

  it("refuses blank arguments of a reply that ended at the output limit", () => {
    const result = toReply([callDelta(call(0, "a", "run_tests", "")), finish("length")]);

    expect(result).toMatchObject({ ok: true, reply: { calls: [{ args: { ok: false } }] } });
  });

  it("fails a call without a name, and leaves out an entry that says nothing", () => {
    expect(toReply([callDelta({ index: 0, function: { arguments: "{}" } }), finish("tool_calls")])).toMatchObject({
      ok: false,
      failure: { code: "malformed" },
    });
    expect(whole([delta({ content: "hi", tool_calls: [{}] })]).calls).toEqual([]);
  });
});

describe("assembleReply: text, reasoning, usage", () => {
  it("reads content that is a list of parts", () => {
    const thinking = [{ type: "text", text: "hm " }];
    const reply = whole([
      delta({
        content: [
          { type: "thinking", thinking },
          { type: "text", text: "answer" },
        ],
      }),
    ]);

    expect(reply).toMatchObject({ text: "answer", reasoning: "hm ", reasoningKey: null });
  });

  it("reads reasoning in the field `reasoning`, once when both fields hold it", () => {
    expect(whole([delta({ reasoning: "why" })])).toMatchObject({ reasoning: "why", reasoningKey: "reasoning" });
    expect(whole([delta({ reasoning: "why", reasoning_content: "why" })])).toMatchObject({ reasoning: "why" });
  });

  it("lets the last usage win", () => {
    const usage = (output: number) => payload({ choices: [], usage: { prompt_tokens: 7, completion_tokens: output } });

    expect(whole([usage(1), usage(4), payload({ choices: [], usage: null })]).usage).toEqual({ input: 7, output: 4 });
    expect(whole([delta({ content: "x" })]).usage).toBeNull();
  });

  it("takes a whole answer that was not streamed", () => {
    const message = {
      role: "assistant",
      content: null,
      tool_calls: [
        { id: "a", type: "function", function: { name: "run_tests", arguments: "{}" } },
        { id: "b", type: "function", function: { name: "run_tests", arguments: "{}" } },
      ],
    };
    const result = toReply([payload({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] })]);

    expect(result).toMatchObject({ ok: true, reply: { calls: [{ id: "a" }, { id: "b" }] } });
  });

  it("leaves out the text of a second choice", () => {
    const other = payload({ choices: [{ index: 1, delta: { content: "other" } }] });

    expect(whole([delta({ content: "mine" }), other]).text).toBe("mine");
  });
});

describe("assembleReply: whole or not", () => {
  it("is whole with a finish reason alone, also when the connection then drops", () => {
    const dropped: ModelChunk = { type: "failure", failure: modelFailure("dropped", "cut") };
    const chunks = [delta({ content: "all" }), finish("stop")].map(toData);

    expect(assembleReply([...chunks, dropped], countingIds())).toMatchObject({
      ok: true,
      reply: { text: "all", done: false, notes: ["[DONE] was missing"] },
    });
  });

  it("is dropped without both", () => {
    expect(toReply([delta({ content: "half" })])).toMatchObject({ ok: false, failure: { code: "dropped" } });
    expect(toReply([])).toMatchObject({ ok: false, failure: { code: "dropped" } });
    expect(toReply([delta({ content: "half" }, "")])).toMatchObject({ ok: false, failure: { code: "dropped" } });
  });

  it("is malformed when [DONE] ends a stream without a reply", () => {
    expect(assembleReply([{ type: "done" }], countingIds())).toMatchObject({
      ok: false,
      failure: { code: "malformed" },
    });
  });

  it("is malformed with an event that is no JSON object", () => {
    for (const json of ["{", "[]", "null", "ping"]) {
      expect(toReply([delta({ content: "x" }), json, finish("stop")])).toMatchObject({
        failure: { code: "malformed" },
      });
    }
  });

  it("fails when the server gives up, even after a finish reason", () => {
    const error = payload({ choices: [], error: { message: "worker died" } });

    expect(toReply([finish("stop"), error])).toMatchObject({ ok: false, failure: { message: "worker died" } });
    expect(toReply([delta({ content: "x" }, "error")])).toMatchObject({ ok: false, failure: { code: "server" } });
  });

  it.each([
    [{ error: { code: "insufficient_quota", message: "m" } }, "quota"],
    [{ error: { code: "context_length_exceeded", message: "m" } }, "overflow"],
    [{ error: { code: 400, message: "the request exceeds the available context size" } }, "overflow"],
    [{ error: { code: 429, message: "slow down" } }, "rate-limit"],
    [{ error: { type: "invalid_request_error", message: "m" } }, "bad-request"],
    [{ error: { code: "401", message: "m" } }, "auth"],
    [{ error: "model not loaded" }, "server"],
    [{ object: "error", message: "m", code: 503 }, "server"],
    [{ choices: [{ index: 0, delta: {}, error: { code: 502, message: "m" } }] }, "server"],
  ])("classifies the error in %j", (body, code) => {
    expect(toReply([payload(body)])).toMatchObject({ ok: false, failure: { code } });
  });
});

function call(index: number, id: string, name: string, text: string): object {
  return { index, id, type: "function", function: { name, arguments: text } };
}

function toData(json: string): ModelChunk {
  return { type: "data", json };
}

function toReply(payloads: readonly string[], used: readonly string[] = []): AssembledReply {
  return assembleReply(payloads.map(toData), countingIds(used));
}

/** The reply of a stream that finishes properly. */
function whole(payloads: readonly string[], used: readonly string[] = []): ModelReply {
  const chunks: ModelChunk[] = [...payloads, finish("stop")].map(toData);
  const result = assembleReply([...chunks, { type: "done" }], countingIds(used));
  if (!result.ok) throw new Error(result.failure.message);
  return result.reply;
}
