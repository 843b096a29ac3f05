import type { RunContext } from "./runContext";

/** Journals what the checks say about the start tree. Cut short it journals nothing, and a resume begins it anew. */
export async function performBaseline(context: RunContext, signal: AbortSignal): Promise<void> {
  const { workspace } = context;
  const { plan, startTree } = context.state();
  if (workspace === null || plan === null || startTree === null) return;
  const onStarted = (process: { pid: number; startedAt: number }): Promise<void> =>
    context.emit({ type: "process_started", callId: null, ...process });
  const checks = await workspace.runBaseline(plan, { tree: startTree, onStarted }, signal);
  if (signal.aborted) return;
  await context.emit({ type: "baseline_end", checks });
}
