// Many answers, one verdict: an answer can make the outcome stricter or leave it, never lift a denial, a guarded or a prod ask.
import type { Level, Verdict } from "./verdict";

export type ToolDefault = "allow" | "ask" | "prod";

/**
 * Any deny: the first one. Else the first ask of the strongest level above normal. Else the first explicit allow.
 * Else the first ask. Else an allow by default. Else the tool's default; a default of `prod` counts as a prod ask that no allow lifts.
 */
export function composeVerdicts(verdicts: readonly Verdict[], toolDefault: ToolDefault): Verdict {
  const fallback = defaultVerdict(toolDefault);
  const all = toolDefault === "prod" ? [...verdicts, fallback] : verdicts;
  return (
    all.find((verdict) => verdict.decision === "deny") ??
    firstAsk(all, "prod") ??
    firstAsk(all, "guarded") ??
    all.find((verdict) => verdict.decision === "allow" && verdict.byDefault !== true) ??
    firstAsk(all, "normal") ??
    all.find((verdict) => verdict.decision === "allow") ??
    fallback
  );
}

function firstAsk(verdicts: readonly Verdict[], level: Level): Verdict | undefined {
  return verdicts.find((verdict) => verdict.decision === "ask" && verdict.level === level);
}

function defaultVerdict(toolDefault: ToolDefault): Verdict {
  const rule = "tool-default";
  if (toolDefault === "allow") return { decision: "allow", rule };
  if (toolDefault === "prod") return { decision: "ask", rule, reason: "prod needs human approval", level: "prod" };
  return { decision: "ask", rule, reason: "this tool asks before it runs", level: "normal" };
}
