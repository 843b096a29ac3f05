import type { Clock } from "../ports/clock";
import { errorText } from "../errorText";
import { parseAnswer } from "./guardrailAnswer";
import { freezeCall } from "./freezeCall";
import type { GuardedCall, Guardrail, Verdict } from "./verdict";

export interface Deadline {
  clock: Clock;
  deadlineMs: number;
}

/**
 * Asks one guardrail. It gets a copy of its own and a signal that aborts at the deadline or with `signal`.
 * Never rejects: throwing, silence and a wrong shape deny this call.
 */
export async function askGuardrail(
  guardrail: Guardrail,
  call: GuardedCall,
  signal: AbortSignal,
  { clock, deadlineMs }: Deadline,
): Promise<Verdict> {
  const over = new AbortController();
  const stop = AbortSignal.any([signal, over.signal]);
  const silence = clock.sleep(deadlineMs, stop).then(() => missedDeadline(guardrail.id, deadlineMs, signal));
  try {
    return await Promise.race([answerOf(guardrail, call, stop), silence]);
  } finally {
    over.abort();
  }
}

async function answerOf(guardrail: Guardrail, call: GuardedCall, signal: AbortSignal): Promise<Verdict> {
  const rule = guardrail.id;
  try {
    return parseAnswer(rule, await guardrail.judge(freezeCall(call), signal));
  } catch (error: unknown) {
    return { decision: "deny", rule, reason: `guardrail ${rule} failed: ${errorText(error)}` };
  }
}

function missedDeadline(rule: string, deadlineMs: number, signal: AbortSignal): Verdict {
  const why = signal.aborted ? "was stopped before it answered" : `gave no answer within ${deadlineMs} ms`;
  return { decision: "deny", rule, reason: `guardrail ${rule} ${why}` };
}
