// Builders for the bytes of a model server's stream, and one way to read them over real HTTP.
import { streamReply, type StreamReplyOptions, type StreamReplyResult } from "../../extension/core/loop/streamReply";
import type { CallIds } from "../../extension/core/loop/modelReply";
import type { ModelRequest } from "../../extension/core/ports/modelClient";
import { OpenAiModel } from "../../extension/node/openAiModel";
import { SystemClock } from "../../extension/node/systemClock";
import { FakeModelServer } from "./fakeModelServer";
import type { ModelStep } from "./modelScript";

export const plainRequest: ModelRequest = {
  model: "case-model",
  messages: [{ role: "user", content: "go" }],
  stream: true,
  stream_options: { include_usage: true },
};

/** One chunk with a delta. */
export function delta(delta: object, finish: string | null = null): string {
  return payload({ choices: [{ index: 0, delta, finish_reason: finish }] });
}

/** One chunk with fragments of tool calls, each as it stands. */
export function callDelta(...toolCalls: readonly object[]): string {
  return delta({ tool_calls: toolCalls });
}

export function finish(reason: string): string {
  return delta({}, reason);
}

export function payload(body: object): string {
  return JSON.stringify({ id: "chatcmpl-case", object: "chat.completion.chunk", ...body });
}

/** Payloads as events, without `[DONE]`; a text that starts with a colon is a comment. */
export function events(...payloads: readonly string[]): string {
  return payloads.map((text) => (text.startsWith(":") ? `${text}\n` : `data: ${text}\n\n`)).join("");
}

/** `minted-1`, `minted-2`, …; `used` are the ids that the run has already. */
export function countingIds(used: readonly string[] = []): CallIds {
  let count = 0;
  return { mint: () => `minted-${(count += 1)}`, isUsed: (id) => used.includes(id) };
}

/** Reads one step over HTTP with a single try. Throws when the server saw anything but that one request. */
export async function readStep(
  step: ModelStep,
  options: Partial<StreamReplyOptions> = {},
): Promise<StreamReplyResult & { shown: string }> {
  const server = await FakeModelServer.start([step]);
  let shown = "";
  try {
    const result = await streamReply(
      plainRequest,
      {
        model: new OpenAiModel({ baseUrl: server.baseUrl, apiKey: null }),
        clock: new SystemClock(),
        stallMs: 10_000,
        ids: countingIds(),
        retry: { maxAttempts: 1, firstWaitMs: 1, maxWaitMs: 1 },
        onText: (text) => (shown += text),
        ...options,
      },
      new AbortController().signal,
    );
    server.assertDone();
    return { ...result, shown };
  } finally {
    await server.close();
  }
}
