// How much of the model's context a run's history takes. Tokens are only estimated, on the large side: the servers
// that count them say so after each reply, and what was added since is counted by characters.
import type { ChatMessage } from "../ports/modelClient";
import type { RunState } from "./runState";

/** Code and most languages give more characters to a token; a request that turns out shorter costs nothing. */
const charactersPerToken = 3;

export function countCharacters(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + charactersOf(message), 0);
}

/** Tokens of the next request, estimated. */
export function estimateTokens({ history, measured }: Pick<RunState, "history" | "measured">): number {
  const added = history.slice(measured?.messages ?? 0);
  return (measured?.tokens ?? 0) + Math.ceil(countCharacters(added) / charactersPerToken);
}

/** Characters that make up one token in this run, as far as it was measured. */
export function measuredRatio({ history, measured }: Pick<RunState, "history" | "measured">): number {
  if (measured === null || measured.tokens === 0) return charactersPerToken;
  return Math.max(1, countCharacters(history.slice(0, measured.messages)) / measured.tokens);
}

/** The context window that a server names when it refuses a request as too long; null when it names none. */
export function readWindow(message: string): number | null {
  for (const pattern of windowPatterns) {
    const size = Number(pattern.exec(message)?.[1]?.replaceAll(",", ""));
    if (size >= 256 && size <= 100_000_000) return size;
  }
  return null;
}

const windowPatterns: readonly RegExp[] = [
  /\bn_ctx\b\D{0,5}(\d+)/,
  /(?:maximum|model's) context (?:length|window)(?: \w+){0,2} (\d[\d,]*)/i,
  /context (?:length|window|size) of(?: only)? (\d[\d,]*)/i,
  /context (?:size|length|window)[^\d.]{0,20}\((\d[\d,]*)/i,
];

function charactersOf(message: ChatMessage): number {
  const content = message.content?.length ?? 0;
  if (message.role !== "assistant") return content;
  const calls = (message.tool_calls ?? []).reduce(
    (sum, call) => sum + call.function.name.length + call.function.arguments.length,
    0,
  );
  return content + (message.reasoning_content?.length ?? 0) + calls;
}
