import { defineAgent, mainAgent, type AgentDefinition } from "../../core/agents/agentDefinition";
import { freezeWorkspacePlan } from "../../core/agents/workspacePart";
import type { VerificationPlan } from "../../core/contract/verificationPlan";
import type { CheckResult } from "../../core/gate/checkResult";
import { runCommandCheck } from "../../core/gate/checks/commandCheck";
import { decideGate } from "../../core/gate/gate";
import type { OutcomeVerdict } from "../../core/journal/toOutcome";
import { writeJson, type CliCommand } from "../cliCommand";
import type { CliIo, Sink } from "../cliIo";
import { composeBasics, composeCheck, type ComposedCheck } from "../compose";
import { readConfigFile } from "../configFile";
import { settleTrust } from "../configTrust";
import { escapeLines, escapeText } from "../escapeText";
import { exitCodes, refuse, type Refusal } from "../exitCodes";
import { hasFlag, valueOf, type ParsedArguments } from "../parseArguments";
import { tellCheck, tellCommands } from "../storyGate";
import { bad, good, plain, quiet, writeLines } from "../storyLine";
import { storySink, tellConfigWarnings } from "../storySink";
import { findWorkspaceRoot } from "../workspaceRoot";

export const verifyCommand: CliCommand = {
  usage: "verify [--workspace DIR] [--config FILE] [--trust-config] [--json]",
  options: { workspace: "value", config: "value", "trust-config": "flag", json: "flag" },
  operands: { least: 0, most: 0, problem: "verify takes no operand" },
  toRefusedObject: (message) => toView({ verdict: "none", reason: message, checks: [], tree: null, source: null }),
  run: verifyWorkspace,
};

interface Judged {
  verdict: OutcomeVerdict;
  reason: string;
  checks: readonly CheckResult[];
  tree: string | null;
  source: VerificationPlan["source"] | null;
}

/** Runs the command checks on the workspace as it is now; no agent, no journal. */
async function verifyWorkspace(args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  const basics = composeBasics();
  const found = await findWorkspaceRoot(valueOf(args, "workspace"), io.cwd);
  if (!found.ok) return found;
  const { root } = found;
  const config = await readConfigFile({ root, named: valueOf(args, "config"), cwd: io.cwd }, basics.hasher);
  if (!config.ok) return config;
  const sink = storySink(io, hasFlag(args, "json"));
  if (config.file !== null) tellConfigWarnings(config.file, sink);
  const isTrusted = hasFlag(args, "trust-config");
  const trust =
    config.file === null
      ? { ok: true as const, acceptedBy: null }
      : await settleTrust({ file: config.file, isTrusted, terminal: io.terminal, sink });
  if (!trust.ok) return trust;
  const defined = defineAgent({
    config: config.file?.config ?? null,
    accepted: trust.acceptedBy !== null,
    agent: mainAgent,
    kind: "auto",
    maxAttempts: 1,
  });
  if (!defined.ok) return refuse(defined.message);
  const stop = new AbortController();
  const release = io.onStop(() => stop.abort());
  const ports = composeCheck(root, basics, defined.agent.outputs);
  const judged = await judge(root, defined.agent, ports, sink, stop.signal);
  await ports.end();
  release();
  if (stop.signal.aborted) return refuse("interrupted: nothing was judged", exitCodes.stopped);
  if ("ok" in judged) return judged;
  report(judged, sink);
  if (hasFlag(args, "json")) writeJson(io, toView(judged));
  return judged.verdict === "VERIFIED" ? exitCodes.done : exitCodes.incomplete;
}

async function judge(
  root: string,
  agent: AgentDefinition,
  ports: ComposedCheck,
  sink: Sink,
  signal: AbortSignal,
): Promise<Judged | Refusal> {
  const plan = await freezeWorkspacePlan(root, agent, ports);
  writeLines(sink, tellCommands(plan));
  const picture = await ports.snapshots.take(signal);
  if (!picture.ok) return refuse(`no picture of the workspace could be taken: ${picture.message}`);
  const { tree } = picture;
  const checks: CheckResult[] = [];
  for (const check of plan.checks) {
    if (signal.aborted) break;
    writeLines(sink, [quiet(`    running the check ${escapeText(check.name)}`)]);
    const result = await runCommandCheck(check, { plan, root, tree, ports }, signal);
    checks.push(result);
    writeLines(sink, [tellCheck(result)]);
  }
  return { ...toVerdict(checks, agent), checks, tree, source: plan.source };
}

function toVerdict(
  checks: readonly CheckResult[],
  { completion }: AgentDefinition,
): Pick<Judged, "verdict" | "reason"> {
  if (completion === null) return { verdict: "none", reason: "verification is off in donegate.yaml" };
  if (checks.length === 0) return { verdict: "none", reason: "no check was found: write one in donegate.yaml" };
  const decision = decideGate(checks, null);
  switch (decision.kind) {
    case "pass":
      return { verdict: "VERIFIED", reason: "" };
    case "fail":
      return { verdict: "FALSE-COMPLETION", reason: decision.reason };
    case "unavailable":
      return { verdict: "NEEDS-REVIEW", reason: `check ${decision.check} could not run: ${decision.why}` };
    case "review":
      return { verdict: "NEEDS-REVIEW", reason: decision.reason };
  }
}

function report({ verdict, reason }: Judged, sink: Sink): void {
  const tone = verdict === "VERIFIED" ? good : bad;
  writeLines(sink, [
    tone(`Verdict: ${verdict}`),
    ...(reason === "" ? [] : escapeLines(reason, 20).map((line) => plain(`  ${line}`))),
  ]);
}

function toView({ verdict, reason, checks, tree, source }: Judged): object {
  return { verdict, reason, checks, tree, source };
}
