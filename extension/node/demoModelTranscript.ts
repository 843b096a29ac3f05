import type { ChatMessage } from "../core/ports/modelClient";

export interface PlayedCall {
  tool: string;
  /** What the model was told; undefined while there is none. */
  result: string | undefined;
}

/** One assistant message and what came of its calls. */
export interface PlayedTurn {
  calls: readonly PlayedCall[];
}

/** What a conversation says so far, as far as the demo needs it. */
export interface Transcript {
  /** The first user message. */
  goal: string;
  turns: readonly PlayedTurn[];
  /** User messages since the model last said that it is finished. */
  words: string;
}

export function readTranscript(messages: readonly ChatMessage[]): Transcript {
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.tool_call_id, message.content]] : [])),
  );
  const turns = messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    return [
      { calls: (message.tool_calls ?? []).map((call) => ({ tool: call.function.name, result: results.get(call.id) })) },
    ];
  });
  const lastEnd = messages.findLastIndex((message) => message.role === "assistant" && !message.tool_calls?.length);
  const said = messages.slice(lastEnd + 1).flatMap((message) => (message.role === "user" ? [message.content] : []));
  return { goal: messages.find((message) => message.role === "user")?.content ?? "", turns, words: said.join("\n\n") };
}

/** The newest results of a tool, all calls of one turn, oldest call first. */
export function lastResults(transcript: Transcript, tool: string): readonly string[] {
  const turn = transcript.turns.findLast(({ calls }) => calls.some((call) => call.tool === tool));
  return (turn?.calls ?? []).filter((call) => call.tool === tool).map((call) => call.result ?? "");
}

export function lastResult(transcript: Transcript, tool: string): string {
  return lastResults(transcript, tool).at(-1) ?? "";
}

/** Why a call was denied, or null when it was not. */
export function denialOf(result: string): string | null {
  const prefix = "denied:";
  return result.startsWith(prefix) ? result.slice(prefix.length).trim() : null;
}
