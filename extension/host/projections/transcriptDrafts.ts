// First pass over a journal: which events belong to one piece of the transcript. No text is touched here, so that a long
// journal costs one walk, and only the pieces that are shown are written out.
import type { Event, EventType, JournaledEvent, ReplyCallRecord } from "../../core/journal/event";
import { emptyLedger, type Ledger } from "../../core/plan/ledger";
import type { CheckResult } from "../../core/gate/checkResult";
import type { Receipt } from "../../core/gate/receipts/receipt";
import type { Tone } from "../../protocol/transcriptEntry";

export type Stamped<K extends EventType> = Extract<JournaledEvent, Event<K>>;

export interface PlanChange {
  before: Ledger;
  after: Ledger;
}

export interface CallDraft {
  kind: "call";
  event: Stamped<"model_reply">;
  record: ReplyCallRecord;
  decision: Event<"model_decision"> | null;
  start: Stamped<"tool_start"> | null;
  end: Stamped<"tool_end"> | null;
  denial: Event<"guardrail_denied"> | null;
  approvalId: string | null;
  answeredBy: string;
  plan: PlanChange | null;
  checks: CheckResult[];
  /** Its turn was left behind without a result for it. */
  isLeft: boolean;
}

export interface GateDraft {
  kind: "gate";
  event: Stamped<"verification_start">;
  checks: CheckResult[];
  receipts: readonly Receipt[];
  end: Event<"verification_end"> | null;
  isLeft: boolean;
}

export type Draft =
  | { kind: "goal"; event: Stamped<"agent_start"> }
  | { kind: "frozen"; event: Stamped<"plan_frozen"> }
  | { kind: "say"; event: Stamped<"model_reply">; isFinal: boolean }
  | CallDraft
  | { kind: "plan"; event: JournaledEvent; plan: PlanChange }
  | { kind: "approval"; event: Stamped<"approval_requested">; answeredBy: string }
  | GateDraft
  | { kind: "retry"; event: Stamped<"model_error">; isOver: boolean }
  | { kind: "message"; event: Stamped<"human_message"> }
  | { kind: "note"; event: JournaledEvent; tone: Tone; text: string }
  | { kind: "end"; event: Stamped<"agent_end">; isResumed: boolean };

export function readDrafts(events: readonly JournaledEvent[]): readonly Draft[] {
  const reader = new DraftReader();
  for (const event of events) reader.take(event);
  return reader.drafts;
}

type Takers = { readonly [K in EventType]?: (event: Stamped<K>) => void };

class DraftReader {
  readonly drafts: Draft[] = [];
  #calls = new Map<string, CallDraft>();
  #open = new Set<CallDraft>();
  #asked = new Map<string, CallDraft | Extract<Draft, { kind: "approval" }>>();
  #gate: GateDraft | null = null;
  #ledger = emptyLedger;
  #say: Extract<Draft, { kind: "say" }> | null = null;
  #retry: Extract<Draft, { kind: "retry" }> | null = null;
  #end: Extract<Draft, { kind: "end" }> | null = null;

