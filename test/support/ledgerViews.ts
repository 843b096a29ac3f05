import type { CheckResult, CheckVerdict } from "../../extension/core/gate/checkResult";
import { auditClaims } from "../../extension/core/gate/receipts/auditClaims";
import type { LedgerCall, LedgerDenial, LedgerView } from "../../extension/core/gate/receipts/ledgerView";
import type { Receipt } from "../../extension/core/gate/receipts/receipt";
import { emptyLedger } from "../../extension/core/plan/ledger";

type Args = Record<string, unknown>;

/** Ends well unless `rest` says otherwise. */
export function call(tool: string, args: Args = {}, rest: Partial<LedgerCall> = {}): LedgerCall {
  const callId = rest.callId ?? `${tool}-${JSON.stringify(args)}`;
  return { callId, tool, args, success: true, status: "settled", ...rest };
}

export function denial(tool: string, args: Args = {}, reason = "prod needs human approval"): LedgerDenial {
  return { callId: `denied-${tool}`, tool, args, reason };
}

export function check(name: string, verdict: CheckVerdict, reason = ""): CheckResult {
  const base = {
    exitCode: 1,
    durationMs: 5,
    tests: null,
    evidence: "exit-code",
    tree: "t1",
    provenance: "donegate.yaml",
  };
  return { ...base, name, verdict, reason, evidence: "exit-code" };
}

/** A run's ledger and the files that are there afterwards. */
export interface Story extends Partial<Omit<LedgerView, "plan">> {
  files?: readonly string[];
}

export function audit(finalText: string, { files = [], ...view }: Story = {}): Receipt[] {
  return auditClaims({
    goal: "do the work",
    finalText,
    ledgerView: { calls: [], denials: [], checks: [], touched: [], plan: emptyLedger, ...view },
    facts: { exists: (path) => files.includes(path) },
  });
}
