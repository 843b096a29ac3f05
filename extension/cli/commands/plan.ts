import type { VerificationPlan } from "../../core/contract/verificationPlan";
import { writeJson, type CliCommand } from "../cliCommand";
import type { CliIo } from "../cliIo";
import { listTrusted } from "../../core/config/listTrusted";
import { escapeText } from "../escapeText";
import { exitCodes, type Refusal } from "../exitCodes";
import { freezeAsNow } from "../freezeAsNow";
import { hasFlag, type ParsedArguments } from "../parseArguments";
import { tellPlan, verificationIsOff } from "../storyGate";
import { plain, quiet, writeLines } from "../storyLine";
import { storySink, tellConfigWarnings } from "../storySink";

const mostContractLines = 60;

export const planCommand: CliCommand = {
  usage: "plan [--workspace DIR] [--config FILE] [--json]",
  options: { workspace: "value", config: "value", json: "flag" },
  operands: { least: 0, most: 0, problem: "plan takes no operand" },
  toRefusedObject: (message) => ({
    checks: [],
    contract: [],
    digest: null,
    source: null,
    warnings: [],
    error: message,
  }),
  run: showPlan,
};

/** Runs nothing: shows what a run that started now would be judged by. */
async function showPlan(args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  const frozen = await freezeAsNow(args, io);
  if (!frozen.ok) return frozen;
  const { file, agent, plan } = frozen;
  const sink = storySink(io, hasFlag(args, "json"));
  if (file !== null) tellConfigWarnings(file, sink);
  const isGated = agent.completion !== null;
  writeLines(sink, [...(isGated ? [] : [verificationIsOff]), ...tellPlan(plan, { isGated, kind: "auto" })]);
  writeLines(sink, tellContract(plan));
  const needsTrust = file === null ? [] : listTrusted(file.config);
  if (needsTrust.length > 0) {
    writeLines(sink, [quiet(`${escapeText(file?.path ?? "")} counts in a run once you have accepted it.`)]);
  }
  if (hasFlag(args, "json")) writeJson(io, toPlanView(plan));
  return exitCodes.done;
}

function tellContract({ contract, digest }: VerificationPlan) {
  const shown = contract.slice(0, mostContractLines);
  return [
    plain(`Contract: ${contract.length} entries, digest ${digest}`),
    ...shown.map((entry) => quiet(`  ${entry.class.padEnd(10)} ${escapeText(entry.path)}`)),
    ...(contract.length > shown.length ? [quiet(`  (${contract.length - shown.length} more)`)] : []),
  ];
}

function toPlanView({ checks, contract, digest, source, warnings }: VerificationPlan): object {
  return {
    checks,
    contract: contract.map((entry) => ({ path: entry.path, class: entry.class, digest: entry.digest })),
    digest,
    source,
    warnings,
  };
}
