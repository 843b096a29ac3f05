import { isAbsolute, relative, sep } from "node:path";
import { startWorkspaceRun } from "../../core/agents/workspaceRun";
import { mainAgent } from "../../core/agents/agentDefinition";
import type { RunKind } from "../../core/journal/event";
import type { CliCommand } from "../cliCommand";
import type { CliIo } from "../cliIo";
import { composeBasics, composeRun, openJournal, type Basics } from "../compose";
import { readConfigFile, type ConfigFile } from "../configFile";
import { settleTrust } from "../configTrust";
import { escapeText } from "../escapeText";
import { exitCodes, refuse, type Refusal } from "../exitCodes";
import { followRun } from "../followRun";
import { newJournalPath } from "../journalPath";
import { chooseModel, type ChosenModel } from "../modelChoice";
import { hasFlag, valueOf, valuesOf, type ParsedArguments } from "../parseArguments";
import { refusedOutcome } from "../refusedOutcome";
import { asking, writeLines } from "../storyLine";
import { storySink, tellConfigWarnings } from "../storySink";
import { findWorkspaceRoot } from "../workspaceRoot";
import { refuseReadOnlyRoot } from "../writableRoot";

const defaultMaxAttempts = 3;
const kinds: readonly string[] = ["auto", "edit", "question"] satisfies RunKind[];

export const runCommand: CliCommand = {
  usage:
    'run [--workspace DIR] [--config FILE] [--agent NAME] [--base-url URL] [--model NAME] [--journal FILE] [--kind auto|edit|question] [--max-attempts N] [--context-window N] [--trust-config] [--on-ask deny] [--allow-contract-change PATH]… [--json] "<goal>"',
  options: {
    workspace: "value",
    config: "value",
    agent: "value",
    "base-url": "value",
    model: "value",
    journal: "value",
    kind: "value",
    "max-attempts": "value",
    "context-window": "value",
    "trust-config": "flag",
    "on-ask": "value",
    "allow-contract-change": "list",
    json: "flag",
  },
  operands: { least: 1, most: 1, problem: 'give one goal, in quotes: donegate run "what has to be done"' },
  toRefusedObject: refusedOutcome,
  run: runGoal,
};

interface Wish {
  goal: string;
  kind: RunKind;
  maxAttempts: number;
  /** Tokens; null: learnt from the server. */
  contextWindow: number | null;
  onAsk: "deny" | null;
}

async function runGoal(args: ParsedArguments, io: CliIo): Promise<number | Refusal> {
  const prepared = await prepareRun(args, io);
  return prepared.ok ? startPrepared(prepared, args, io) : prepared;
}

interface PreparedRun {
  wish: Wish;
  basics: Basics;
  root: string;
  run: string;
  journalPath: string;
  file: ConfigFile | null;
  acceptedBy: string | null;
  model: ChosenModel;
}

/** Everything that can be refused before anything is written. The person is asked last. */
async function prepareRun(args: ParsedArguments, io: CliIo): Promise<({ ok: true } & PreparedRun) | Refusal> {
  const wish = readWish(args);
  if (!wish.ok) return wish;
  const basics = composeBasics();
  const found = await findWorkspaceRoot(valueOf(args, "workspace"), io.cwd);
  if (!found.ok) return found;
  const { root } = found;
  const readOnly = wish.kind === "question" ? null : await refuseReadOnlyRoot(root);
  if (readOnly !== null) return readOnly;
  const config = await readConfigFile({ root, named: valueOf(args, "config"), cwd: io.cwd }, basics.hasher);
  if (!config.ok) return config;
  const { file } = config;
  const model = chooseModel(
    {
      name: valueOf(args, "model"),
      baseUrl: valueOf(args, "base-url"),
      env: io.env,
      fallbackName: agentModel(file, valueOf(args, "agent")),
    },
    basics.clock,
  );
  if (!model.ok) return model;
  const run = basics.ids.runId();
  const path = await newJournalPath({ named: valueOf(args, "journal"), root, run }, io.cwd);
  if (!path.ok) return path;
  const trust = await trustFile(file, args, io);
  if (!trust.ok) return trust;
  return { ok: true, wish, basics, root, run, journalPath: path.path, file, acceptedBy: trust.acceptedBy, model };
}

