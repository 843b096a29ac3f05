// What effects work with. One place names every port and collaborator of a run.
import type { VerificationPlan } from "../contract/verificationPlan";
import type { CheckResult } from "../gate/checkResult";
import type { BaselineOfCheck, FrozenTests } from "../gate/evidence/frozenTests";
import type { Verifier } from "../gate/verifier";
import type { GuardedCall, Verdict } from "../guardrails/verdict";
import type { Args, Event } from "../journal/event";
import type { SecretValue } from "../journal/redact";
import type { RunState } from "../journal/runState";
import type { Clock } from "../ports/clock";
import type { Hasher } from "../ports/hasher";
import type { Ids } from "../ports/ids";
import type { ModelClient } from "../ports/modelClient";
import type { OpenEditors } from "../ports/openEditors";
import type { Snapshots } from "../ports/snapshots";
import type { ToolPorts } from "../tools/toolPorts";
import type { ToolRegistry } from "../tools/toolRegistry";
import type { RetryPolicy } from "./retryPolicy";
import type { Signal } from "./signal";

/** Runs after the guardrails allowed. New arguments are judged again; what was judged last is what runs. */
export type BeforeTool = (
  call: GuardedCall,
  signal: AbortSignal,
) => BeforeToolAnswer | void | Promise<BeforeToolAnswer | void>;
export type BeforeToolAnswer = { args: Args } | { deny: string };

export interface CheckSubject {
  plan: VerificationPlan;
  /** Digest of the tree that is judged. */
  tree: string | null;
  /** What ran before the first edit; null where nothing is known about that. */
  frozen: FrozenTests | null;
  /** Whether a pass has to show that a test which must fail does fail. */
  canary: boolean;
  onStarted(process: { pid: number; startedAt: number }): Promise<void>;
}

/** What a workspace run has and a bare embedded run has not. */
export interface WorkspacePart {
  root: string;
  snapshots: Snapshots;
  /** File tools go through them; null where nobody edits beside the run. */
  editors: OpenEditors | null;
  /** Discovers or reads the checks and freezes them with everything that decides their meaning. */
  freeze(signal: AbortSignal): Promise<{ ok: true; plan: VerificationPlan } | { ok: false; message: string }>;
  /** Runs the checks that can tell their tests on a private copy of the start tree. Never rejects. */
  runBaseline(
    plan: VerificationPlan,
    subject: Pick<CheckSubject, "tree" | "onStarted"> & { tree: string },
    signal: AbortSignal,
  ): Promise<readonly BaselineOfCheck[]>;
  runCheck(name: string, subject: CheckSubject, signal: AbortSignal): Promise<CheckResult>;
  /** Contract entries that are not as frozen now. */
  contractTouched(plan: VerificationPlan): Promise<readonly string[]>;
  /** Takes an approved change of a contract file into the plan. */
  amendContract(plan: VerificationPlan, path: string): Promise<Omit<Event<"contract_amended">, "type" | "by">>;
  /** Asks a custom tool's read-only `readback` whether its effect is there. Null: it has none. */
  readback(tool: string, args: Args, signal: AbortSignal): Promise<boolean | null>;
  /** Ends what the run's commands left running; answers what could not be ended. */
  endLeftOvers(processes: RunState["processes"]): Promise<readonly number[]>;
  /** Whether a path is part of the contract, as the guard sees it. */
  isContract(path: string): boolean;
}

export interface RunContext {
  state(): RunState;
  /** Journals and folds, in order; resolves when written. Rejects when the journal cannot be written: the run stops. */
  emit(...events: Event[]): Promise<void>;
  /** The same for what is decided only when its turn to be written has come: a person's word may have come before it. */
  emitDecided(decide: (state: RunState) => readonly Event[]): Promise<void>;
  show(signal: Signal): void;
  /** Keeps a large text beside the journal; answers its reference. */
  keep(text: string): Promise<string | null>;
  clock: Clock;
  ids: Ids;
  hasher: Hasher;
  model: ModelClient;
  tools: ToolRegistry;
  toolPorts: ToolPorts;
  /** The whole guard: every rule set and guardrail. Never rejects. */
  judge(call: GuardedCall, toolDefault: "allow" | "ask" | "prod", signal: AbortSignal): Promise<Verdict>;
  /** The part of the guard that depends on the disk, asked again right before a call runs. */
  judgePaths(call: GuardedCall): Verdict | null;
  beforeTool: BeforeTool | null;
  verifiers: Readonly<Record<string, Verifier>>;
  verifierTimeoutMs: number;
  workspace: WorkspacePart | null;
  /** Longest silence of the model server, milliseconds. */
  stallMs: number;
  retry: RetryPolicy;
  /** Values that no view and no line may show. */
  secrets: readonly SecretValue[];
}
