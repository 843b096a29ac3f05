// Holds what the final text claims against the journal's view of the run and the disk as it is now.
import { cacheFolders } from "../contract/builtInOutputs";
import { auditClaims, claimedPaths } from "../gate/receipts/auditClaims";
import type { LedgerView } from "../gate/receipts/ledgerView";
import { namesFile } from "../gate/receipts/claimPath";
import { receiptsCheck } from "../gate/receipts/receiptsCheck";
import type { RunState } from "../journal/runState";
import { resolveWorkspacePath } from "../tools/workspacePath";
import type { RunContext } from "./runContext";

/** Journals the receipts; only UNBACKED and UNVERIFIABLE ones fail the check. */
export async function judgeReceipts(
  context: RunContext,
  tree: string | null,
): Promise<{ verdict: "pass" | "fail"; reason: string }> {
  const state = context.state();
  const finalText = state.finalText ?? "";
  const exists = await lookUp(context, claimedPaths(finalText));
  const receipts = auditClaims({
    goal: state.spec?.goal ?? "",
    finalText,
    ledgerView: toLedgerView(state, tree),
    facts: { exists },
  });
  if (receipts.length > 0) await context.emit({ type: "receipts", attempt: state.attempts + 1, receipts });
  return receiptsCheck(receipts);
}

const listLimit = 50_000;

/** Only a file that is certainly absent contradicts: one that cannot be read, or may be beyond the list's end, counts as there. */
async function lookUp(context: RunContext, paths: readonly string[]): Promise<(path: string) => boolean> {
  if (paths.length === 0) return () => true;
  const { files } = context.toolPorts;
  const root = context.workspace?.root ?? "";
  const present = new Set<string>();
  for (const path of paths) {
    const file = await files.read(resolveWorkspacePath(root, path).absolute, 1);
    if (file.ok || file.code !== "not-found") present.add(path);
  }
  if (present.size === new Set(paths).size) return (path) => present.has(path);
  const skip = (path: string): boolean => cacheFolders.includes(path.split("/").at(-1) ?? "") || path.endsWith(".git");
  const listed = await files.list(root, { depth: 32, limit: listLimit, skip });
  if (!listed.ok || listed.value.more) return () => true;
  return (path) => present.has(path) || listed.value.entries.some((entry) => namesFile(path, entry.path, root));
}

function toLedgerView(state: RunState, tree: string | null): LedgerView {
  return {
    calls: state.settledCalls.map(({ callId, tool, args, success, outcome }) => ({
      callId,
      tool,
      args,
      success,
      status: outcome === "unknown" ? "interrupted" : (outcome ?? "error"),
    })),
    denials: state.denials,
    checks: state.answered.filter((check) => check.tree === tree),
    touched: state.touched,
    plan: state.ledger,
  };
}
