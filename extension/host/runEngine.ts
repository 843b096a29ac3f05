// What the runs of the editor need from the outside. compose.ts makes one; no host file knows an adapter.
import type { CommandExplanation } from "../core/agents/explainCommand";
import type { BudgetConfig, DonegateConfig } from "../core/config/donegateConfig";
import type { VerificationPlan } from "../core/contract/verificationPlan";
import type { Event, JournaledEvent, RunKind, RunSpec } from "../core/journal/event";
import type { RunState } from "../core/journal/runState";
import type { AgentRun } from "../core/loop/run";
import type { QueueStore } from "./queuedRuns";
import type { Disposable, StartRefusal, VerifyReport } from "./runs";

/** `baseUrl` null: the scripted demo model, which needs no network. */
export interface ModelChoice {
  name: string;
  baseUrl: string | null;
  apiKey: string | null;
}

export interface ConfigFile {
  path: string;
  text: string;
  digest: string;
  config: DonegateConfig;
  /** What counts only once a person has accepted the file, one line each. Empty: it only restricts. */
  trusted: readonly string[];
}

export interface Holder {
  pid: number;
  since: string;
}

/** A journal as its first and last line tell it. */
export interface FoundRun {
  id: string;
  root: string;
  journal: string;
  startedAt: string;
  state: RunState;
  /** It has no last word yet: it runs, waits, or was cut short. */
  isOpen: boolean;
  holder: Holder | null;
}

export interface ReadRun {
  state: RunState;
  /** What was folded into the state. */
  events: readonly JournaledEvent[];
  /** Why it cannot be resumed. */
  problem: string | null;
  holder: Holder | null;
}

export interface StartRequest {
  id: string;
  goal: string;
  kind: RunKind;
  root: string;
  model: ModelChoice;
  config: { file: ConfigFile; acceptedBy: string | null } | null;
  contextWindow: number | null;
  maxAttempts: number;
  budget: BudgetConfig;
  edits: "allow" | "ask";
  /** Rules of the person's settings, as they stand there. */
  userRules: unknown;
}

export type Opening = { ok: true; events: readonly Event[] } | { ok: false; message: string };

export interface ResumeRequest {
  by: string;
  /** What the person does, decided against the journal as it is once it is locked. */
  decide(state: RunState, now: number): Opening;
  model(spec: RunSpec, state: RunState): Promise<ModelChoice>;
}

/** A run that this process drives and whose journal it holds. */
export interface DrivenRun {
  id: string;
  journal: string;
  run: AgentRun;
  /** What the journal held before this process went on with it. */
  earlier: readonly JournaledEvent[];
  /** Bytes of a torn last line that were set aside. */
  tornBytes: number;
  /** Whether the tree is another one than was judged; null when nothing was verified. */
  isStale(): Promise<boolean | null>;
  /** Another process asks for the run: leave it and call `end`. Not called again after `end`. */
  onAskedToLeave(listener: () => void): void;
  /** Ends what commands left running and closes the journal. Answers the processes that could not be ended. */
  end(): Promise<readonly number[]>;
}

export type Driving = { ok: true; driven: DrivenRun } | StartRefusal;

export interface VerifyRequest {
  root: string;
  config: { file: ConfigFile; acceptedBy: string | null } | null;
  /** Null: discovered or configured now. */
  plan: VerificationPlan | null;
}

export interface ExplainRequest {
  root: string;
  /** Counts as accepted: a run would not start before it is. */
  config: ConfigFile | null;
  userRules: unknown;
  command: string;
}

export interface RunEngine {
  newRunId(): string;
  /** Null: there is no such folder. */
  realRoot(folder: string): Promise<string | null>;
  /** Newest first. */
  list(root: string): Promise<readonly FoundRun[]>;
  /** Reads only. */
  read(journal: string): Promise<ReadRun>;
  /** An output that the journal keeps beside itself; null when it is gone. */
  readOutput(journal: string, reference: string): Promise<string | null>;
  /** Null: the folder has none. */
  readConfig(root: string): Promise<{ ok: true; file: ConfigFile | null } | StartRefusal>;
  start(request: StartRequest): Promise<Driving>;
  resume(journal: string, request: ResumeRequest): Promise<Driving>;
  /** Calls back once, and when the journal grew or its holder changed, until disposed. */
  watch(journal: string, onChange: (what: "journal" | "holder") => void): Disposable;
  /** Asks the holder to let go, and waits for it, at most ten seconds. */
  askToLeave(journal: string): Promise<{ ok: true } | { ok: false; message: string }>;
  /** Where runs wait for their folder. */
  queue: QueueStore;
  verify(request: VerifyRequest, signal: AbortSignal): Promise<VerifyReport>;
  /** Starts nothing. */
  explain(request: ExplainRequest): Promise<{ ok: true; explained: CommandExplanation } | StartRefusal>;
}
