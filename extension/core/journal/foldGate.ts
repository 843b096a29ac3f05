// The gate: what was judged, what it found, what goes back to the model.
import type { ContractEntry, VerificationPlan } from "../contract/verificationPlan";
import type { CheckResult } from "../gate/checkResult";
import type { Folds } from "./folds";
import type { Event } from "./event";
import { appendUser } from "./history";
import type { RunState } from "./runState";

type GateEvent = "verification_start" | "check_end" | "receipts" | "verification_end" | "contract_amended";

export const gateFolds: Folds<GateEvent> = {
  verification_start: (state) => ({ ...state, verifying: true, checks: [], receipts: [] }),
  check_end: (state, event) => ({
    ...state,
    checks:
      event.attempt === null
        ? state.checks
        : [...state.checks.filter((check) => check.name !== event.check.name), event.check],
    answered: remember(state.answered, event.check),
    // A judgement is news: a call that was refused before it may be asked about again.
    stuck: { ...state.stuck, deniedKeys: {} },
  }),
  receipts: (state, event) => ({ ...state, receipts: event.receipts }),
  verification_end: foldVerificationEnd,
  contract_amended: (state, event) => ({
    ...state,
    plan: state.plan === null ? null : amend(state.plan, event),
    amendments: [...state.amendments, { path: event.path, by: event.by }],
  }),
};

function foldVerificationEnd(state: RunState, { type: _type, ...end }: Event<"verification_end">): RunState {
  // Cut short, it judged nothing: what the last one found still stands.
  if (end.cancelled) return { ...state, verifying: false };
  const judged: RunState = {
    ...state,
    verifying: false,
    passMayBeOld: false,
    attempts: state.attempts + (end.charged ? 1 : 0),
    lastVerification: { ...end, checks: state.checks },
  };
  // A person spoke while the checks ran: there is no final answer any more that this could settle.
  if (state.finalText === null) return judged;
  const settled: RunState = { ...judged, judged: true };
  if (end.passed) return { ...settled, ledger: confirmItems(settled) };
  if (!end.charged || attemptsExhausted(settled)) return settled;
  return appendUser({ ...settled, finalText: null, finalDecided: false }, repairMessage(end.reason));
}

export function attemptsExhausted(state: RunState): boolean {
  return state.attempts >= (state.spec?.completion?.maxAttempts ?? 1);
}

/** The gate's one sentence to the model (design 3.2, rule 4). */
export function repairMessage(reason: string): string {
  return `Your work did not verify: ${reason}. Fix it and finish.`;
}

function confirmItems(state: RunState): RunState["ledger"] {
  const items = state.ledger.items.map((item) => (item.status === "completed" ? { ...item, verified: true } : item));
  return { ...state.ledger, items };
}

/** The newest answer per check and tree, bounded: older trees do not come back often. */
function remember(answered: readonly CheckResult[], check: CheckResult): readonly CheckResult[] {
  const others = answered.filter((known) => known.name !== check.name || known.tree !== check.tree);
  return [...others.slice(-31), check];
}

function amend(plan: VerificationPlan, event: Event<"contract_amended">): VerificationPlan {
  const others = plan.contract.filter((entry) => entry.path !== event.path);
  const contract: readonly ContractEntry[] = event.entry === null ? others : [...others, event.entry];
  return { ...plan, contract, digest: event.planDigest };
}
