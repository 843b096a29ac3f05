// What the auditor may see: the journal's view of a run, never the story told about it.
import { canonicalJson } from "../../journal/canonicalJson";
import type { Ledger } from "../../plan/ledger";
import type { CheckResult } from "../checkResult";

export type Args = Readonly<Record<string, unknown>>;

export interface LedgerCall {
  callId: string;
  tool: string;
  args: Args | null;
  success: boolean;
  status: string;
}

export interface LedgerDenial {
  tool: string;
  args: Args;
  reason: string;
  callId: string;
}

export interface LedgerView {
  /** In the order of the journal. */
  calls: readonly LedgerCall[];
  denials: readonly LedgerDenial[];
  /** The newest result per check for the tree that is judged now. */
  checks: readonly CheckResult[];
  /** Paths this run changed, relative to the root. */
  touched: readonly string[];
  plan: Ledger;
}

/** `deploy {"env":"prod"}`, cut to fit in one reason. */
export function nameCall(call: { tool: string; args: Args | null }): string {
  const args = JSON.stringify(call.args ?? {});
  return `${call.tool} ${args.length > 160 ? `${args.slice(0, 159)}…` : args}`;
}

/** A call that took effect, or of which nobody knows: only a call that certainly did not happen can contradict. */
export function mayHaveHappened(call: LedgerCall): boolean {
  return call.success || call.status === "interrupted";
}

export function sameArgs(left: Args | null, right: Args | null): boolean {
  return canonicalJson(left ?? {}) === canonicalJson(right ?? {});
}
