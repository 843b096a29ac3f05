import type { CallState } from "../journal/runState";
import type { FileIntent } from "../tools/toolDef";
import type { RunContext } from "./runContext";

/** An approved change of a contract file becomes part of the contract, named at the end. */
export async function amendContract(context: RunContext, call: CallState, files: readonly FileIntent[]): Promise<void> {
  const { workspace } = context;
  if (workspace === null || call.approvalId === null) return;
  for (const { path } of files) {
    const { plan } = context.state();
    if (plan === null || !workspace.isContract(path)) continue;
    const amendment = await workspace.amendContract(plan, path);
    // Equal after a crash between this line and the call's end: it is in the contract already.
    if (amendment.before === amendment.after) continue;
    await context.emit({ type: "contract_amended", ...amendment, by: call.approvalId });
  }
}
