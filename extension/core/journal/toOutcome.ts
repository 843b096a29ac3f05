// The outcome as every surface tells it: `--json`, the API, the transcript's last line. A projection of the state.
import { toCost } from "../loop/limits";
import type { CheckResult, Evidence } from "../gate/checkResult";
import type { RunStatus } from "./event";
import { pendingApprovals, toPhase, type RunState } from "./runState";

export type OutcomeVerdict = "VERIFIED" | "FALSE-COMPLETION" | "NEEDS-REVIEW" | "none";

/** What the journal cannot know: where it lies, and whether the tree is still the one that was judged. */
export interface OutcomeFacts {
  journal: string | null;
  stale: boolean | null;
}

export type Outcome = ReturnType<typeof toOutcome>;

export function toOutcome(state: RunState, facts: OutcomeFacts) {
  return {
    runId: state.run,
    status: state.end?.status ?? null,
    phase: toPhase(state),
    limit: state.end?.limit ?? null,
    stoppedBy: state.end?.stoppedBy ?? null,
    reasons: state.end?.reasons ?? [],
    review: state.end?.review ?? false,
    attempts: state.attempts,
    turns: state.turns,
    toolCalls: state.toolCalls,
    tokens: state.usage,
    cost: toCost(state),
    verdict: toVerdict(state),
    evidence: toEvidence(state),
    isolation: isGated(state) && state.spec?.root !== null ? "detect" : null,
    sealed: state.sealed,
    stale: state.end?.status === "done" && wasChangedDuring(state) ? true : facts.stale,
    accepted: state.accepted,
    amendments: state.amendments.map(({ path }) => ({ path })),
    plan: state.ledger.items.map(({ id, text, status, verified }) => ({ id, text, status, verified })),
    checks: toChecks(state).map(toCheckView),
    receipts: state.receipts,
    denials: state.denials.map(({ tool, args, rule, reason }) => ({ tool, args, rule, reason })),
    pendingApprovals: pendingApprovals(state).map(({ id, callId, tool, args, reason, level, digest }) => ({
      id,
      callId,
      tool,
      args,
      reason,
      level,
      digest,
    })),
    children: [],
    looksAfterSettled: 0,
    journal: facts.journal,
    text: state.end?.text ?? state.text,
  };
}

const overStatuses: ReadonlySet<RunStatus> = new Set<RunStatus>(["incomplete", "timeout", "error"]);

/** Nothing is shown verified unless a gate passed and the run ended done. */
export function toVerdict(state: RunState): OutcomeVerdict {
  if (!isGated(state) || state.lastVerification === null) return "none";
  if (state.end?.review === true) return "NEEDS-REVIEW";
  // An answer rests on no check: it is answered, never verified.
  if (state.spec?.kind === "question" && state.end?.status === "done") return "none";
  if (state.end?.status === "done" && state.lastVerification.passed) return "VERIFIED";
  // Only a run that is over has completed falsely; one that waits or was stopped has not said its last word.
  const isOver = overStatuses.has(state.end?.status ?? "pending");
  return isOver && state.lastVerification.charged && !state.lastVerification.passed ? "FALSE-COMPLETION" : "none";
}

/** Something changed while the checks passed, and nothing judged it afterwards. */
const wasChangedDuring = (state: RunState): boolean => (state.lastVerification?.changedDuring ?? []).length > 0;

const isGated = (state: RunState): boolean => (state.spec?.completion ?? null) !== null;

/** As strong as the weakest command check; without one, done rests on structure alone. */
function toEvidence(state: RunState): Evidence {
  const checks = toChecks(state).filter((check) => check.evidence !== "none");
  if (checks.length === 0) return "none";
  const commands = checks.filter((check) => check.evidence === "report" || check.evidence === "exit-code");
  if (commands.length === 0) return "structural";
  return commands.some((check) => check.evidence === "exit-code") ? "exit-code" : "report";
}

/** The newest result of each check: the gate's last passage, else what run_tests found. */
function toChecks(state: RunState): readonly CheckResult[] {
  if (state.checks.length > 0) return state.checks;
  return [...new Map(state.answered.map((check) => [check.name, check])).values()];
}

function toCheckView(check: CheckResult) {
  const { name, verdict, exitCode, durationMs, tests, evidence, tree, provenance, reason, canary, flaky } = check;
  const shown = { name, verdict, exitCode, durationMs, tests, evidence, tree, provenance, reason };
  return { ...shown, ...(canary === undefined ? {} : { canary }), ...(flaky === undefined ? {} : { flaky }) };
}
