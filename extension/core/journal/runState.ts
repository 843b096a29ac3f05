// A run's state: what the fold over its journal gives. Every surface shows a projection of this.
import type { VerificationPlan } from "../contract/verificationPlan";
import type { CheckResult } from "../gate/checkResult";
import type { BaselineOfCheck } from "../gate/evidence/frozenTests";
import type { Receipt } from "../gate/receipts/receipt";
import { emptyLedger, type Ledger } from "../plan/ledger";
import type { ChatMessage } from "../ports/modelClient";
import type { FileIntent } from "../tools/toolDef";
import type { Args, Event, RunSpec } from "./event";

export type Phase = "starting" | "running" | "waiting" | "verifying" | "ended";

/**
 * received → (allowed | asked | settled); asked → (approved | settled); allowed, approved → running → settled.
 * A call found running after a crash is `interrupted`: the harness settles it and never repeats it.
 */
export type CallStatus = "received" | "allowed" | "asked" | "approved" | "running" | "interrupted" | "settled";

export interface CallState {
  callId: string;
  tool: string;
  argumentsText: string;
  args: Args | null;
  problem: string | null;
  /** The journal it was read from does not hold all of its arguments: such a call is never executed. */
  redacted: boolean;
  status: CallStatus;
  /** The decision is journaled; a crash between it and its consequence judges again without telling twice. */
  decided: boolean;
  approvalId: string | null;
  files: readonly FileIntent[];
  /** The tree before a call that can change any file; null for others. */
  treeBefore: string | null;
  /** The plan as this call wants it is journaled, though the call's end may not be. */
  planUpdated: boolean;
  result: string | null;
  success: boolean;
  /** Null until it has its result; `unknown` after a crash whose effect cannot be told. */
  outcome: "ok" | "error" | "denied" | "cancelled" | "unknown" | null;
}

/** A request with what became of it. */
export type Approval = Omit<Event<"approval_requested">, "type"> & {
  status: "pending" | "approved" | "denied" | "answered" | "withdrawn";
  answer: string;
};

export interface Denial {
  tool: string;
  args: Args;
  rule: string;
  reason: string;
  callId: string;
}

/** A successful call whose effect is not a file of the workspace. */
export interface OutsideEffect {
  callId: string;
  tool: string;
  args: Args;
}

export type Verification = Omit<Event<"verification_end">, "type"> & { checks: readonly CheckResult[] };

export interface RunState {
  run: string;
  spec: RunSpec | null;
  plan: VerificationPlan | null;
  amendments: readonly { path: string; by: string }[];
  startTree: string | null;
  /** What the checks said about the start tree; null while that is not known. */
  baseline: readonly BaselineOfCheck[] | null;
  /** Names the start snapshot leaves out. */
  notCovered: readonly string[];
  history: readonly ChatMessage[];
  turn: { number: number; calls: readonly CallState[] } | null;
  /** Every call that has its result, turn by turn. */
  settledCalls: readonly CallState[];
  /** Messages of people that wait for the open turn to close. */
  queued: readonly string[];
  /** Messages of people so far, told to the model or not. */
  said: readonly string[];
  /** The last reply had no calls: the model says that it is finished. */
  finalText: string | null;
  finalDecided: boolean;
  /** The gate has judged this final answer. */
  judged: boolean;
  /** The pass was given before a resume: the tree may have changed since. */
  passMayBeOld: boolean;
  /** The model's context in tokens: given at start, or named by a server that refused a request. */
  window: number | null;
  /** Tokens as the server counted them, of the first `messages` of the history. */
  measured: { tokens: number; messages: number } | null;
  /** The last compaction: one ahead and one for a refused request at most between two replies. */
  compacted: { turns: number; refused: boolean } | null;
  text: string;
  ledger: Ledger;
  approvals: readonly Approval[];
  /** The question about cancellations got no answer: it is not put again before the model has spoken. */
  cancelUnanswered: boolean;
  denials: readonly Denial[];
  attempts: number;
  verifying: boolean;
  lastVerification: Verification | null;
  /** Checks of the verification that is going on or was the last. */
  checks: readonly CheckResult[];
  /** Newest result per check and tree, from the gate or from run_tests. */
  answered: readonly CheckResult[];
  receipts: readonly Receipt[];
  usage: { input: number; output: number };
  turns: number;
  toolCalls: number;
  /** Successful calls besides todowrite. */
  work: number;
  effects: readonly OutsideEffect[];
  /** Paths this run changed. */
  touched: readonly string[];
  /** Digest under which this run last read or wrote a path. */
  seen: Readonly<Record<string, string | null>>;
  contractTouched: readonly string[];
  processes: readonly { pid: number; startedAt: number }[];
  stuck: StuckState;
  accepted: { by: string; what: string } | null;
  sealed: boolean;
  resumed: number;
  limit: Event<"limit_reached"> | null;
  modelFailure: Event<"model_error"> | null;
  end: Omit<Event<"agent_end">, "type"> | null;
  /** Milliseconds worked, waiting for people left out, up to `lastTs`. */
  activeMs: number;
  lastTs: number;
  seq: number;
}

/** Counts are of turns, not of calls: within one turn the model has not been told yet. */
export interface StuckState {
  /** Calls with their results since something else succeeded or the tree changed. */
  repeats: readonly { key: string; result: string; count: number; turn: number }[];
  nudgeDue: string | null;
  /** Unknown tools or unreadable arguments in a row. */
  unusable: { count: number; turn: number };
  /** Replies in a row that were empty, or whose call was written as text. */
  noAnswers: number;
  /** The same denied call in a row. */
  denied: { key: string; count: number; turn: number } | null;
  deniedKeys: Readonly<Record<string, string>>;
}

export const initialState: RunState = {
  run: "",
  spec: null,
  plan: null,
  amendments: [],
  startTree: null,
  baseline: null,
  notCovered: [],
  history: [],
  turn: null,
  settledCalls: [],
  queued: [],
  finalText: null,
  finalDecided: false,
  judged: false,
  passMayBeOld: false,
  said: [],
  window: null,
  measured: null,
  compacted: null,
  text: "",
  ledger: emptyLedger,
  approvals: [],
  cancelUnanswered: false,
  denials: [],
  attempts: 0,
  verifying: false,
  lastVerification: null,
  checks: [],
  answered: [],
  receipts: [],
  usage: { input: 0, output: 0 },
  turns: 0,
  toolCalls: 0,
  work: 0,
  effects: [],
  touched: [],
  seen: {},
  contractTouched: [],
  processes: [],
  stuck: { repeats: [], nudgeDue: null, unusable: { count: 0, turn: 0 }, noAnswers: 0, denied: null, deniedKeys: {} },
  accepted: null,
  sealed: true,
  resumed: 0,
  limit: null,
  modelFailure: null,
  end: null,
  activeMs: 0,
  lastTs: 0,
  seq: 0,
};

export function pendingApprovals(state: RunState): readonly Approval[] {
  return state.approvals.filter((approval) => approval.status === "pending");
}

export function openCalls(state: RunState): readonly CallState[] {
  return state.turn === null ? [] : state.turn.calls.filter((call) => call.status !== "settled");
}

/** A live run's phase; not a status. Waiting: only a person can move it on. */
export function toPhase(state: RunState): Phase {
  if (state.end !== null) return "ended";
  if (state.spec === null || (state.spec.root !== null && state.startTree === null)) return "starting";
  if (state.verifying) return "verifying";
  const blocked = openCalls(state).every((call) => call.status === "asked");
  return blocked && pendingApprovals(state).length > 0 ? "waiting" : "running";
}
