// Everything that happens in a run, as journaled. State is a fold over these and nothing else.
// Signals (text deltas, progress) are for views only and live in loop/signal.ts.
import type { BudgetConfig } from "../config/donegateConfig";
import type { ContractEntry, StructuralCheck, VerificationPlan } from "../contract/verificationPlan";
import type { CheckResult } from "../gate/checkResult";
import type { BaselineOfCheck } from "../gate/evidence/frozenTests";
import type { Receipt } from "../gate/receipts/receipt";
import type { Level } from "../guardrails/verdict";
import type { ReasoningKey } from "../loop/modelReply";
import type { TextCall } from "../loop/textCall";
import type { Ledger } from "../plan/ledger";
import type { ModelFailure } from "../ports/modelClient";
import type { FileDigest, FileIntent } from "../tools/toolDef";
import type { Envelope } from "./envelope";

export type Args = Readonly<Record<string, unknown>>;

export type RunStatus = "done" | "pending" | "incomplete" | "interrupted" | "closed" | "timeout" | "error";

export type Limit =
  | "completion"
  | "maxTurns"
  | "maxTokens"
  | "maxToolCalls"
  | "maxWallMs"
  | "maxCost"
  | "maxChildren"
  | "maxDepth"
  | "stuck";

export type RunKind = "auto" | "edit" | "question";

/** Everything that is frozen when a run starts; a resume rebuilds the run from this alone. */
export interface RunSpec {
  goal: string;
  kind: RunKind;
  kindSource: "default" | "flag" | "setting" | "plan-first";
  /** Absolute real path; null for an embedded run without a workspace. */
  root: string | null;
  agent: string;
  model: string;
  endpoint: string;
  /** The whole system prompt; empty means none is sent. */
  prompt: string;
  promptDigest: string;
  tools: { names: readonly string[]; digest: string };
  rules: { ids: readonly string[]; digest: string };
  budget: BudgetConfig;
  /** Null: nothing decides about done, and nothing is ever shown verified. */
  completion: CompletionSpec | null;
  /** The workspace's donegate.yaml as read at start; `acceptedBy` null means only its denies, asks and limits count. */
  config: { path: string; text: string; digest: string; acceptedBy: string | null } | null;
  /** What happens to an ask when no person can be asked. */
  onAsk: "wait" | "suspend" | "deny";
  /** Contract files whose change a person allowed beforehand. */
  allowContractChange: readonly string[];
  /** The model's context in tokens; absent: unknown until a server names it. */
  contextWindow?: number;
  /** `ask`: a person confirms every change by a file tool. Absent: allow. */
  edits?: "allow" | "ask";
  /** Rules of the person's settings as they stood at start, in the form of `guardrails`. Absent: none. */
  userRules?: readonly unknown[];
}

export interface CompletionSpec {
  maxAttempts: number;
  require: readonly StructuralCheck[];
  /** Whether the frozen plan's command checks are judged. */
  commands: boolean;
  /** Names of verifier functions of an embedding program. */
  functions: readonly string[];
}

export interface ReplyCallRecord {
  callId: string;
  tool: string;
  argumentsText: string;
  /** Null when the text is not one JSON object; `problem` says why. */
  args: Args | null;
  problem: string | null;
}

