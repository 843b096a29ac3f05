// A donegate.yaml comes with a folder, and folders come from other people: what it would run or allow needs a person.
import type { DonegateConfig, RuleConfig } from "../core/config/donegateConfig";
import type { CheckSpec } from "../core/contract/verificationPlan";
import type { Sink, Terminal } from "./cliIo";
import type { ConfigFile } from "./configFile";
import { escapeShort, escapeText, escapeValue } from "./escapeText";
import { refuse, type Refusal } from "./exitCodes";

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
  const outputs = verify.outputs.length === 0 ? [] : [`verify.outputs: ${verify.outputs.join(", ")}`];
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

function describeAllow(rule: RuleConfig): string {
  return `allow ${escapeValue(rule.match)}`;
}

export type Trust = { ok: true; acceptedBy: string | null } | Refusal;

export interface TrustQuestion {
  file: ConfigFile;
  /** `--trust-config` was given. */
  isTrusted: boolean;
  terminal: Terminal | null;
  sink: Sink;
}

/** Null in `acceptedBy`: nothing in the file needs acceptance, and nobody has accepted it. */
export async function settleTrust({ file, isTrusted, terminal, sink }: TrustQuestion): Promise<Trust> {
  if (isTrusted) return { ok: true, acceptedBy: "--trust-config" };
  const trusted = listTrusted(file.config);
  if (trusted.length === 0) return { ok: true, acceptedBy: null };
  const list = trusted.map((line) => `  - ${line}`).join("\n");
  if (terminal === null) {
    return refuse(
      `${file.path} has not been accepted by anybody, and there is no terminal to ask on. Read it, then accept it with --trust-config. It would be trusted with:\n${list}`,
    );
  }
  sink.write(`${escapeShort(file.path, 300)} wants to be trusted with:\n${list}\n`);
  const answer = await terminal.ask("Accept it for this run? Type yes, anything else is no: ", sink);
  if (answer?.trim().toLowerCase() === "yes") return { ok: true, acceptedBy: "person at the terminal" };
  return refuse(`${file.path} was not accepted: nothing was run`);
}
