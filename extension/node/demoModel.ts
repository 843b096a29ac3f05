import type { Clock } from "../core/ports/clock";
import type { ModelChunk, ModelClient, ModelRequest } from "../core/ports/modelClient";
import { nextDemoReply, type DemoCall, type DemoReply } from "./demoModelStory";

export interface DemoModelOptions {
  clock: Clock;
  /** Milliseconds between two pieces of text, so that a person can follow; 0 when absent. */
  deltaMs?: number;
}

/** A scripted model that needs no network and plays one story; what it says depends on the request alone. */
export class DemoModel implements ModelClient {
  readonly endpoint = "scripted demo model (offline)";
  readonly #clock: Clock;
  readonly #deltaMs: number;

  constructor({ clock, deltaMs = 0 }: DemoModelOptions) {
    this.#clock = clock;
    this.#deltaMs = deltaMs;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk, void, void> {
    yield { type: "activity" };
    for (const json of toPayloads(request, nextDemoReply(request.messages))) {
      if (this.#deltaMs > 0) await this.#clock.sleep(this.#deltaMs, signal);
      if (signal.aborted) {
        yield { type: "failure", failure: cancelled };
        return;
      }
      yield { type: "data", json };
    }
    yield { type: "done" };
  }
}

const cancelled = { code: "cancelled", status: null, message: "the request was stopped", retryAfterMs: null } as const;

/** The pieces a server of the OpenAI dialect would send for the reply. */
function toPayloads(request: ModelRequest, reply: DemoReply): string[] {
  const turn = request.messages.filter((message) => message.role === "assistant").length + 1;
  const head = { id: `demo-${turn}`, object: "chat.completion.chunk", created: 0, model: request.model };
  const toPayload = (body: object): string => JSON.stringify({ ...head, ...body });
  const toChoice = (delta: object, finish_reason: string | null = null): string =>
    toPayload({ choices: [{ index: 0, delta, finish_reason }] });
  return [
    toChoice({ role: "assistant", content: "" }),
    ...toWords(reply.text).map((content) => toChoice({ content })),
    ...reply.calls
      .flatMap((call, index) => toCallDeltas(call, index, turn))
      .map((call) => toChoice({ tool_calls: [call] })),
    toChoice({}, reply.calls.length > 0 ? "tool_calls" : "stop"),
    toPayload({ choices: [], usage: toUsage(request, reply) }),
  ];
}

function toCallDeltas(call: DemoCall, index: number, turn: number): object[] {
  const opening = {
    index,
    id: `demo_${turn}_${index + 1}`,
    type: "function",
    function: { name: call.tool, arguments: "" },
  };
  const pieces = JSON.stringify(call.args).match(/[^]{1,40}/gu) ?? [];
  return [opening, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))];
}

function toWords(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

/** No tokenizer stands behind this: four characters count as one token. */
function toUsage(request: ModelRequest, reply: DemoReply): object {
  const prompt_tokens = Math.ceil(JSON.stringify(request.messages).length / 4);
  const completion_tokens = Math.ceil(JSON.stringify(reply).length / 4);
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
