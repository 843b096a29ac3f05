// Events as a journal would hold them: numbered, stamped one second apart, folded by the real fold.
import type { Event, JournaledEvent, RunSpec } from "../../extension/core/journal/event";
import { foldAll } from "../../extension/core/journal/fold";
import type { RunState } from "../../extension/core/journal/runState";

export const firstMoment = Date.parse("2026-12-01T10:00:00.000Z");

export const plainSpec: RunSpec = {
  goal: "Do the work.",
  kind: "auto",
  kindSource: "default",
  root: null,
  agent: "main",
  model: "scripted",
  endpoint: "the test",
  prompt: "",
  promptDigest: "",
  tools: { names: [], digest: "" },
  rules: { ids: [], digest: "" },
  budget: {},
  completion: { maxAttempts: 3, require: ["todos"], commands: true, functions: [] },
  config: null,
  onAsk: "wait",
  allowContractChange: [],
};

export function journaled(...events: readonly Event[]): JournaledEvent[] {
  return [{ type: "agent_start" as const, ...plainSpec }, ...events].map((event, at) => ({
    v: 1,
    seq: at + 1,
    ts: new Date(firstMoment + at * 1_000).toISOString(),
    run: "r1",
    prev: "",
    ...event,
  }));
}

export function folded(events: readonly JournaledEvent[]): RunState {
  return foldAll(events);
}

interface ReplyCall {
  id: string;
  tool: string;
  args: Record<string, unknown>;
}

/** A reply and the decision about each of its calls. */
export function reply(turn: number, text: string, ...calls: readonly ReplyCall[]): Event[] {
  const records = calls.map(({ id, tool, args }) => ({
    ...{ callId: id, tool, args, problem: null },
    argumentsText: JSON.stringify(args),
  }));
  return [
    {
      ...{ type: "model_reply", turn, text, reasoning: "", reasoningKey: null, calls: records },
      ...{ usage: { input: 10, output: 5 }, finish: "stop", notes: [] },
    },
    ...calls.map(({ id, tool, args }): Event => {
      return {
        type: "model_decision",
        turn,
        action_type: "tool_call",
        callId: id,
        action: { tool, args },
        allowedBy: null,
      };
    }),
  ];
}

export function started(callId: string, tool: string): Event {
  return { type: "tool_start", callId, tool, files: [] };
}

export function ended(callId: string, tool: string, change: Partial<Event<"tool_end">> = {}): Event {
  return {
    ...{ type: "tool_end", callId, tool, success: true, summary: `${tool} is done`, status: "ok", result: "" },
    ...{ code: null, blob: null, reads: [], files: [], changed: [], contractTouched: [] },
    ...change,
  };
}

export function asked(id: string, callId: string | null, change: Partial<Event<"approval_requested">> = {}): Event {
  return {
    ...{
      type: "approval_requested",
      id,
      kind: "call",
      callId,
      tool: "deploy",
      args: { env: "dev" },
      reason: "why not",
    },
    ...{ level: "normal", rule: "r", digest: `digest-${id}`, key: "k", expiresAt: "2099-01-01T00:00:00.000Z" },
    ...change,
  };
}

export function closed(status: Event<"agent_end">["status"], change: Partial<Event<"agent_end">> = {}): Event {
  return {
    ...{ type: "agent_end", status, limit: null, stoppedBy: "the end", reasons: [], review: false, text: "" },
    outcome: status === "done" ? "success" : status,
    ...change,
  };
}
