import type { LedgerItem } from "../plan/ledger";
import type { Denial } from "../journal/runState";

/** What a verifier of an embedding program sees: a frozen copy, so that changing it changes nothing. */
export interface GateEvidence {
  goal: string;
  /** The model's final words. */
  text: string;
  plan: readonly LedgerItem[];
  calls: readonly { tool: string; args: Readonly<Record<string, unknown>>; result: string }[];
  denials: readonly Denial[];
  /** Attempts used before this one. */
  attempts: number;
  turns: number;
  toolCalls: number;
  tokens: { input: number; output: number };
}

export interface VerifierAnswer {
  ok: boolean;
  reason?: string;
}

/** Only `ok === true` passes. Throwing, missing the deadline, another shape or being cancelled has not passed. */
export type Verifier = (evidence: GateEvidence, signal: AbortSignal) => VerifierAnswer | Promise<VerifierAnswer>;
