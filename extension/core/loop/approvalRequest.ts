import type { Event } from "../journal/event";
import { toIsoTime } from "../journal/isoTime";
import { callDigest, callKey } from "./guardedCall";
import type { RunContext } from "./runContext";

type Request = Event<"approval_requested">;

/** Nobody answers after a day (design 3.6). */
const lifetimeMs = 24 * 60 * 60 * 1000;

/** The next approval of the run, bound to exactly this tool, these arguments and this call; a request without a call is bound to its own id. */
export function toApprovalRequest(
  context: RunContext,
  { kind, callId, tool, args, reason, level, rule }: Omit<Request, "type" | "id" | "digest" | "key" | "expiresAt">,
): Request {
  const { hasher, clock } = context;
  const id = `A${context.state().approvals.length + 1}`;
  return {
    type: "approval_requested",
    ...{ id, kind, callId, tool, args, reason, level, rule },
    digest: callDigest(hasher, tool, args, callId ?? id),
    key: callKey(hasher, tool, args),
    expiresAt: toIsoTime(clock.now() + lifetimeMs),
  };
}
