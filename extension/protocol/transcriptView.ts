// The whole picture of one run, as the webview shows it.
import * as z from "zod/mini";
import { transcriptEntry, transcriptPlanItem } from "./transcriptEntry";

/** The reply that is being streamed; it is in no journal yet. */
const liveTurn = z.strictObject({
  turn: z.number(),
  text: z.string(),
  /** The model thinks, and has said nothing yet. */
  isReasoning: z.boolean(),
});

const runHead = z.strictObject({
  id: z.string(),
  goal: z.string(),
  mode: z.enum(["live", "watching", "paused", "ended", "unreadable"]),
  phase: z.enum(["starting", "running", "waiting", "verifying", "ended"]),
  /** Null until it has ended. */
  status: z.nullable(z.string()),
  verdict: z.string(),
  isReview: z.boolean(),
  /** Name of the folder. */
  folder: z.string(),
  model: z.string(),
  journal: z.string(),
  attempts: z.number(),
  maxAttempts: z.nullable(z.number()),
  turns: z.number(),
  tokens: z.number(),
  waiting: z.number(),
  /** Why this run cannot go on here, or who holds it. */
  problem: z.nullable(z.string()),
});

export const transcriptView = z.strictObject({
  run: runHead,
  plan: z.readonly(z.array(transcriptPlanItem)),
  /** Entries before the first one here, which can be asked for. */
  earlier: z.number(),
  entries: z.readonly(z.array(transcriptEntry)),
  live: z.nullable(liveTurn),
  /** The last line of each running call, by call id. */
  progress: z.record(z.string(), z.string()),
  /** The check that runs right now. */
  runningCheck: z.nullable(z.string()),
});

export type TranscriptView = z.infer<typeof transcriptView>;
export type RunHead = z.infer<typeof runHead>;
export type LiveTurn = z.infer<typeof liveTurn>;
