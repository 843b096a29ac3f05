// A donegate.yaml comes with a folder, and folders come from other people: what it would run or allow needs a person.
import type { CheckSpec } from "../contract/verificationPlan";
import { escapeText } from "../escapeText";
import type { DonegateConfig, RuleConfig } from "./donegateConfig";

/** What counts only once a person has accepted the file, one line each. Empty: the file only restricts. */
export function listTrusted(config: DonegateConfig): readonly string[] {
  const { verify, tools, agents, guardrails } = config;
  return [
    ...(verify === "off" ? ["verify: off (nothing is checked, and nothing is ever shown verified)"] : []),
    ...(verify === null || verify === "off" ? [] : describeVerify(verify)),
    ...Object.entries(tools).flatMap(([name, tool]) => [
      `tool ${name}: ${toCommand(tool.run)}`,
      ...(tool.readback === null ? [] : [`tool ${name}, to read back: ${toCommand(tool.readback)}`]),
    ]),
    ...Object.entries(agents).flatMap(([name, agent]) => [
      `agent ${name}: ${agent.does}`,
      ...agent.guardrails.filter(isAllow).map((rule) => `agent ${name}: ${describeAllow(rule)}`),
    ]),
    ...guardrails.filter(isAllow).map(describeAllow),
  ].map(escapeText);
}

function describeVerify(verify: Exclude<DonegateConfig["verify"], "off" | null>): string[] {
  const rules = `verify: at most ${verify.maxAttempts} attempt(s), requires ${verify.require.join(", ") || "nothing structural"}`;
  const knownRed = (verify.knownRed ?? []).map((id) => `verify.knownRed: ${id} may fail`);
  const outputs = [
    ...(verify.outputs.length === 0 ? [] : [`verify.outputs: ${verify.outputs.join(", ")}`]),
    ...knownRed,
  ];
  if (verify.checks === null) return [`${rules}; checks are discovered`, ...outputs];
  if (verify.checks.length === 0) return [`${rules}; no command is checked`, ...outputs];
  return [rules, ...verify.checks.map((check) => `check ${check.name}: ${toCommand(check.run)}`), ...outputs];
}

function toCommand(run: CheckSpec["run"]): string {
  return typeof run === "string"
    ? run
    : run.map((word) => (/^[\w./:=@${}-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

const isAllow = (rule: RuleConfig): boolean => rule.decision === "allow";

const describeAllow = (rule: RuleConfig): string => `allow ${JSON.stringify(rule.match)}`;
