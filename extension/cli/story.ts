// The story of a run for people: each journaled event in a few escaped lines. What a run shows live is what
// `journal show` shows afterwards.
import type { Args, Event, EventType, JournaledEvent } from "../core/journal/event";
import type { RunState } from "../core/journal/runState";
import { escapeLines, escapeShort, escapeText, shortArgs } from "./escapeText";
import { tellApproval } from "./storyApproval";
import {
  tellAttempt,
  tellBaseline,
  tellCheck,
  tellNeedlessPermissions,
  tellPlan,
  verificationIsOff,
} from "./storyGate";
import { tellTodos } from "./storyTodos";
import { asking, bad, good, plain, quiet, type StoryLine } from "./storyLine";

type Tellers = { [K in EventType]: (event: Event<K>, state: RunState) => readonly StoryLine[] };

const nothing = (): readonly StoryLine[] => [];
const mostTextLines = 12;

const tellers: Tellers = {
  agent_start: (event) => [
    plain(`Goal: ${escapeShort(event.goal, 400)}`),
    plain(`Model: ${escapeText(`${event.model} at ${event.endpoint}`)}`),
    ...(event.root === null ? [] : [plain(`Workspace: ${escapeText(event.root)}`)]),
    ...(event.kind === "auto" ? [] : [plain(`Kind: ${event.kind}`)]),
    tellCompletion(event.completion),
    ...tellAcceptance(event.config),
  ],
  agent_resume: (event) => [
    plain(`Resumed by ${escapeText(event.by)} with ${escapeText(`${event.model} at ${event.endpoint}`)}`),
    ...(event.sealed
      ? []
      : [
          bad(
            "Part of the journal cannot be vouched for: approvals and verdicts without a valid seal do not count and are asked or run again",
          ),
        ]),
  ],
  plan_frozen: ({ plan }, { spec }) => [
    ...tellPlan(plan, { isGated: (spec?.completion ?? null) !== null, kind: spec?.kind ?? "auto" }),
    ...tellNeedlessPermissions(plan, spec?.allowContractChange ?? []),
  ],
  snapshot: (event) =>
    event.purpose !== "start" || event.notCovered.length === 0
      ? []
      : [quiet(`Not in the picture of the workspace: ${escapeShort(event.notCovered.join(", "), 300)}`)],
  baseline_end: ({ checks }) => checks.flatMap(tellBaseline),
  model_reply: (event) => [
    plain(`Turn ${event.turn}`),
    ...(event.text.trim() === "" ? [] : indent(escapeLines(event.text, mostTextLines))),
    ...event.notes.map((note) => quiet(`  (${escapeShort(note, 200)})`)),
  ],
  model_decision: (event) =>
    event.action_type === "final_answer"
      ? [plain("The agent says that it is finished.")]
      : [plain(`  > ${tellCall(event.action.tool, event.action.args)}`)],
  model_error: (event) =>
    event.retryInMs === null
      ? [bad(`Model: ${escapeShort(event.failure.message, 500)}`)]
      : [
          asking(
            `Model: ${escapeShort(event.failure.message, 300)} (try ${event.attempt}); the next try is in ${toSeconds(event.retryInMs)}`,
          ),
        ],
  tool_start: nothing,
  process_started: nothing,
  tool_end: (event) => [
    // A plan that was taken is shown as a plan.
    ...(event.success && event.tool === "todowrite" ? [] : [tellResult(event)]),
    ...(event.contractTouched.length === 0
      ? []
      : [bad(`    This changed what decides the checks: ${escapeShort(event.contractTouched.join(", "), 300)}`)]),
  ],
  guardrail_denied: (event) => [
    bad(
      `    DENIED ${tellCall(event.tool, event.args)}: ${escapeShort(event.reason, 300)} [${escapeText(event.rule)}]`,
    ),
  ],
  approval_requested: (event) => tellApproval(event),
  approval_resolved: (event) => [tellAnswer(event)],
  approval_withdrawn: (event) => [quiet(`    ${event.id} is withdrawn: ${escapeShort(event.why, 200)}`)],
  todos_updated: ({ ledger }) => tellTodos(ledger.items),
  verification_start: (event) => [plain(`Checking, attempt ${event.attempt}`)],
  check_end: ({ check }) => [tellCheck(check)],
  receipts: nothing,
  verification_end: (event) => tellAttempt(event),
  contract_amended: (event) => [
    asking(`    The contract is amended: ${escapeText(event.path)} (${escapeText(event.by)})`),
  ],
  human_message: (event) => [plain(`${escapeText(event.by)} says:`), ...indent(escapeLines(event.text, mostTextLines))],
  human_accepted: (event) => [asking(`${escapeText(event.by)} accepts: ${escapeShort(event.what, 300)}`)],
  // The end that follows says it.
  limit_reached: nothing,
  compaction: (event) => [quiet(`${event.turns} earlier turns are summed up`)],
  child_start: (event) => [plain(`  Child ${escapeText(event.child)} starts as ${escapeText(event.agent)}`)],
  child_end: (event) => [plain(`  Child ${escapeText(event.child)} ended: ${event.status}`)],
  agent_end: nothing,
};

/** `state` is the state after the event. */
export function tellEvent(event: JournaledEvent, state: RunState): readonly StoryLine[] {
  return (tellers[event.type] as (event: Event, state: RunState) => readonly StoryLine[])(event, state);
}

function tellCompletion(completion: Event<"agent_start">["completion"]): StoryLine {
  return completion === null ? verificationIsOff : plain(`Gate: at most ${completion.maxAttempts} attempt(s)`);
}

function tellAcceptance(config: Event<"agent_start">["config"]): StoryLine[] {
  if (config === null) return [];
  const path = escapeText(config.path);
  if (config.acceptedBy === null) return [quiet(`Configuration: ${path} (only restricts, so nobody had to accept it)`)];
  return [plain(`Configuration: ${path}, accepted by ${escapeText(config.acceptedBy)}`)];
}

function tellCall(tool: string, args: Args): string {
  const words = tool === "todowrite" ? "" : shortArgs(args);
  return `${escapeText(tool)} ${words}`.trimEnd();
}

function tellResult({ success, tool, status, summary }: Event<"tool_end">): StoryLine {
  const text = escapeShort(summary, 160);
  return success ? quiet(`    ${escapeText(tool)}: ${text}`) : bad(`    ${escapeText(tool)} ${status}: ${text}`);
}

function tellAnswer({ id, decision, reason, by }: Event<"approval_resolved">): StoryLine {
  const why = reason === "" ? "" : `: ${escapeShort(reason, 300)}`;
  if (decision === "approve") return good(`    ${id} is approved by ${escapeText(by)}${why}`);
  if (decision === "answer") return plain(`    ${id} is answered by ${escapeText(by)}${why}`);
  return bad(`    ${id} is denied by ${escapeText(by)}${why}`);
}

const indent = (lines: readonly string[]): StoryLine[] => lines.map((line) => plain(`  ${line}`));

function toSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
