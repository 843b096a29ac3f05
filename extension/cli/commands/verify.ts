import { defineAgent, mainAgent, type AgentDefinition } from "../../core/agents/agentDefinition";
import { freezeWorkspacePlan } from "../../core/agents/workspacePart";
import { verifyWorkspace as verifyPlan, type Judged, type VerifyListener } from "../../core/agents/verifyWorkspace";
import { writeJson, type CliCommand } from "../cliCommand";
import type { CliIo, Sink } from "../cliIo";
import { composeCheck, type ComposedCheck } from "../compose";
import { settleTrust } from "../configTrust";
import { escapeLines, escapeText } from "../escapeText";
import { exitCodes, refuse, type Refusal } from "../exitCodes";
import { openWorkspace } from "../openWorkspace";
import { hasFlag, type ParsedArguments } from "../parseArguments";
import { tellCheck, tellCommands } from "../storyGate";
import { bad, good, plain, quiet, writeLines } from "../storyLine";
import { storySink, tellConfigWarnings } from "../storySink";

export const verifyCommand: CliCommand = {
  usage: "verify [--workspace DIR] [--config FILE] [--trust-config] [--json]",
  options: { workspace: "value", config: "value", "trust-config": "flag", json: "flag" },
  operands: { least: 0, most: 0, problem: "verify takes no operand" },
  toRefusedObject: (message) => toView({ verdict: "none", reason: message, checks: [], tree: null, source: null }),
  run: verifyWorkspace,
};

/** Runs the command checks on the workspace as it is now; no agent, no journal. */
async function verifyWorkspace(args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  const opened = await openWorkspace(args, io);
  if (!opened.ok) return opened;
  const { basics, root, file } = opened;
  const sink = storySink(io, hasFlag(args, "json"));
  if (file !== null) tellConfigWarnings(file, sink);
  const isTrusted = hasFlag(args, "trust-config");
  const trust =
    file === null
      ? { ok: true as const, acceptedBy: null }
      : await settleTrust({ file, isTrusted, terminal: io.terminal, sink });
  if (!trust.ok) return trust;
  const defined = defineAgent({
    config: file?.config ?? null,
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
  const listener: VerifyListener = {
    onStarted: (check) => writeLines(sink, [quiet(`    running the check ${escapeText(check)}`)]),
    onResult: (result) => writeLines(sink, [tellCheck(result)]),
  };
  const judged = await verifyPlan({ root, plan, completion: agent.completion }, ports, listener, signal);
  if (!judged.ok) return refuse(judged.message);
  const { ok: _ok, ...rest } = judged;
  return rest;
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
