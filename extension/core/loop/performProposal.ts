// One call of the turn on its way to a verdict: validate, judge, hook, judge again if the hook changed it, then
// allow, deny or ask. Nothing has run when this is over.
import { errorText } from "../errorText";
import { freezeCall } from "../guardrails/freezeCall";
import type { Verdict } from "../guardrails/verdict";
import { canonicalJson } from "../journal/canonicalJson";
import type { Args, Event } from "../journal/event";
import { findCall } from "../journal/history";
import type { CallState } from "../journal/runState";
import { toApprovalRequest } from "./approvalRequest";
import { callKey, failedCall, resolveCall, type ResolvedCall } from "./guardedCall";
import { toPath } from "./relativePath";
import { asRecord } from "./asRecord";
import { repeatedInReply } from "./repeatedCall";
import type { BeforeTool, BeforeToolAnswer, RunContext } from "./runContext";

type Resolved = Extract<ResolvedCall, { ok: true }>;

export async function performProposal(callId: string, context: RunContext, signal: AbortSignal): Promise<void> {
  const call = findCall(context.state(), callId);
  if (call === null) return;
  const resolved = resolveCall(context, call);
  if (!resolved.ok) return context.emit(failedCall(call, resolved.code, resolved.message));
  // A run without a workspace sends what a plain loop would send (design 3.2, rule 1), so it runs what that would run.
  const isOnWorkspace = context.workspace !== null;
  const repeated = isOnWorkspace ? repeatedInReply(context.state(), call, resolved.tool, resolved.args) : null;
  if (repeated !== null) return context.emit(failedCall(call, "refused", repeated));
  const judged = await judgeFinal(context, call, resolved, signal);
  if (signal.aborted) return;
  if (!judged.ok) return context.emit(failedCall(call, judged.code, judged.message));
  const { final, verdict } = judged;
  const events = consequence(context, call, final, verdict);
  const decision = toDecision(context, call, final.args, verdict, events);
  const isTold = call.decided && events.length > 0 && canonicalJson(final.args) === canonicalJson(call.args);
  await context.emit(...(isTold ? events : [decision, ...events]));
}

/** Guardrails see the final arguments: a hook that changes them sends the call through the guard once more. */
async function judgeFinal(
  context: RunContext,
  call: CallState,
  resolved: Resolved,
  signal: AbortSignal,
): Promise<{ ok: true; final: Resolved; verdict: Verdict } | Extract<ResolvedCall, { ok: false }>> {
  const verdict = await context.judge(resolved.guarded, resolved.tool.defaultVerdict, signal);
  if (verdict.decision === "deny" || context.beforeTool === null) return { ok: true, final: resolved, verdict };
  const answer = await askHook(context.beforeTool, resolved, signal);
  if (answer === null) return { ok: true, final: resolved, verdict };
  if ("deny" in answer) {
    return { ok: true, final: resolved, verdict: { decision: "deny", rule: "beforeTool", reason: answer.deny } };
  }
  const final = resolveCall(context, call, answer.args);
  if (!final.ok) return final;
  return { ok: true, final, verdict: await context.judge(final.guarded, final.tool.defaultVerdict, signal) };
}

/** The hook sees a copy, and its answer is taken as a copy: what it changes later changes nothing. Null: the call as it is. */
async function askHook(
  beforeTool: BeforeTool,
  resolved: Resolved,
  signal: AbortSignal,
): Promise<BeforeToolAnswer | null> {
  const stopped = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  try {
    const answer: unknown = await Promise.race([beforeTool(freezeCall(resolved.guarded), signal), stopped]);
    return answer === undefined || answer === null ? null : readHookAnswer(answer);
  } catch (error: unknown) {
    return { deny: `beforeTool threw: ${errorText(error)}` };
  }
}

function readHookAnswer(given: unknown): BeforeToolAnswer {
  const { deny, args } = asRecord(given) ?? {};
  if (typeof deny === "string" && deny.trim() !== "") return { deny };
  const rewritten = deny === undefined ? asRecord(args) : null;
  if (rewritten !== null) return { args: structuredClone(rewritten) };
  return { deny: 'beforeTool has to answer nothing, { args: { … } } or { deny: "…" }' };
}

/** What follows from the verdict; no event at all means that the call may run. */
function consequence(context: RunContext, call: CallState, final: Resolved, verdict: Verdict): Event[] {
  const { tool, args } = final;
  const key = callKey(context.hasher, tool.name, args);
  const deny = (rule: string, reason: string): Event[] => [
    { type: "guardrail_denied", callId: call.callId, tool: tool.name, args, rule, reason, key },
  ];
  if (verdict.decision === "deny") return deny(verdict.rule, verdict.reason);
  if (verdict.decision === "allow" && !tool.tags.includes("ask")) return [];
  const before = context.state().stuck.deniedKeys[key];
  if (before !== undefined) return deny("denied-before", before);
  return ask(context, call, final, verdict, key);
}

function ask(context: RunContext, call: CallState, final: Resolved, verdict: Verdict, key: string): Event[] {
  const { tool, args } = final;
  const question = tool.tags.includes("ask");
  const reason =
    verdict.decision === "ask" ? verdict.reason : typeof args["question"] === "string" ? args["question"] : "";
  const rule = verdict.rule;
  const answeredAhead = allowedAhead(context, final);
  const refused = answeredAhead ? null : refusedUnasked(context, final, reason);
  if (refused !== null) {
    return [{ type: "guardrail_denied", callId: call.callId, tool: tool.name, args, rule, reason: refused, key }];
  }
  const request = toApprovalRequest(context, {
    kind: question ? "question" : "call",
    callId: call.callId,
    tool: tool.name,
    args,
    reason,
    level: verdict.decision === "ask" ? verdict.level : "normal",
    rule,
  });
  if (!answeredAhead) return [request];
  return [
    request,
    { type: "approval_resolved", id: request.id, decision: "approve", reason: "", by: "--allow-contract-change" },
  ];
}

/** A person answered for these contract files before the run: every path the call changes has to be among them. */
function allowedAhead(context: RunContext, final: Resolved): boolean {
  const root = context.workspace?.root ?? "";
  const allowed = (context.state().spec?.allowContractChange ?? []).map((path) => toPath(root, path));
  const changed = final.guarded.paths.filter((use) => use.use === "write" || use.use === "delete");
  const contract = changed.filter((use) => context.workspace?.isContract(use.path) === true);
  return (
    contract.length > 0 &&
    contract.length === changed.length &&
    contract.every((use) => allowed.includes(toPath(root, use.path)))
  );
}

/** With nobody there, a change of the contract is refused at once; the rest waits, unless told to refuse as well. */
function refusedUnasked(context: RunContext, final: Resolved, reason: string): string | null {
  const onAsk = context.state().spec?.onAsk ?? "wait";
  if (onAsk === "wait") return null;
  const contract = final.guarded.paths.some(
    (use) => use.use !== "read" && use.use !== "list" && context.workspace?.isContract(use.path) === true,
  );
  return onAsk === "deny" || contract ? `${reason} (nobody to ask)` : null;
}

function toDecision(context: RunContext, call: CallState, args: Args, verdict: Verdict, events: Event[]): Event {
  return {
    type: "model_decision",
    turn: context.state().turn?.number ?? 0,
    action_type: "tool_call",
    callId: call.callId,
    action: { tool: call.tool, args },
    allowedBy: events.length === 0 ? verdict.rule : null,
  };
}
