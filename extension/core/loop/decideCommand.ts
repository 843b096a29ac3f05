// What a person's command means for a run: events, or a plain reason why it means nothing (any more).
import type { Event } from "../journal/event";
import { pendingApprovals, type Approval, type RunState } from "../journal/runState";
import type { Command } from "./command";

export type Decided = { ok: true; events: Event[] } | { ok: false; reason: string };

type EventCommand = Exclude<Command, { type: "stop" | "close" }>;

/** `now` is in milliseconds since 1970. An answer counts once, for exactly the approval it names, and never after its time. */
export function decideCommand(state: RunState, command: EventCommand, now: number): Decided {
  switch (command.type) {
    case "steer":
      return { ok: true, events: [{ type: "human_message", text: command.text, by: command.by }] };
    case "accept":
      return { ok: true, events: [{ type: "human_accepted", by: command.by, what: command.what }] };
    case "withdraw":
      return resolve(state, command, now, (approval) => ({
        ok: true,
        events: [{ type: "approval_withdrawn", id: approval.id, why: command.why }],
      }));
    case "approve":
      return resolve(state, command, now, (approval) => {
        if (approval.kind === "question") return refuse(`${approval.id} is a question: answer it instead`);
        if (command.digest !== undefined && command.digest !== approval.digest) {
          return refuse(`${approval.id} is about another call than the one you saw`);
        }
        return accept(approval, "approve", "", command.by);
      });
    case "deny":
      return resolve(state, command, now, (approval) => accept(approval, "deny", command.reason, command.by));
    case "answer":
      return resolve(state, command, now, (approval) =>
        approval.kind === "question"
          ? accept(approval, "answer", command.text, command.by)
          : refuse(`${approval.id} is not a question: approve or deny it`),
      );
  }
}

function resolve(
  state: RunState,
  command: { id: string },
  now: number,
  decide: (approval: Approval) => Decided,
): Decided {
  const approval = state.approvals.find((entry) => entry.id === command.id);
  if (approval === undefined) return refuse(`there is no approval ${command.id} in this run`);
  if (approval.status !== "pending") return refuse(`${approval.id} has ended: it was ${approval.status}`);
  if (Date.parse(approval.expiresAt) <= now) return refuse(`${approval.id} has expired`);
  return decide(approval);
}

/** Approvals whose time is over end as "no answer", which is not a denial. */
export function expiredApprovals(state: RunState, now: number): Event[] {
  return pendingApprovals(state)
    .filter((approval) => Date.parse(approval.expiresAt) <= now)
    .map((approval) => ({ type: "approval_withdrawn", id: approval.id, why: "nobody answered within 24 hours" }));
}

function accept(approval: Approval, decision: "approve" | "deny" | "answer", reason: string, by: string): Decided {
  return { ok: true, events: [{ type: "approval_resolved", id: approval.id, decision, reason, by }] };
}

const refuse = (reason: string): Decided => ({ ok: false, reason });
