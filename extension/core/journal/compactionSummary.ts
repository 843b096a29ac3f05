// What stands in for the turns that a compaction takes out. What binds the agent is kept word for word: plan, denials,
// what a person said, what still fails. What it did is kept in outline, from the ledger of calls and not from its words.
import { renderLedger } from "../plan/renderLedger";
import type { ChatMessage } from "../ports/modelClient";
import { boundText } from "../tools/boundText";
import { repairMessage } from "./foldGate";
import type { Args } from "./event";
import type { CallState, RunState } from "./runState";

const longest = { calls: 60, line: 160, failures: 5, failure: 2_000, files: 200 };

/** `kept` are the messages that stay: what they say already is not said twice. */
export function summarizeDropped(state: RunState, kept: readonly ChatMessage[]): string {
  // Those of earlier compactions too: their summary is not kept, it is made anew.
  const turns = state.turns - kept.filter((message) => message.role === "assistant").length;
  const told = new Set(kept.map((message) => (message.role === "tool" ? message.tool_call_id : "")));
  const dropped = state.settledCalls.filter((call) => !told.has(call.callId));
  const words = new Set(kept.flatMap((message) => (message.role === "user" ? [message.content] : [])));
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ["What the person has said since the goal:", state.said.filter((said) => !words.has(said))],
    ["The plan as it stands:", state.ledger.items.length === 0 ? [] : [renderLedger(state.ledger)]],
    ["Denied calls, which were not executed:", describeDenials(state)],
    ["Still open:", openVerification(state, words)],
    ["Calls that failed and did not succeed since:", openFailures(state.settledCalls, dropped)],
    ["Files changed so far:", listFiles(state.touched)],
    ["Earlier calls, oldest first:", outline(dropped)],
  ];
  const opening = `${describeCut(turns)} so that the conversation fits the model's context. What counts of it:`;
  const filled = sections.filter(([, lines]) => lines.length > 0);
  return [opening, ...filled.map(([title, lines]) => [title, ...lines].join("\n"))].join("\n\n");
}

function describeCut(turns: number): string {
  if (turns === 0) return "Long results were cut";
  return turns === 1 ? "One earlier turn was taken out" : `${turns} earlier turns were taken out`;
}

function describeDenials(state: RunState): string[] {
  const lines = state.denials.map(({ tool, args, reason }) => `- ${tool} ${JSON.stringify(args)} → denied: ${reason}`);
  return [...new Set(lines)];
}

function openVerification({ lastVerification: last }: RunState, words: ReadonlySet<string>): string[] {
  if (last === null || last.passed || last.reason === "") return [];
  const message = repairMessage(last.reason);
  return words.has(message) ? [] : [message];
}

function openFailures(all: readonly CallState[], dropped: readonly CallState[]): string[] {
  const lastSuccess = new Map<string, number>();
  all.forEach((call, at) => {
    if (call.success) lastSuccess.set(subjectOf(call), at);
  });
  const places = new Map(all.map((call, at) => [call.callId, at]));
  const open = dropped.filter((call) => {
    const isFailure = call.outcome === "error" || call.outcome === "unknown";
    return isFailure && (places.get(call.callId) ?? 0) > (lastSuccess.get(subjectOf(call)) ?? -1);
  });
  const newest = new Map(open.map((call) => [subjectOf(call), call]));
  return [...newest.values()]
    .slice(-longest.failures)
    .map((call) => `- ${nameCall(call)}: ${boundText(call.result ?? "", longest.failure).text}`);
}

function listFiles(touched: readonly string[]): string[] {
  const shown = touched.slice(-longest.files).join(", ");
  const more = touched.length - longest.files;
  if (shown === "") return [];
  return [more > 0 ? `${shown} and ${more} more` : shown];
}

function outline(dropped: readonly CallState[]): string[] {
  const shown = dropped.slice(-longest.calls).map((call) => `- ${nameCall(call)}: ${call.outcome ?? "unknown"}`);
  const more = dropped.length - longest.calls;
  return more > 0 ? [`(${more} calls before these)`, ...shown] : shown;
}

const nameCall = (call: CallState): string => oneLine(`${call.tool} ${mainArgument(call.args)}`.trim());

/** What a call is about: a later success about the same thing settles an earlier failure. */
const subjectOf = (call: CallState): string => `${call.tool}\n${mainArgument(call.args)}`;

function mainArgument(args: Args | null): string {
  for (const key of ["path", "command", "query", "name", "number"]) {
    const value = args?.[key];
    if (typeof value === "string" || typeof value === "number") return String(value);
  }
  return args === null || Object.keys(args).length === 0 ? "" : JSON.stringify(args);
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > longest.line ? `${line.slice(0, longest.line)}…` : line;
}
