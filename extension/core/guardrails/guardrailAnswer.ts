import type { Level, Verdict } from "./verdict";

export const expectedAnswer =
  '{ decision: "allow" } or { decision: "ask", reason: "…", level?: "normal" | "guarded" | "prod" } or { decision: "deny", reason: "…" }';

const levels: ReadonlySet<unknown> = new Set<Level>(["normal", "guarded", "prod"]);

/** What a guardrail said, as a verdict. Anything but the expected shape denies: an unclear answer is not a permission. */
export function parseAnswer(rule: string, answer: unknown): Verdict {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return misshapen(rule, describe(answer));
  const { decision, reason, level = "normal" } = answer as Record<string, unknown>;
  if (decision === "allow") return { decision, rule };
  if (decision !== "deny" && decision !== "ask") return misshapen(rule, "an object without a known decision");
  if (typeof reason !== "string" || reason.trim() === "") return misshapen(rule, `${decision} without a reason`);
  if (decision === "deny") return { decision, rule, reason };
  return levels.has(level)
    ? { decision, rule, reason, level: level as Level }
    : misshapen(rule, "ask with an unknown level");
}

function misshapen(rule: string, what: string): Verdict {
  return { decision: "deny", rule, reason: `guardrail ${rule} answered ${what}; expected ${expectedAnswer}` };
}

function describe(answer: unknown): string {
  if (answer === undefined) return "nothing";
  if (answer === null) return "null";
  if (Array.isArray(answer)) return "a list";
  return typeof answer === "boolean" ? String(answer) : `a ${typeof answer}`;
}
