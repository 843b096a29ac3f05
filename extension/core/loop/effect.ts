import type { Compaction } from "../journal/compaction";
import type { Limit } from "../journal/event";

/** What the engine may do next. `next` chooses, `perform` does; `key` tells whether it is being done already. */
export type Effect =
  /** Picture of the start tree and the frozen plan, before the first model call. */
  | { kind: "prepare"; key: "prepare" }
  /** In the background: what the checks say about the tree before the first edit. */
  | { kind: "baseline"; key: "baseline" }
  | { kind: "callModel"; key: "model" }
  /** Take old turns out of what the model is sent. */
  | { kind: "compact"; key: "compact"; compaction: Compaction }
  /** Validate, judge and hook one call of the turn. */
  | { kind: "propose"; key: string; callId: string }
  /** `ordered`: it has effects, so no other such call may be running. */
  | { kind: "runTool"; key: string; callId: string; ordered: boolean }
  /** Give a call that a crash interrupted its result, from the disk where it can be known. */
  | { kind: "settle"; key: string; callId: string }
  /** Journal that the model gave its final answer. */
  | { kind: "finalAnswer"; key: "final" }
  /** One approval for all cancellations the agent asks for. */
  | { kind: "askCancel"; key: "askCancel" }
  | { kind: "verify"; key: "verify" }
  /** After a resume: is the tree still the one that passed? */
  | { kind: "confirmTree"; key: "confirmTree" }
  | { kind: "end"; key: "end"; ending: Ending };

export type Ending =
  | { kind: "done" }
  | { kind: "exhausted" }
  | { kind: "unavailable" }
  | { kind: "review" }
  | { kind: "limit"; limit: Limit; sentence: string }
  | { kind: "modelError" }
  | { kind: "pending" }
  | { kind: "interrupted" }
  | { kind: "closed" }
  | { kind: "error"; sentence: string };
