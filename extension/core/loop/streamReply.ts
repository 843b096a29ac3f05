// The one way in which the engine talks to a model: one stream, watched for silence, retried in the open.
// Nothing of a failed try survives it, so a retry can neither repeat nor mix anything.
import type { Clock } from "../ports/clock";
import type { ModelClient, ModelFailure, ModelRequest } from "../ports/modelClient";
import { createReplyAssembler } from "./assembleReply";
import { modelFailure } from "./modelFailure";
import type { AssembledReply, CallIds, ModelReply } from "./modelReply";
import { defaultRetryPolicy, isRetryable, retryWaitMs, type RetryPolicy } from "./retryPolicy";
import { guardStream } from "./streamReplyGuard";

export interface RetryNotice {
  /** The number of the try that failed, from 1. */
  attempt: number;
  /** Until the next try starts. */
  waitMs: number;
  failure: ModelFailure;
}

export interface StreamReplyOptions {
  model: ModelClient;
  clock: Clock;
  /** Longest silence of the server, before its headers and in its body. Milliseconds. */
  stallMs: number;
  ids: CallIds;
  retry?: RetryPolicy | undefined;
  /** Text as it comes, for views. */
  onText?: ((delta: string) => void) | undefined;
  onReasoning?: ((delta: string) => void) | undefined;
  /** What was shown of the failed try no longer counts. Called before `onRetry`, only if something was shown. */
  onReset?: (() => void) | undefined;
  /** Called and awaited before the wait. */
  onRetry?: ((notice: RetryNotice) => void | Promise<void>) | undefined;
}

/** `attempts` counts the requests that were sent. */
export type StreamReplyResult =
  { ok: true; reply: ModelReply; attempts: number } | { ok: false; failure: ModelFailure; attempts: number };

/** Resolves soon after `signal` aborts, waits included, with the failure `cancelled`. Expected failures never reject. */
export async function streamReply(
  request: ModelRequest,
  options: StreamReplyOptions,
  signal: AbortSignal,
): Promise<StreamReplyResult> {
  const retry = options.retry ?? defaultRetryPolicy;
  for (let attempt = 1; ; attempt += 1) {
    if (signal.aborted) return cancelled(attempt - 1);
    const { result, hasShown } = await tryOnce(request, options, signal);
    if (result.ok) return { ok: true, reply: result.reply, attempts: attempt };

    const { failure } = result;
    if (signal.aborted) return cancelled(attempt);
    if (!isRetryable(failure.code) || attempt >= retry.maxAttempts) return { ok: false, failure, attempts: attempt };
    const waitMs = retryWaitMs(failure, attempt, retry);
    if (hasShown) options.onReset?.();
    await options.onRetry?.({ attempt, waitMs, failure });
    await options.clock.sleep(waitMs, signal);
  }
}

async function tryOnce(
  request: ModelRequest,
  options: StreamReplyOptions,
  signal: AbortSignal,
): Promise<{ result: AssembledReply; hasShown: boolean }> {
  const assembler = createReplyAssembler(options.ids);
  let hasShown = false;
  for await (const chunk of guardStream((ended) => options.model.stream(request, ended), options, signal)) {
    const { text, reasoning } = assembler.add(chunk);
    if (text !== "") options.onText?.(text);
    if (reasoning !== "") options.onReasoning?.(reasoning);
    hasShown ||= text !== "" || reasoning !== "";
    if (assembler.isSettled) break;
  }
  return { result: assembler.end(), hasShown };
}

function cancelled(attempts: number): StreamReplyResult {
  return { ok: false, failure: modelFailure("cancelled", "the request was stopped"), attempts };
}
