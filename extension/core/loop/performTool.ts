// Runs one call that was allowed or approved. What is about to happen is journaled before it happens.
import { errorText } from "../errorText";
import { findCall } from "../journal/history";
import type { Event } from "../journal/event";
import type { CallState, RunState } from "../journal/runState";
import type { AnyToolDef, FileIntent, ToolContext, ToolResult } from "../tools/toolDef";
import { amendContract } from "./amendContract";
import { callDigest, callKey, failedCall, resolveCall } from "./guardedCall";
import type { RunContext } from "./runContext";
import { runChecksForCall } from "./runFrozenCheck";

export async function performTool(callId: string, context: RunContext, signal: AbortSignal): Promise<void> {
  const call = findCall(context.state(), callId);
  if (call === null || signal.aborted) return;
  const resolved = resolveCall(context, call);
  if (!resolved.ok) return context.emit(failedCall(call, resolved.code, resolved.message));
  const refusal = recheck(context, call, resolved.guarded);
  if (refusal !== null) return context.emit(refusal);
  const watch = await watchTree(context, call, resolved.tool, signal);
  const { result, files } = await runTool(context, call, resolved.tool, resolved.args, signal);
  if (result.ok) await amendContract(context, call, files);
  const { changed, contractTouched } = await watch();
  if (result.ok && result.ledger !== undefined) {
    await context.emit({ type: "todos_updated", callId, ledger: result.ledger });
  }
  await context.emit(await toToolEnd(context, call, { result, files, changed, contractTouched }, signal));
}

/** Between verdict and act the disk may have changed (a link was made), and a redacted call may have come back from the journal. */
function recheck(context: RunContext, call: CallState, guarded: Parameters<RunContext["judgePaths"]>[0]): Event | null {
  const approval = context.state().approvals.find((entry) => entry.id === call.approvalId) ?? null;
  const args = guarded.args;
  if (call.status === "approved" && approval?.digest !== callDigest(context.hasher, guarded.tool, args, call.callId)) {
    return failedCall(
      call,
      "refused",
      "The approval is bound to other arguments (secrets are taken out of the journal). Ask again.",
    );
  }
  const verdict = context.judgePaths(guarded);
  if (verdict === null || verdict.decision === "allow") return null;
  if (verdict.decision === "ask" && call.status === "approved") return null;
  const key = callKey(context.hasher, guarded.tool, args);
  const reason = verdict.decision === "deny" ? verdict.reason : `${verdict.reason} (changed since it was judged)`;
  return { type: "guardrail_denied", callId: call.callId, tool: guarded.tool, args, rule: verdict.rule, reason, key };
}

async function runTool(
  context: RunContext,
  call: CallState,
  tool: AnyToolDef,
  args: unknown,
  signal: AbortSignal,
): Promise<{ result: ToolResult; files: readonly FileIntent[] }> {
  let files: readonly FileIntent[] | null = null;
  const begin: ToolContext["begin"] = async (intent) => {
    // What has not begun when the run is stopped does not begin.
    if (signal.aborted) throw new Error("stopped before it began");
    files = intent.files ?? [];
    await context.emit({ type: "tool_start", callId: call.callId, tool: tool.name, files });
  };
  if (!tool.tags.includes("write") && !tool.tags.includes("command")) await begin({});
  const result = await callTool(tool, args, toToolContext(context, call, begin, signal));
  if (files === null && !signal.aborted) await begin({});
  return { result, files: files ?? [] };
}

/** The one catch around tools: a throw is a bug in the tool, told to the model as a failure. */
async function callTool(tool: AnyToolDef, args: unknown, toolContext: ToolContext): Promise<ToolResult> {
  try {
    return await tool.run(args as never, toolContext);
  } catch (error: unknown) {
    return { ok: false, code: "failed", message: `${tool.name} failed: ${errorText(error)}` };
  }
}

function toToolContext(
  context: RunContext,
  call: CallState,
  begin: ToolContext["begin"],
  signal: AbortSignal,
): ToolContext {
  const seen = (): RunState["seen"] => context.state().seen;
  return {
    callId: call.callId,
    root: context.workspace?.root ?? "",
    signal,
    ports: {
      ...context.toolPorts,
      files: context.workspace?.editors?.files ?? context.toolPorts.files,
      runChecks: (name, ended) => runChecksForCall(context, call.callId, name, ended),
    },
    ledger: context.state().ledger,
    lastSeen: (path) => (Object.hasOwn(seen(), path) ? seen()[path] : undefined),
    begin,
    processStarted: (process) => context.emit({ type: "process_started", callId: call.callId, ...process }),
    progress: (text) => context.show({ type: "tool_progress", callId: call.callId, text }),
  };
}

interface TreeWatch {
  changed: readonly string[];
  contractTouched: readonly string[];
}

/** A command can change any file: pictures around it tell which, and whether it touched the contract. */
async function watchTree(
  context: RunContext,
  { callId }: CallState,
  tool: AnyToolDef,
  signal: AbortSignal,
): Promise<() => Promise<TreeWatch>> {
  const { workspace } = context;
  const nothing: TreeWatch = { changed: [], contractTouched: [] };
  const mayChangeAnything = tool.tags.includes("command") && tool.name !== "run_tests";
  if (workspace === null || !mayChangeAnything) return () => Promise.resolve(nothing);
  const before = await workspace.snapshots.take(signal);
  // For a resume: if the process ends while the command runs, what it changed is still known for its work.
  if (before.ok && !signal.aborted)
    await context.emit({ type: "snapshot", tree: before.tree, purpose: "call", notCovered: [], callId });
  return async () => {
    const plan = context.state().plan;
    const contractTouched = plan === null ? [] : await workspace.contractTouched(plan);
    const after = await workspace.snapshots.take(new AbortController().signal);
    if (!before.ok || !after.ok) return { changed: [], contractTouched };
    const changes = await workspace.snapshots.diff(before.tree, after.tree);
    return { changed: changes.map((change) => change.path), contractTouched };
  };
}

interface FinishedCall extends TreeWatch {
  result: ToolResult;
  files: readonly FileIntent[];
}

async function toToolEnd(
  context: RunContext,
  call: CallState,
  { result, files, changed, contractTouched }: FinishedCall,
  signal: AbortSignal,
): Promise<Event<"tool_end">> {
  const text = result.ok ? result.output : result.message;
  const cancelled = !result.ok && (result.code === "cancelled" || signal.aborted);
  return {
    type: "tool_end",
    callId: call.callId,
    tool: call.tool,
    success: result.ok,
    summary: firstLine(text),
    status: result.ok ? "ok" : cancelled ? "cancelled" : "error",
    result: text,
    code: result.ok ? null : result.code,
    blob: result.fullOutput === undefined ? null : await context.keep(result.fullOutput),
    reads: result.ok ? (result.reads ?? []) : [],
    files,
    changed,
    contractTouched,
  };
}

const firstLine = (text: string): string => (text.split("\n", 1)[0] ?? "").slice(0, 200);
