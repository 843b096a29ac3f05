// From a model's raw call to the final, validated call that is judged and runs.
import type { GuardedCall } from "../guardrails/verdict";
import { canonicalJson } from "../journal/canonicalJson";
import type { Args, Event } from "../journal/event";
import type { CallState } from "../journal/runState";
import type { Hasher } from "../ports/hasher";
import type { AnyToolDef, ToolErrorCode } from "../tools/toolDef";
import { parseArguments, type ParsedArguments } from "../tools/parseArguments";
import type { RunContext } from "./runContext";

export type ResolvedCall =
  | { ok: true; tool: AnyToolDef; args: Args; guarded: GuardedCall }
  | { ok: false; code: ToolErrorCode; message: string };

/** Validates a call's arguments against its tool. Arguments that were decided about stay what they were then. */
export function resolveCall(context: RunContext, call: CallState, args: Args | null = call.args): ResolvedCall {
  const tool = context.tools.find(call.tool);
  if (tool === null) {
    const names = context.tools.names().join(", ");
    return { ok: false, code: "unknown-tool", message: `There is no tool "${call.tool}". The tools are: ${names}.` };
  }
  if (call.redacted) {
    const message =
      "This call was not executed: its arguments held a secret, which the journal does not keep over a restart. Make the call again.";
    return { ok: false, code: "refused", message };
  }
  if (args === null) {
    return { ok: false, code: "invalid-arguments", message: call.problem ?? "The arguments are not one JSON object." };
  }
  const isDecided = call.decided && args === call.args;
  const parsed = isDecided ? parseAgain(tool, args) : parseArguments(tool, args);
  if (!parsed.ok) return { ok: false, code: "invalid-arguments", message: parsed.message };
  const spec = context.state().spec;
  const guarded: GuardedCall = {
    callId: call.callId,
    tool: tool.name,
    args: parsed.args,
    tags: tool.tags,
    paths: tool.paths(parsed.args),
    agent: spec?.agent ?? "",
    depth: 0,
    cwd: spec?.root ?? "",
  };
  return { ok: true, tool, args: parsed.args, guarded };
}

/** A schema that rewrites its input would do so twice: then the arguments count as they were judged. */
function parseAgain(tool: AnyToolDef, args: Args): ParsedArguments {
  const parsed = parseArguments(tool, args);
  return parsed.ok && canonicalJson(parsed.args) === canonicalJson(args) ? parsed : { ok: true, args: args as never };
}

/** Known again by its name and arguments, whatever its id. */
export function callKey(hasher: Hasher, tool: string, args: Args): string {
  return hasher.sha256(canonicalJson({ tool, args }));
}

/** What an approval is bound to: this tool, exactly these arguments, this call. */
export function callDigest(hasher: Hasher, tool: string, args: Args, callId: string): string {
  return hasher.sha256(canonicalJson({ tool, args, callId }));
}

/** The one result of a call that never ran. */
export function failedCall(call: CallState, code: ToolErrorCode, message: string): Event<"tool_end"> {
  return {
    type: "tool_end",
    callId: call.callId,
    tool: call.tool,
    success: false,
    summary: message.slice(0, 200),
    status: code === "cancelled" ? "cancelled" : "error",
    result: message,
    code,
    blob: null,
    reads: [],
    files: [],
    changed: [],
    contractTouched: [],
  };
}