async function startPrepared(
  { wish, basics, root, run, journalPath, file, acceptedBy, model }: PreparedRun,
  args: ParsedArguments,
  io: CliIo,
): Promise<number | Refusal> {
  const journal = await openJournal(journalPath);
  if (!journal.ok) return journal;
  const composed = composeRun({
    ...{ root, basics, env: io.env, model: model.client, journal: journal.store, run },
    config: acceptedBy === null ? null : (file?.config ?? null),
  });
  const opened = startWorkspaceRun(
    {
      goal: wish.goal,
      kind: wish.kind,
      kindSource: valueOf(args, "kind") === null ? "default" : "flag",
      root,
      agent: valueOf(args, "agent") ?? mainAgent,
      modelName: model.name,
      config: file === null ? null : { path: file.path, text: file.text, acceptedBy },
      onAsk: wish.onAsk ?? (io.terminal === null ? "suspend" : "wait"),
      allowContractChange: valuesOf(args, "allow-contract-change").map((named) => toRelative(root, named)),
      maxAttempts: wish.maxAttempts,
      contextWindow: wish.contextWindow,
      budget: {},
    },
    composed.ports,
  );
  if (!opened.ok) {
    await composed.end();
    return refuse(opened.message);
  }
  return followRun(opened.run, { io, composed, wantsJson: hasFlag(args, "json") });
}

function readWish(args: ParsedArguments): ({ ok: true } & Wish) | Refusal {
  const usage = (message: string): Refusal => refuse(message, exitCodes.usage);
  const goal = args.operands[0]?.trim() ?? "";
  if (goal === "") return usage("the goal is empty: say what has to be done, in quotes");
  const kind = valueOf(args, "kind") ?? "auto";
  if (!isKind(kind)) return usage(`--kind is one of ${kinds.join(", ")}, not "${kind}"`);
  const onAsk = valueOf(args, "on-ask");
  if (onAsk !== null && onAsk !== "deny") return usage(`--on-ask knows only "deny", not "${onAsk}"`);
  const attempts = valueOf(args, "max-attempts");
  if (attempts !== null && !/^[1-9]\d{0,5}$/.test(attempts)) {
    return usage(`--max-attempts is a whole number of at least 1, not "${attempts}"`);
  }
  const window = valueOf(args, "context-window");
  if (window !== null && !/^[1-9]\d{0,8}$/.test(window)) {
    return usage(`--context-window is a whole number of tokens of at least 1, not "${window}"`);
  }
  const maxAttempts = attempts === null ? defaultMaxAttempts : Number(attempts);
  return { ok: true, goal, kind, onAsk, maxAttempts, contextWindow: window === null ? null : Number(window) };
}

const isKind = (word: string): word is RunKind => kinds.includes(word);

async function trustFile(
  file: ConfigFile | null,
  args: ParsedArguments,
  io: CliIo,
): Promise<{ ok: true; acceptedBy: string | null } | Refusal> {
  if (file === null) return { ok: true, acceptedBy: null };
  const sink = storySink(io, hasFlag(args, "json"));
  tellConfigWarnings(file, sink);
  if (valueOf(args, "max-attempts") !== null && typeof file.config.verify === "object" && file.config.verify !== null) {
    const { maxAttempts } = file.config.verify;
    writeLines(sink, [asking(`--max-attempts does not count: ${escapeText(file.path)} says ${maxAttempts}`)]);
  }
  return settleTrust({ file, isTrusted: hasFlag(args, "trust-config"), terminal: io.terminal, sink });
}

/** An agent of the configuration may name its own model. */
function agentModel(file: ConfigFile | null, agent: string | null): string | null {
  return agent === null ? null : (file?.config.agents[agent]?.model ?? null);
}

/** As the contract spells paths: relative to the root, with `/`. */
function toRelative(root: string, named: string): string {
  const path = isAbsolute(named) ? relative(root, named) : named;
  return path
    .split(sep)
    .join("/")
    .replace(/^(?:\.\/)+/, "");
}
