// Why would this command be allowed, asked or denied, and which part of it decided?
import type { GuardedCall, Level, Verdict } from "../guardrails/verdict";
import { runCommand } from "../tools/runCommand";
import type { WorkspaceGuard } from "./workspaceGuard";

export interface ExplainedVerdict {
  verdict: Verdict["decision"];
  /** Of an ask. */
  level: Level | null;
  rule: string;
  /** Empty when it is allowed. */
  reason: string;
}

export interface CommandExplanation extends ExplainedVerdict {
  /** Each command that was found, in the order of the text. */
  parts: readonly (ExplainedVerdict & { text: string; decided: boolean })[];
}

/** Never rejects; starts nothing. `root` is the folder it would run in. */
export async function explainCommand(
  guard: WorkspaceGuard,
  command: string,
  root: string,
): Promise<CommandExplanation> {
  const args = { command };
  const call: GuardedCall = {
    callId: "explain",
    tool: "run_command",
    args,
    tags: runCommand.tags,
    paths: [],
    agent: "main",
    depth: 0,
    cwd: root,
  };
  const verdict = await guard.judge(call, runCommand.defaultVerdict, new AbortController().signal);
  const judged = explain(verdict);
  const found = guard.partsOf(call).map((part) => ({ text: part.text, ...explain(part.verdict) }));
  const decides = (part: ExplainedVerdict): boolean =>
    part.verdict === judged.verdict && part.rule === judged.rule && part.reason === judged.reason;
  const first = found.findIndex(decides);
  const parts = found.map((part, index) => ({ ...part, decided: index === first }));
  // A rule over the whole text decided, or nothing could be read.
  const whole = first === -1 && judged.verdict !== "allow" ? [{ text: command, ...judged, decided: true }] : [];
  return { ...judged, parts: [...parts, ...whole] };
}

function explain(verdict: Verdict): ExplainedVerdict {
  if (verdict.decision === "allow") return { verdict: "allow", level: null, rule: verdict.rule, reason: "" };
  const level = verdict.decision === "ask" ? verdict.level : null;
  return { verdict: verdict.decision, level, rule: verdict.rule, reason: verdict.reason };
}