  take(event: JournaledEvent): void {
    (this.#takers[event.type] as ((event: JournaledEvent) => void) | undefined)?.(event);
  }

  /** An event without a taker has nothing that a person would look for here. */
  readonly #takers: Takers = {
    agent_start: (event) => this.#add({ kind: "goal", event }),
    agent_resume: (event) => {
      this.#leave();
      if (this.#end !== null) this.#end.isResumed = true;
      const seal = event.sealed
        ? ""
        : ". Part of the journal cannot be vouched for: approvals and verdicts without a valid seal do not count and are asked or run again";
      this.#note(event, event.sealed ? "quiet" : "bad", `Resumed by ${event.by} with ${event.model}${seal}`);
    },
    plan_frozen: (event) => this.#add({ kind: "frozen", event }),
    snapshot: (event) => {
      if (event.purpose !== "start" || event.notCovered.length === 0) return;
      this.#note(event, "quiet", `Not in the picture of the folder: ${event.notCovered.join(", ")}`);
    },
    model_reply: (event) => this.#takeReply(event),
    model_decision: (event) => {
      if (event.action_type === "tool_call") this.#of(event.callId, (call) => (call.decision = event));
      else if (this.#say !== null) this.#say.isFinal = true;
    },
    model_error: (event) => {
      this.#endRetry();
      if (event.retryInMs === null) return this.#note(event, "bad", `The model failed: ${event.failure.message}`);
      this.#retry = this.#add({ kind: "retry", event, isOver: false });
    },
    tool_start: (event) =>
      this.#of(event.callId, (call) => {
        call.start = event;
        call.isLeft = false;
        this.#open.add(call);
      }),
    tool_end: (event) =>
      this.#of(event.callId, (call) => {
        call.end = event;
        this.#open.delete(call);
      }),
    guardrail_denied: (event) =>
      this.#of(event.callId, (call) => {
        call.denial = event;
        this.#open.delete(call);
      }),
    approval_requested: (event) => this.#takeRequest(event),
    approval_resolved: (event) => {
      const asked = this.#asked.get(event.id);
      if (asked !== undefined) asked.answeredBy = event.by;
    },
    todos_updated: (event) => {
      const call = event.callId === null ? undefined : this.#calls.get(event.callId);
      const plan = { before: this.#ledger, after: event.ledger };
      this.#ledger = event.ledger;
      if (call === undefined) this.#add({ kind: "plan", event, plan });
      else call.plan = plan;
    },
    verification_start: (event) => {
      this.#gate = this.#add({ kind: "gate", event, checks: [], receipts: [], end: null, isLeft: false });
    },
    check_end: (event) => {
      if (event.callId !== null) this.#of(event.callId, (call) => call.checks.push(event.check));
      else this.#gate?.checks.push(event.check);
    },
    receipts: (event) => {
      if (this.#gate !== null) this.#gate.receipts = event.receipts;
    },
    verification_end: (event) => {
      if (this.#gate !== null) this.#gate.end = event;
      this.#gate = null;
    },
    contract_amended: (event) =>
      this.#note(event, "ask", `What decides the checks was changed: ${event.path} (${event.by})`),
    human_message: (event) => this.#add({ kind: "message", event }),
    human_accepted: (event) => this.#note(event, "ask", `${event.by} accepts: ${event.what}`),
    compaction: (event) => this.#note(event, "quiet", `${event.turns} earlier turns are summed up for the model`),
    child_start: (event) => this.#note(event, "plain", `Hands a part to the agent ${event.agent}`),
    child_end: (event) => this.#note(event, "plain", `The agent it asked ended: ${event.status}`),
    agent_end: (event) => {
      this.#leave();
      this.#end = this.#add({ kind: "end", event, isResumed: false });
    },
  };

  #takeReply(event: Stamped<"model_reply">): void {
    this.#leave();
    this.#say = null;
    if (event.text.trim() !== "" || event.calls.length === 0) {
      this.#say = this.#add({ kind: "say", event, isFinal: false });
    }
    for (const record of event.calls) {
      const call = this.#add<CallDraft>({
        ...{ kind: "call", event, record, decision: null, start: null, end: null, denial: null },
        ...{ approvalId: null, answeredBy: "", plan: null, checks: [], isLeft: false },
      });
      this.#calls.set(record.callId, call);
      this.#open.add(call);
    }
    for (const note of event.notes) this.#note(event, "quiet", note);
  }

  #takeRequest(event: Stamped<"approval_requested">): void {
    const call = event.callId === null ? undefined : this.#calls.get(event.callId);
    if (call === undefined) {
      this.#asked.set(event.id, this.#add({ kind: "approval", event, answeredBy: "" }));
      return;
    }
    call.approvalId = event.id;
    this.#asked.set(event.id, call);
  }

  /** What was going on is over: the model has spoken since, or nobody drove the run for a while. */
  #leave(): void {
    for (const call of this.#open) call.isLeft = true;
    this.#open.clear();
    if (this.#gate !== null) this.#gate.isLeft = true;
    this.#gate = null;
    this.#endRetry();
  }

  #endRetry(): void {
    if (this.#retry !== null) this.#retry.isOver = true;
    this.#retry = null;
  }

  #of(callId: string, change: (call: CallDraft) => unknown): void {
    const call = this.#calls.get(callId);
    if (call !== undefined) change(call);
  }

  #note(event: JournaledEvent, tone: Tone, text: string): void {
    this.#add({ kind: "note", event, tone, text });
  }

  #add<T extends Draft>(draft: T): T {
    this.drafts.push(draft);
    return draft;
  }
}
