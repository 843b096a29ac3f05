// What the transcript shows, piece by piece. The host projects a journal onto these, the webview draws them.
// Every text is already escaped where escaping matters; the webview puts texts into text nodes only.
import * as z from "zod/mini";

const list = <T extends z.core.$ZodType>(item: T) => z.readonly(z.array(item));

/** `left` counts the characters that were cut off the end. */
const cutText = z.strictObject({ text: z.string(), left: z.number() });

const tone = z.enum(["plain", "quiet", "good", "bad", "ask"]);

/** `claimed`: the agent ticked it. `verified`: the gate confirmed it. Never the same icon. */
const planItem = z.strictObject({
  id: z.string(),
  text: z.string(),
  state: z.enum(["open", "in-progress", "claimed", "verified", "cancel-requested", "cancelled"]),
  reason: z.string(),
});

const approval = z.strictObject({
  id: z.string(),
  /** What an answer is bound to; it goes back with the click. */
  digest: z.string(),
  kind: z.enum(["call", "question", "cancel-items"]),
  tool: z.string(),
  level: z.enum(["normal", "guarded", "prod"]),
  reason: z.string(),
  /** Every argument, whole, or cut: then it can only be reviewed. */
  args: cutText,
  status: z.enum(["pending", "approved", "denied", "answered", "withdrawn"]),
  /** Why it was denied or withdrawn, or the answer to a question. */
  answer: z.string(),
  by: z.string(),
  /** What a person can do about it here. `none`: it has ended, or this window does not hold the run. */
  action: z.enum(["approve", "review", "answer", "none"]),
});

const check = z.strictObject({
  name: z.string(),
  verdict: z.string(),
  tone,
  exitCode: z.nullable(z.number()),
  durationMs: z.number(),
  tests: z.nullable(z.strictObject({ run: z.number(), failed: z.number(), skipped: z.number() })),
  provenance: z.string(),
  /** The useful part of its output; empty for a pass. */
  output: cutText,
});

const receipt = z.strictObject({ deliverable: z.string(), evidence: z.string(), verdict: z.string(), tone });

/** `key` is stable for the life of the run. `at` is in milliseconds since 1970, on the host's clock. */
const base = { key: z.string(), at: z.number() };

const goalEntry = z.strictObject({
  ...base,
  kind: z.literal("goal"),
  goal: z.string(),
  facts: list(z.strictObject({ name: z.string(), value: z.string() })),
});

const frozenEntry = z.strictObject({
  ...base,
  kind: z.literal("frozen"),
  checks: list(z.strictObject({ name: z.string(), command: z.string(), provenance: z.string() })),
  structural: list(z.string()),
  warnings: list(z.string()),
  digest: z.string(),
});

const sayEntry = z.strictObject({
  ...base,
  kind: z.literal("say"),
  turn: z.number(),
  text: cutText,
  reasoning: z.nullable(cutText),
  /** The agent says that it is finished: a claim, not a verdict. */
  isFinal: z.boolean(),
});

const callEntry = z.strictObject({
  ...base,
  kind: z.literal("call"),
  callId: z.string(),
  tool: z.string(),
  /** The arguments on one line, cut. */
  brief: z.string(),
  args: cutText,
  state: z.enum(["running", "waiting", "ok", "error", "denied", "cancelled", "interrupted"]),
  /** One line about how it ended; empty while it runs. */
  summary: z.string(),
  result: z.nullable(cutText),
  /** There is more than `result`; all of it can be opened in an editor. */
  hasMore: z.boolean(),
  durationMs: z.nullable(z.number()),
  denial: z.nullable(z.strictObject({ rule: z.string(), reason: z.string() })),
  approval: z.nullable(approval),
  checks: list(check),
  files: list(z.string()),
  /** Files that decide the checks and that this call changed. */
  contractTouched: list(z.string()),
});

/** `items` are those that changed; `unchanged` counts the others. */
const planEntry = z.strictObject({
  ...base,
  kind: z.literal("plan"),
  items: list(planItem),
  unchanged: z.number(),
});

const approvalEntry = z.strictObject({ ...base, kind: z.literal("approval"), approval });

const gateEntry = z.strictObject({
  ...base,
  kind: z.literal("gate"),
  attempt: z.number(),
  maxAttempts: z.nullable(z.number()),
  state: z.enum(["running", "passed", "failed", "unavailable", "cancelled"]),
  summary: z.string(),
  checks: list(check),
  receipts: list(receipt),
  /** What the agent was told; empty for a pass. */
  told: cutText,
});

const retryEntry = z.strictObject({
  ...base,
  kind: z.literal("retry"),
  attempt: z.number(),
  message: z.string(),
  /** When the next try is, on the host's clock; null when the wait is over. */
  until: z.nullable(z.number()),
});

const messageEntry = z.strictObject({
  ...base,
  kind: z.literal("message"),
  by: z.string(),
  text: z.string(),
  /** The agent gets it once the calls of its turn have ended. */
  isQueued: z.boolean(),
});

const noteEntry = z.strictObject({ ...base, kind: z.literal("note"), tone, text: z.string() });

const endEntry = z.strictObject({
  ...base,
  kind: z.literal("end"),
  status: z.string(),
  tone,
  verdict: z.string(),
  stoppedBy: z.string(),
  /** The other reasons, when several apply. */
  reasons: list(z.string()),
  /** What else a person should know: stale, not sealed, accepted by someone, amended contract. */
  remarks: list(z.strictObject({ tone, text: z.string() })),
  facts: list(z.strictObject({ name: z.string(), value: z.string() })),
});

export const transcriptEntry = z.discriminatedUnion("kind", [
  goalEntry,
  frozenEntry,
  sayEntry,
  callEntry,
  planEntry,
  approvalEntry,
  gateEntry,
  retryEntry,
  messageEntry,
  noteEntry,
  endEntry,
]);

export const transcriptPlanItem = planItem;

export type TranscriptEntry = z.infer<typeof transcriptEntry>;
export type TranscriptEntryKind = TranscriptEntry["kind"];
export type EntryOf<K extends TranscriptEntryKind> = Extract<TranscriptEntry, { kind: K }>;
export type CutText = z.infer<typeof cutText>;
export type Tone = z.infer<typeof tone>;
export type TranscriptPlanItem = z.infer<typeof planItem>;
export type TranscriptApproval = z.infer<typeof approval>;
export type TranscriptCheck = z.infer<typeof check>;
export type TranscriptReceipt = z.infer<typeof receipt>;
