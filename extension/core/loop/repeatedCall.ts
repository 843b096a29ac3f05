// Servers and models send the same batch of calls twice in one reply. A read does no harm twice; an effect is not doubled
// unasked.
import type { Tag } from "../guardrails/verdict";
import { canonicalJson } from "../journal/canonicalJson";
import type { CallState, RunState } from "../journal/runState";
import type { AnyToolDef } from "../tools/toolDef";
import type { Args } from "../journal/event";

const effects: ReadonlySet<Tag> = new Set<Tag>(["write", "command", "network", "git", "forge", "prod"]);

/** What the model is told about a call that repeats an earlier one of its reply; null when it does not, or has no effect. */
export function repeatedInReply(state: RunState, call: CallState, tool: AnyToolDef, args: Args): string | null {
  if (!tool.tags.some((tag) => effects.has(tag))) return null;
  const calls = state.turn?.calls ?? [];
  const ahead = calls.slice(
    0,
    calls.findIndex(({ callId }) => callId === call.callId),
  );
  const isSame = (earlier: CallState): boolean =>
    earlier.tool === call.tool &&
    (earlier.argumentsText === call.argumentsText || canonicalJson(earlier.args) === canonicalJson(args));
  if (!ahead.some(isSame)) return null;
  return "Not executed: this reply holds the very same call before this one, and what has effects is not done twice at once. See that call's result; if you want it once more, make the call again.";
}