export interface EventMap {
  agent_start: RunSpec;
  agent_resume: {
    by: string;
    model: string;
    endpoint: string;
    sealed: boolean;
    /** Whether a person can be asked from here on; absent: as before. */
    onAsk?: RunSpec["onAsk"];
  };
  plan_frozen: { plan: VerificationPlan };
  snapshot: { tree: string; purpose: "start" | "gate" | "call"; notCovered: readonly string[]; callId?: string };
  baseline_end: { checks: readonly BaselineOfCheck[] };
  model_reply: {
    turn: number;
    text: string;
    reasoning: string;
    /** The key under which the server sent its reasoning; it goes back under the same one. */
    reasoningKey: ReasoningKey | null;
    calls: readonly ReplyCallRecord[];
    usage: { input: number; output: number } | null;
    finish: string | null;
    notes: readonly string[];
    /** How many of the people's messages so far were in the request; what came since is still to be told. Absent: all. */
    heard?: number;
    /** A call that the model wrote into its text instead of making it; absent: none. */
    textCall?: TextCall;
    /** Neither a call nor a word of answer, where a gate would take that for the claim to be done; absent: not so. */
    empty?: true;
  };
  model_decision:
    | { turn: number; action_type: "final_answer"; action: { text: string } }
    | {
        turn: number;
        action_type: "tool_call";
        callId: string;
        action: { tool: string; args: Args };
        /** Set when the call may run without asking. */
        allowedBy: string | null;
      };
  model_error: { failure: ModelFailure; attempt: number; retryInMs: number | null };
  tool_start: { callId: string; tool: string; files: readonly FileIntent[] };
  process_started: { callId: string | null; pid: number; startedAt: number };
  tool_end: {
    callId: string;
    tool: string;
    success: boolean;
    /** One line for people. */
    summary: string;
    status: "ok" | "error" | "cancelled" | "unknown";
    /** What the model reads. */
    result: string;
    code: string | null;
    /** Reference to all of the output when `result` is not all of it. */
    blob: string | null;
    reads: readonly FileDigest[];
    files: readonly FileIntent[];
    /** Paths that a command changed, as seen by snapshots around it. */
    changed: readonly string[];
    /** Contract entries that no longer are as frozen after this call. */
    contractTouched: readonly string[];
  };
  guardrail_denied: {
    callId: string;
    tool: string;
    args: Args;
    rule: string;
    reason: string;
    /** Digest of tool and arguments: the same call again is known by it. */
    key: string;
  };
  approval_requested: {
    id: string;
    kind: "call" | "question" | "cancel-items";
    callId: string | null;
    tool: string;
    args: Args;
    reason: string;
    level: Level;
    rule: string;
    /** Digest of tool, exact arguments and call id: what the answer is bound to. */
    digest: string;
    key: string;
    /** ISO 8601. */
    expiresAt: string;
  };
  approval_resolved: { id: string; decision: "approve" | "deny" | "answer"; reason: string; by: string };
  approval_withdrawn: { id: string; why: string };
  todos_updated: { callId: string | null; ledger: Ledger };
  verification_start: { attempt: number; tree: string | null };
  check_end: { check: CheckResult; attempt: number | null; callId: string | null };
  receipts: { attempt: number; receipts: readonly Receipt[] };
  verification_end: {
    passed: boolean;
    summary: string;
    attempt: number;
    /** False when the gate could not judge (program missing, cancelled): no attempt is used. */
    charged: boolean;
    /** What goes back to the model; empty for a pass. */
    reason: string;
    /** The tree that was judged, and the tree after the checks wrote what they write. */
    tree: string | null;
    treeAfter: string | null;
    /** Paths that changed while the passing checks ran, and that no later run of them judged: such a pass is stale from the start. */
    changedDuring: readonly string[];
    /** What lay unsaved in editors, so that no check saw it; absent: nothing. */
    unsaved?: readonly string[];
    /** The check that could not run, and why. */
    unavailable: { check: string; why: string } | null;
    cancelled: boolean;
  };
  contract_amended: {
    path: string;
    entry: ContractEntry | null;
    before: string | null;
    after: string | null;
    planDigest: string;
    by: string;
  };
  human_message: { text: string; by: string };
  human_accepted: { by: string; what: string };
  limit_reached: { limit: Limit; sentence: string };
  compaction: {
    /** How many turns were taken out of what the model is sent. */
    turns: number;
    /** What is said in their place. */
    summary: string;
    /** Where in the history the messages begin that stay; a person may add to its end meanwhile. */
    from: number;
    /** Tool results among them are cut to so many characters; null: none is. */
    resultLimit: number | null;
    /** The model's context in tokens, null when unknown. */
    window: number | null;
    /** Estimated tokens of the request that did not fit. */
    tokens: number;
    /** A server refused that request; false: it was made shorter ahead of that. */
    refused: boolean;
  };
  child_start: { child: string; agent: string; journal: string };
  child_end: { child: string; status: RunStatus };
  agent_end: {
    status: RunStatus;
    limit: Limit | null;
    stoppedBy: string;
    reasons: readonly string[];
    review: boolean;
    /** `success` only for done. */
    outcome: "success" | RunStatus;
    text: string;
  };
}

export type EventType = keyof EventMap;

/** `Event<"tool_end">` is one kind, `Event` any of them. */
export type Event<K extends EventType = EventType> = { [T in K]: { type: T } & EventMap[T] }[K];

/** An event as it stands in the journal. */
export type JournaledEvent = Envelope & Event;

/** Every event type this version can fold; a journal with another one is readable but not resumable. */
export const eventTypes: ReadonlySet<string> = new Set(
  Object.keys({
    agent_start: 1,
    agent_resume: 1,
    plan_frozen: 1,
    snapshot: 1,
    baseline_end: 1,
    model_reply: 1,
    model_decision: 1,
    model_error: 1,
    tool_start: 1,
    process_started: 1,
    tool_end: 1,
    guardrail_denied: 1,
    approval_requested: 1,
    approval_resolved: 1,
    approval_withdrawn: 1,
    todos_updated: 1,
    verification_start: 1,
    check_end: 1,
    receipts: 1,
    verification_end: 1,
    contract_amended: 1,
    human_message: 1,
    human_accepted: 1,
    limit_reached: 1,
    compaction: 1,
    child_start: 1,
    child_end: 1,
    agent_end: 1,
  } satisfies Record<EventType, 1>),
);
