import { openItems, type Ledger, type LedgerItem } from "../../plan/ledger";
import type { CheckResult } from "../checkResult";
import { structuralResult } from "./structuralResult";

/** `successfulWork`: successful calls of the run besides `todowrite`. A run that declared no plan passes. */
export function todosCheck(ledger: Ledger, successfulWork: number): CheckResult {
  const open = openItems(ledger);
  if (open.length > 0) return structuralResult("todos", "fail", `${open.length} item(s) still open: ${texts(open)}`);
  const claimed = ledger.items.filter((item) => item.status === "completed");
  if (claimed.length > 0 && successfulWork === 0)
    return structuralResult("todos", "fail", `no work behind: ${texts(claimed)}`);
  return structuralResult("todos", "pass", "");
}

function texts(items: readonly LedgerItem[]): string {
  return items.map((item) => item.text).join("; ");
}
