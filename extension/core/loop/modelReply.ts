import type { ModelFailure } from "../ports/modelClient";

export interface ReplyUsage {
  /** Tokens of the prompt. */
  input: number;
  /** Tokens the model wrote. */
  output: number;
}

/** Arguments are repaired exactly or refused; `message` tells the model what is wrong with them. */
export type ParsedArguments = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

export interface ReplyCall {
  /** Unique in the reply and in the run. */
  id: string;
  name: string;
  /** JSON text of one object that may go back to the server; `{}` when the arguments were refused. */
  argumentsText: string;
  args: ParsedArguments;
}

/** Where a server put its reasoning. Only `reasoning_content` is known to be wanted back. */
export type ReasoningKey = "reasoning_content" | "reasoning";

export interface ModelReply {
  text: string;
  reasoning: string;
  /** Null when there was no reasoning, or when it came as a part of the content. */
  reasoningKey: ReasoningKey | null;
  calls: ReplyCall[];
  usage: ReplyUsage | null;
  finish: string | null;
  /** `[DONE]` was seen. */
  done: boolean;
  /** Oddities of the stream that were put right, for the journal. */
  notes: string[];
}

/** Only a whole reply is a reply; of a cut one nothing is handed on, so that nothing of it can run. */
export type AssembledReply = { ok: true; reply: ModelReply } | { ok: false; failure: ModelFailure };

export interface CallIds {
  /** A call id that no other call of any run has. */
  mint(): string;
  /** True when an earlier reply of this run used the id. */
  isUsed(id: string): boolean;
}
