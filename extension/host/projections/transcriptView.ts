// The whole picture that the transcript's webview gets: head, plan, pieces, and what is being streamed.
import type { JournaledEvent } from "../../core/journal/event";
import { pendingApprovals, toPhase } from "../../core/journal/runState";
import { toVerdict } from "../../core/journal/toOutcome";
import type { LiveTurn, RunHead, TranscriptView } from "../../protocol/transcriptView";
import type { RunEntry } from "../runs";
import { toTranscript } from "./transcript";
import { toPlan } from "./transcriptCalls";
import { showExact, showLine, showProse } from "./transcriptText";

/** What signals say about right now; it is in no journal. */
export interface LivePart {
  live: LiveTurn | null;
  progress: Readonly<Record<string, string>>;
  runningCheck: string | null;
}

export function toTranscriptView(
  entry: RunEntry,
  events: readonly JournaledEvent[],
  { live, progress, runningCheck }: LivePart,
  most: number,
): TranscriptView {
  const isMoving = entry.mode === "live" || entry.mode === "watching";
  const canAnswer = entry.mode === "live" || entry.mode === "paused";
  const { earlier, entries } = toTranscript(events, entry.state, { most, isMoving, canAnswer, stale: entry.stale });
  return {
    run: toRunHead(entry),
    plan: toPlan(entry.state.ledger),
    ...{ earlier, entries },
    live: isMoving && live !== null && live.turn > entry.state.turns ? live : null,
    progress: isMoving ? progress : {},
    runningCheck: isMoving ? runningCheck : null,
  };
}

function toRunHead(entry: RunEntry): RunHead {
  const { state, id, mode, root, journal } = entry;
  return {
    ...{ id, mode },
    goal: showProse(state.spec?.goal ?? ""),
    phase: mode === "ended" || mode === "unreadable" ? "ended" : toPhase(state),
    status: state.end?.status ?? null,
    verdict: toVerdict(state),
    isReview: state.end?.review ?? false,
    folder: showLine(root.split(/[\\/]/).findLast((part) => part !== "") ?? root, 80),
    model: showLine(state.spec?.model ?? "", 80),
    journal: showExact(journal),
    attempts: state.attempts,
    maxAttempts: state.spec?.completion?.maxAttempts ?? null,
    turns: state.turns,
    tokens: state.usage.input + state.usage.output,
    waiting: pendingApprovals(state).length,
    problem: toProblem(entry),
  };
}

function toProblem({ mode, problem, holder }: RunEntry): string | null {
  if (problem !== null) return showProse(problem);
  if (mode !== "watching") return null;
  return holder === null
    ? "Another window runs this. Here it can only be watched."
    : `Another window runs this (process ${holder.pid}). Here it can only be watched.`;
}
