// Folds the chunks of one stream into a reply. Pure: the same chunks always give the same reply, and one path
// serves live streams, replays and tests. A reply is whole only with a finish reason or [DONE].
import type { ModelChunk, ModelFailure } from "../ports/modelClient";
import { addCallDelta, orderCalls, toReplyCalls, type OpenCall } from "./assembleReplyCalls";
import { modelFailure } from "./modelFailure";
import type { AssembledReply, CallIds, ReasoningKey, ReplyUsage } from "./modelReply";
import { parseChunk, type ParsedChunk } from "./parseChunk";

/** What a chunk adds to what a person sees. */
export interface ReplyDelta {
  text: string;
  reasoning: string;
}

export interface ReplyAssembler {
  add(chunk: ModelChunk): ReplyDelta;
  /** True once no further chunk can change the result. */
  readonly isSettled: boolean;
  /** The verdict on everything added so far. */
  end(): AssembledReply;
}

export function assembleReply(chunks: Iterable<ModelChunk>, ids: CallIds): AssembledReply {
  const assembler = createReplyAssembler(ids);
  for (const chunk of chunks) assembler.add(chunk);
  return assembler.end();
}

export function createReplyAssembler(ids: CallIds): ReplyAssembler {
  const draft = createDraft();
  return {
    add: (chunk) => (isSettled(draft) ? nothing : addChunk(draft, chunk)),
    get isSettled() {
      return isSettled(draft);
    },
    end: () => toReply(draft, ids),
  };
}

interface Draft {
  text: string;
  reasoning: string;
  reasoningKey: ReasoningKey | null;
  calls: OpenCall[];
  functionCall: OpenCall[];
  usage: ReplyUsage | null;
  finish: string | null;
  done: boolean;
  hasChoice: boolean;
  failure: ModelFailure | null;
}

const nothing: ReplyDelta = { text: "", reasoning: "" };

function createDraft(): Draft {
  return {
    text: "",
    reasoning: "",
    reasoningKey: null,
    calls: [],
    functionCall: [],
    usage: null,
    finish: null,
    done: false,
    hasChoice: false,
    failure: null,
  };
}

function isSettled(draft: Draft): boolean {
  return draft.done || draft.failure !== null;
}

function addChunk(draft: Draft, chunk: ModelChunk): ReplyDelta {
  switch (chunk.type) {
    case "activity":
      return nothing;
    case "done":
      draft.done = true;
      return nothing;
    case "failure":
      draft.failure = chunk.failure;
      return nothing;
    case "data":
      return addData(draft, chunk.json);
  }
}

function addData(draft: Draft, json: string): ReplyDelta {
  const parsed = parseChunk(json);
  if (!parsed.ok) {
    // An error of the server's own outweighs a finish reason that came before it.
    draft.failure = parsed.failure;
    draft.finish = null;
    return nothing;
  }
  mergeChunk(draft, parsed.chunk);
  return { text: parsed.chunk.text, reasoning: parsed.chunk.reasoning };
}

function mergeChunk(draft: Draft, chunk: ParsedChunk): void {
  draft.hasChoice ||= chunk.hasChoice;
  draft.text += chunk.text;
  draft.reasoning += chunk.reasoning;
  draft.reasoningKey ??= chunk.reasoningKey;
  draft.usage = chunk.usage ?? draft.usage;
  draft.finish = chunk.finish ?? draft.finish;
  for (const delta of chunk.calls) addCallDelta(draft.calls, delta);
  if (chunk.functionCall !== null) addCallDelta(draft.functionCall, { ...chunk.functionCall, index: 0 });
}

function toReply(draft: Draft, ids: CallIds): AssembledReply {
  const notes: string[] = [];
  const failure = judge(draft, notes);
  if (failure !== null) return { ok: false, failure };

  // A server that speaks both dialects at once means one call by both.
  const isLegacy = draft.calls.length === 0 && draft.functionCall.length > 0;
  if (isLegacy) notes.push("the call came as function_call");
  const openCalls = orderCalls(isLegacy ? draft.functionCall : draft.calls);
  if (openCalls.some((call) => call.name === "")) {
    return { ok: false, failure: modelFailure("malformed", "the reply holds a tool call without a name") };
  }
  const isLimitCut = draft.finish === "length" || draft.finish === "content_filter";
  const { calls, notes: callNotes } = toReplyCalls(openCalls, ids, isLimitCut);
  const { text, reasoning, reasoningKey, usage, finish, done } = draft;
  return {
    ok: true,
    reply: { text, reasoning, reasoningKey, calls, usage, finish, done, notes: [...notes, ...callNotes] },
  };
}

/** Null when the reply is whole; then `notes` says what the stream left out. */
function judge(draft: Draft, notes: string[]): ModelFailure | null {
  if (draft.failure !== null) {
    const isOnlyTail = draft.failure.code === "dropped" || draft.failure.code === "stalled";
    if (draft.finish === null || !isOnlyTail) return draft.failure;
  }
  if (draft.finish === null && !draft.done) {
    return modelFailure("dropped", "the stream ended before the reply was complete");
  }
  if (!draft.hasChoice) return modelFailure("malformed", "the stream ended without a reply in it");
  if (draft.finish === null) notes.push("finish_reason was missing");
  if (!draft.done) notes.push("[DONE] was missing");
  return null;
}
