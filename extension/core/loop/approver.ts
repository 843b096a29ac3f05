// A surface that asks a person. Whatever goes wrong in it is "no answer": nothing is approved and nothing runs.
import type { Approval } from "../journal/runState";
import type { AgentRun } from "./run";

/** Null: the person gave no answer (closed the prompt, pressed Escape); the approval goes on waiting. */
export type Decision =
  | { decision: "approve"; by: string }
  | { decision: "deny"; by: string; reason: string }
  | { decision: "answer"; by: string; text: string };

export interface Approver {
  /** `signal` aborts when the request ends by other means: take the prompt away. */
  decide(request: Approval, signal: AbortSignal): Promise<Decision | null>;
}

/** Hands every new request to the approver and its answer, bound to the request's digest, back to the run. Answers how to detach. */
export function attachApprover(run: AgentRun, approver: Approver): () => void {
  const open = new Map<string, AbortController>();
  const askNew = (): void => {
    // A run that is about to be resumed still counts as ended: an answer would be lost.
    const canAnswer = run.state().end === null;
    for (const approval of run.state().approvals) {
      if (approval.status === "pending" && canAnswer && !open.has(approval.id)) ask(approval);
      if (approval.status !== "pending") open.get(approval.id)?.abort();
    }
  };
  const ask = (approval: Approval): void => {
    const ended = new AbortController();
    open.set(approval.id, ended);
    void decideSafely(approver, approval, ended.signal).then((decision) => pass(run, approval, decision));
  };
  const unsubscribe = run.subscribe({ onEvent: askNew });
  askNew();
  return () => {
    unsubscribe();
    for (const ended of open.values()) ended.abort();
  };
}

async function decideSafely(
  approver: Approver,
  approval: Approval,
  signal: AbortSignal,
): Promise<Decision | "failed" | null> {
  try {
    const decision: unknown = await approver.decide(approval, signal);
    return decision === null || decision === undefined ? null : (readDecision(decision, approval) ?? "failed");
  } catch {
    // A surface that throws has not asked anybody.
    return "failed";
  }
}

/** Null for anything but a whole decision that fits the request: a doubt is never an approval. Reads each part once. */
function readDecision(given: unknown, { kind }: Approval): Decision | null {
  if (typeof given !== "object" || given === null) return null;
  const { decision, by, reason, text } = given as Record<string, unknown>;
  if (typeof by !== "string" || by === "") return null;
  if (decision === "deny") return { decision, by, reason: typeof reason === "string" ? reason : "" };
  if (decision === "approve" && kind !== "question") return { decision, by };
  if (decision === "answer" && kind === "question" && typeof text === "string") return { decision, by, text };
  return null;
}

async function pass(run: AgentRun, approval: Approval, decision: Decision | "failed" | null): Promise<void> {
  const { id, digest } = approval;
  if (decision === "failed") await run.send({ type: "withdraw", id, why: "the approval surface failed" });
  else if (decision?.decision === "approve") await run.send({ type: "approve", id, by: decision.by, digest });
  else if (decision?.decision === "deny")
    await run.send({ type: "deny", id, by: decision.by, reason: decision.reason });
  else if (decision?.decision === "answer")
    await run.send({ type: "answer", id, by: decision.by, text: decision.text });
}
