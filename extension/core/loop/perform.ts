// The only impure part of the loop: does one effect and journals what came of it.
import { openCancelWishes } from "../plan/cancelWishes";
import { toApprovalRequest } from "./approvalRequest";
import type { RunState } from "../journal/runState";
import type { Effect, Ending } from "./effect";
import { toEndEvents } from "./performEnding";
import { performBaseline } from "./performBaseline";
import { performModel } from "./performModel";
import { performProposal } from "./performProposal";
import { performSettle } from "./performSettle";
import { performTool } from "./performTool";
import { performVerify } from "./performVerify";
import type { RunContext } from "./runContext";

/** Resolves when the effect is over; ends soon after `signal` aborts. Rejects only when the journal cannot be written. */
export async function perform(effect: Effect, context: RunContext, signal: AbortSignal): Promise<void> {
  switch (effect.kind) {
    case "prepare":
      return performPrepare(context, signal);
    case "baseline":
      return performBaseline(context, signal);
    case "callModel":
      return performModel(context, signal);
    case "compact":
      return context.emit({ type: "compaction", ...effect.compaction });
    case "propose":
      return performProposal(effect.callId, context, signal);
    case "runTool":
      return performTool(effect.callId, context, signal);
    case "settle":
      return performSettle(effect.callId, context);
    case "finalAnswer": {
      const { turns, finalText } = context.state();
      return context.emit({
        type: "model_decision",
        turn: turns,
        action_type: "final_answer",
        action: { text: finalText ?? "" },
      });
    }
    case "askCancel":
      return performAskCancel(context);
    case "verify":
      return performVerify(context, signal);
    case "confirmTree":
      return performConfirmTree(context, signal);
    case "end":
      return context.emitDecided((state) =>
        isOverruled(state, effect.ending) ? [] : toEndEvents(state, effect.ending),
      );
  }
}

const finalEndings: ReadonlySet<Ending["kind"]> = new Set(["done", "exhausted", "unavailable", "review"]);

/** A person spoke since the end was chosen: there is no final answer any more, and the model is to hear it first. */
function isOverruled(state: RunState, ending: Ending): boolean {
  return finalEndings.has(ending.kind) && state.finalText === null;
}

/** Before the first model call: nothing that the run writes can become its own contract or its own starting point. */
async function performPrepare(context: RunContext, signal: AbortSignal): Promise<void> {
  const { workspace } = context;
  if (workspace === null) return;
  const picture = await workspace.snapshots.take(signal);
  if (signal.aborted) return;
  if (!picture.ok) return fail(context, `no picture of the workspace could be taken: ${picture.message}`);
  const frozen = await workspace.freeze(signal);
  if (signal.aborted) return;
  if (!frozen.ok) return fail(context, `the checks could not be frozen: ${frozen.message}`);
  await context.emit(
    { type: "snapshot", tree: picture.tree, purpose: "start", notCovered: picture.notCovered },
    { type: "plan_frozen", plan: frozen.plan },
  );
}

function fail(context: RunContext, sentence: string): Promise<void> {
  return context.emit(...toEndEvents(context.state(), { kind: "error", sentence }));
}

/** All cancellations in one question; with nobody there they simply stay open. */
async function performAskCancel(context: RunContext): Promise<void> {
  const state = context.state();
  const items = openCancelWishes(state.ledger);
  const request = toApprovalRequest(context, {
    kind: "cancel-items",
    callId: null,
    tool: "todowrite",
    args: { items },
    reason: `the agent wants to cancel ${items.map((item) => `${item.id} ${item.text}`).join("; ")}`,
    level: "guarded",
    rule: "plan-cancellation",
  });
  await context.emit(request);
  if (state.spec?.onAsk !== "wait") {
    await context.emit({
      type: "approval_resolved",
      id: request.id,
      decision: "deny",
      reason: "nobody to ask",
      by: "nobody",
    });
  }
}

/** A tree that cannot be pictured is not known to be the one that passed. */
async function performConfirmTree(context: RunContext, signal: AbortSignal): Promise<void> {
  const picture = (await context.workspace?.snapshots.take(signal)) ?? null;
  if (signal.aborted) return;
  const tree = picture?.ok === true ? picture.tree : "unknown";
  await context.emit({ type: "snapshot", tree, purpose: "gate", notCovered: [] });
}
