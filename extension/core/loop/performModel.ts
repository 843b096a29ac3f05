// One model call: stream, assemble, journal. Retries are inside streamReply, before the first effect of the turn.
import type { Event } from "../journal/event";
import { toMessages } from "../journal/history";
import { redactText } from "../journal/redact";
import type { ModelFailure, ModelRequest } from "../ports/modelClient";
import type { ModelReply } from "./modelReply";
import type { RunContext } from "./runContext";
import { streamReply } from "./streamReply";
import { findTextCall } from "./textCall";

export async function performModel(context: RunContext, signal: AbortSignal): Promise<void> {
  const state = context.state();
  const turn = state.turns + 1;
  const usedIds = collectCallIds(context);
  let journaled = Promise.resolve();
  const said = state.said.length;
  const outcome = await streamReply(
    toRequest(context),
    {
      model: context.model,
      clock: context.clock,
      stallMs: context.stallMs,
      retry: context.retry,
      ids: { mint: () => context.ids.callId(), isUsed: (id) => usedIds.has(id) },
      onText: (text) => context.show({ type: "text_delta", turn, text }),
      onReasoning: (text) => context.show({ type: "reasoning_delta", turn, text }),
      onReset: () => context.show({ type: "reply_reset", turn }),
      onRetry: ({ attempt, waitMs, failure: reported }) => {
        const failure = withoutSecrets(reported, context);
        failure.message += waitNote(failure, waitMs);
        context.show({ type: "retry_countdown", attempt, waitMs, message: failure.message });
        journaled = context.emit({ type: "model_error", failure, attempt, retryInMs: waitMs });
      },
    },
    signal,
  );
  await journaled;
  if (signal.aborted) return;
  if (!outcome.ok) {
    const failure = withoutSecrets(outcome.failure, context);
    await context.emit({ type: "model_error", failure, attempt: outcome.attempts, retryInMs: null });
    return;
  }
  const isEmpty = outcome.reply.calls.length === 0 && outcome.reply.text.trim() === "";
  await context.emit({
    ...toReplyEvent(turn, outcome.reply, context.tools.names()),
    heard: said,
    // Without a gate an empty answer is the end, as in any other loop.
    ...(isEmpty && state.spec?.completion !== null ? { empty: true as const } : {}),
  });
}

/** Empty where the server gets the wait it asked for. */
function waitNote({ retryAfterMs }: ModelFailure, waitMs: number): string {
  if (retryAfterMs === null || retryAfterMs <= waitMs) return "";
  const [asked, waited] = [retryAfterMs, waitMs].map((ms) => `${Math.ceil(ms / 1_000)} s`);
  return `; the server asks to wait ${asked}, ${waited} are waited`;
}

/** A server may repeat a key in its words. Views hear of a failure before and beside the journal, so both get the same text. */
function withoutSecrets(failure: ModelFailure, { secrets }: RunContext): ModelFailure {
  return { ...failure, message: redactText(failure.message, secrets) };
}

/** Key order is part of the contract: equal requests are equal bytes. The tool list is the same for the whole run. */
function toRequest(context: RunContext): ModelRequest {
  const state = context.state();
  const tools = context.tools.wire();
  return {
    model: state.spec?.model ?? "",
    messages: toMessages(state.history),
    ...(tools.length === 0 ? {} : { tools }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

/** Of every call so far, also those that a compaction took out of the history. Kept between turns: a run has many. */
function collectCallIds(context: RunContext): ReadonlySet<string> {
  const { settledCalls } = context.state();
  const known = knownIds.get(context) ?? { ids: new Set<string>(), count: 0 };
  for (const { callId } of settledCalls.slice(known.count)) known.ids.add(callId);
  knownIds.set(context, { ids: known.ids, count: settledCalls.length });
  return known.ids;
}

const knownIds = new WeakMap<RunContext, { ids: Set<string>; count: number }>();

function toReplyEvent(turn: number, reply: ModelReply, tools: readonly string[]): Event<"model_reply"> {
  const textCall = reply.calls.length === 0 ? findTextCall(reply.text, tools) : null;
  return {
    type: "model_reply",
    turn,
    text: reply.text,
    reasoning: reply.reasoning,
    calls: reply.calls.map((call) => ({
      callId: call.id,
      tool: call.name,
      argumentsText: call.argumentsText,
      args: call.args.ok ? call.args.value : null,
      problem: call.args.ok ? null : call.args.message,
    })),
    reasoningKey: reply.reasoningKey,
    usage: reply.usage,
    finish: reply.finish,
    notes: reply.notes,
    ...(textCall === null ? {} : { textCall }),
  };
}
