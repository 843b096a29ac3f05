// Makes a long history fit the model's context again. No model is asked: which turns go, and what is said in their
// place, follows from the state alone, so that a replay gives the same bytes and a compaction costs nothing.
import { boundText } from "../tools/boundText";
import type { ChatMessage } from "../ports/modelClient";
import { summarizeDropped } from "./compactionSummary";
import { countCharacters, estimateTokens, measuredRatio, readWindow } from "./contextSize";
import type { Event } from "./event";
import { openingMessages } from "./history";
import type { CallState, RunState } from "./runState";

export type Compaction = Omit<Event<"compaction">, "type">;

/** Shares of a known window: where a run compacts ahead of the server, and what may be left then. */
const windowShare = { full: 0.85, left: 0.5 };
/** Without a known window, as much of the refused history may be left. */
const refusedShare = 0.5;
const shortestResult = 400;

/** Null while the next request fits, or where nothing would make it shorter. */
export function compactionAhead(state: RunState): Compaction | null {
  const window = state.window;
  if (window === null || state.compacted?.turns === state.turns) return null;
  const tokens = estimateTokens(state);
  if (tokens < window * windowShare.full) return null;
  return planCompaction(state, window * windowShare.left * measuredRatio(state), { window, tokens, refused: false });
}

/** The one compaction after a server refused a request as too long; null when it cannot help, or did not. */
export function compactionAfterOverflow(state: RunState): Compaction | null {
  const failure = state.modelFailure?.failure;
  if (failure?.code !== "overflow" || wasRefused(state)) return null;
  const tokens = estimateTokens(state);
  const window = readWindow(failure.message) ?? state.window;
  const size = countCharacters(state.history);
  const ofWindow = window === null ? Infinity : window * windowShare.left * measuredRatio(state);
  return planCompaction(state, Math.min(size * refusedShare, ofWindow), { window, tokens, refused: true });
}

/** The request that failed now was compacted for the same failure before. */
export function wasRefused({ compacted, turns }: RunState): boolean {
  return compacted !== null && compacted.refused && compacted.turns === turns;
}

/** What the history is after it: goal, summary, and the newest turns whole. */
export function foldCompaction(state: RunState, event: Compaction): RunState {
  if (state.spec === null) return state;
  const kept = keptMessages(state.history, event);
  const told = new Set(kept.map((message) => (message.role === "tool" ? message.tool_call_id : "")));
  return {
    ...state,
    history: [...openingMessages(state.spec), { role: "user", content: event.summary }, ...kept],
    settledCalls: state.settledCalls.map((call) => (told.has(call.callId) ? call : shorten(call))),
    window: event.window,
    measured: null,
    compacted: { turns: state.turns, refused: event.refused },
    modelFailure: null,
  };
}

function planCompaction(
  state: RunState,
  targetCharacters: number,
  known: Pick<Compaction, "window" | "tokens" | "refused">,
): Compaction | null {
  if (state.spec === null) return null;
  const { history } = state;
  const starts = history.flatMap((message, at) => (message.role === "assistant" ? [at] : []));
  const last = starts.at(-1);
  if (last === undefined) return null;
  const opening = countCharacters(openingMessages(state.spec));
  // The summary is not known before it is known what goes; a quarter is kept for it.
  const room = Math.max(0, targetCharacters - opening) * 0.75;
  const from = starts.find((at) => countCharacters(history.slice(at)) <= room) ?? last;
  const kept = history.slice(from);
  const cut = { from, resultLimit: limitResults(kept, room) };
  const turns = starts.indexOf(from);
  const summary = summarizeDropped(state, keptMessages(history, cut));
  const size = opening + summary.length + countCharacters(keptMessages(history, cut));
  return size < countCharacters(history) ? { turns, summary, ...cut, ...known } : null;
}

/** Even the newest turn alone can be too long: then its results are cut to equal parts. */
function limitResults(kept: readonly ChatMessage[], room: number): number | null {
  const results = kept.filter((message) => message.role === "tool");
  const size = countCharacters(kept);
  if (size <= room || results.length === 0) return null;
  const rest = size - countCharacters(results);
  return Math.max(shortestResult, Math.floor((room - rest) / results.length));
}

function keptMessages(
  history: readonly ChatMessage[],
  { from, resultLimit }: Pick<Compaction, "from" | "resultLimit">,
): readonly ChatMessage[] {
  const kept = history.slice(from);
  if (resultLimit === null) return kept;
  return kept.map((message) =>
    message.role === "tool" ? { ...message, content: boundText(message.content, resultLimit).text } : message,
  );
}

/** What the model cannot see any more, verifiers see in outline: memory stays flat over long runs. */
function shorten(call: CallState): CallState {
  const result = call.result === null ? null : boundText(call.result, 2_000).text;
  return result === call.result ? call : { ...call, result };
}
