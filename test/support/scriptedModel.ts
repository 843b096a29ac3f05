import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import {
  classifyServerError,
  classifyStatus,
  modelFailure,
  parseServerError,
} from "../../extension/core/loop/modelFailure";
import type { ModelChunk, ModelClient, ModelRequest } from "../../extension/core/ports/modelClient";
import { ScriptCursor, toPayloads, type ModelScript, type ModelStep } from "./modelScript";

/** The engine called the model although the script was over. */
export class UnexpectedModelCall extends Error {
  override readonly name = "UnexpectedModelCall";
}

/** The engine ended although the script goes on. */
export class UnusedModelSteps extends Error {
  override readonly name = "UnusedModelSteps";
}

/** An in-process model that plays a script. Strict: it throws on a call without a step, and in `assertDone` for leftovers. */
export class ScriptedModel implements ModelClient {
  readonly endpoint = "scripted";
  /** Deep copies, so that later changes to the history cannot hide what was sent. */
  readonly requests: ModelRequest[] = [];
  readonly #cursor: ScriptCursor;

  constructor(script: ModelScript) {
    this.#cursor = new ScriptCursor(script);
  }

  /** Throws `UnexpectedModelCall` or `UnusedModelSteps` unless calls and script met exactly. */
  assertDone(): void {
    const { unexpectedCount, unusedCount } = this.#cursor;
    if (unexpectedCount > 0) throw new UnexpectedModelCall(`${unexpectedCount} call(s) without a step`);
    if (unusedCount > 0) throw new UnusedModelSteps(`${unusedCount} step(s) were not used`);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk, void, void> {
    this.requests.push(structuredClone(request));
    const taken = this.#cursor.take(request);
    if (taken === null) throw new UnexpectedModelCall(`call ${this.requests.length} has no step in the script`);
    yield* play(taken.step, taken.index, signal);
  }
}

async function* play(step: ModelStep, index: number, signal: AbortSignal): AsyncGenerator<ModelChunk, void, void> {
  switch (step.kind) {
    case "reply":
      yield { type: "activity" };
      for (const json of toPayloads(step, index)) yield { type: "data", json };
      yield { type: "done" };
      return;
    case "sse":
      yield { type: "activity" };
      yield* parseEvents(step.bytes);
      if (step.end === "reset") yield { type: "failure", failure: modelFailure("dropped", "the connection was reset") };
      return;
    case "http":
      yield { type: "failure", failure: toHttpFailure(step) };
      return;
    case "stall":
      if (step.first !== undefined) yield* parseEvents(step.first);
      await untilAborted(signal);
      yield cancelled;
      return;
    case "delay":
      await sleep(step.ms, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) yield cancelled;
      else yield* play(step.then, index, signal);
      return;
  }
}

const cancelled: ModelChunk = { type: "failure", failure: modelFailure("cancelled", "the request was stopped") };

function toHttpFailure(step: Extract<ModelStep, { kind: "http" }>) {
  const error = parseServerError(step.body);
  const code = error === null ? classifyStatus(step.status) : classifyServerError({ ...error, status: step.status });
  const retryAfter = step.headers?.["retry-after"];
  return modelFailure(code, error?.message ?? `HTTP ${step.status}`, {
    status: step.status,
    retryAfterMs: retryAfter === undefined ? null : Number(retryAfter) * 1_000,
  });
}

function parseEvents(bytes: string | Uint8Array): ModelChunk[] {
  const chunks: ModelChunk[] = [];
  const parser = createParser({
    onEvent: ({ data }) => chunks.push(data === "[DONE]" ? { type: "done" } : { type: "data", json: data }),
    onComment: () => chunks.push({ type: "activity" }),
  });
  parser.feed(Buffer.from(bytes).toString("utf8"));
  return chunks;
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
