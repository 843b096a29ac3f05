// Starts a run on a workspace, or goes on with one from its journal. CLI and editor both come through here.
import { parseConfig } from "../config/parseConfig";
import { parseUserRules } from "../config/parseUserRules";
import type { BudgetConfig, ConfigProblem, DonegateConfig } from "../config/donegateConfig";
import { canonicalJson } from "../journal/canonicalJson";
import type { Event, RunKind, RunSpec } from "../journal/event";
import { createJournalWriter } from "../journal/journalWriter";
import { initialState, type RunState } from "../journal/runState";
import type { LoadedJournal } from "../journal/loadJournal";
import { startRun, type AgentRun, type ContextParts, type RunListener } from "../loop/run";
import { defaultRetryPolicy, type RetryPolicy } from "../loop/retryPolicy";
import { builtInToolNames, createTools } from "../tools/createTools";
import type { ToolRegistry } from "../tools/toolRegistry";
import { defineAgent, stricter, type AgentDefinition } from "./agentDefinition";
import { createWorkspaceGuard, type WorkspaceGuard } from "./workspaceGuard";
import { createWorkspacePart } from "./workspacePart";
import type { WorkspacePorts } from "./workspacePorts";

export interface WorkspaceRunRequest {
  goal: string;
  kind: RunKind;
  kindSource: RunSpec["kindSource"];
  /** Absolute real path. */
  root: string;
  agent: string;
  modelName: string;
  /** donegate.yaml as read at start; null when there is none. `acceptedBy` null: only what restricts counts. */
  config: { path: string; text: string; acceptedBy: string | null } | null;
  onAsk: RunSpec["onAsk"];
  allowContractChange: readonly string[];
  /** Attempts where no `verify:` section says so. */
  maxAttempts: number;
  /** `ask`: a person confirms every change by a file tool. Absent: allow. */
  edits?: RunSpec["edits"];
  /** Rules of the person's settings, as they stand there. Absent: none. */
  userRules?: unknown;
  /** The model's context in tokens, a whole number above 0. Absent or null: unknown until the server names it. */
  contextWindow?: number | null;
  /** Limits of the surface; the stricter of these and the configuration's count. */
  budget: BudgetConfig;
}

export interface RunTuning {
  listener?: RunListener;
  retry?: RetryPolicy;
  stallMs?: number;
}

export type OpenedRun =
  { ok: true; run: AgentRun } | { ok: false; message: string; problems: readonly ConfigProblem[] };

const defaultStallMs = 120_000;

/** The run starts at once; nothing has happened when the answer is not ok. The journal has to be new and locked by the caller. */
export function startWorkspaceRun(
  request: WorkspaceRunRequest,
  ports: WorkspacePorts,
  tuning: RunTuning = {},
): OpenedRun {
  const read = readConfig(request.config, ports);
  if (!read.ok) return read;
  const own = parseUserRules(request.userRules ?? []);
  if (!own.ok) return { ...own, problems: [] };
  const defined = defineAgent({
    ...request,
    userRules: own.rules,
    config: read.config,
    accepted: (request.config?.acceptedBy ?? null) !== null,
  });
  if (!defined.ok) return { ok: false, message: defined.message, problems: [] };
  const agent = { ...defined.agent, budget: stricter(defined.agent.budget, request.budget) };
  const holder: StateHolder = { state: () => initialState };
  const parts = assemble(request, agent, ports, tuning, holder);
  if (!parts.ok) return parts;
  const spec = toSpec(request, agent, parts, ports);
  const append = createJournalWriter({
    ...ports,
    run: ports.ids.runId(),
    store: ports.journal,
    head: { lastHash: null, nextSeq: 1 },
  });
  const run = startRun(initialState, [{ type: "agent_start", ...spec }], append, parts.context, tuning.listener);
  holder.state = () => run.state();
  return { ok: true, run };
}

export interface ResumeRequest {
  by: string;
  modelName: string | null;
  /** Whether a person can be asked from here on; absent: as before. */
  onAsk?: RunSpec["onAsk"];
  /** What a person says with the resume: answers to approvals, a message. Journaled after `agent_resume`. */
  opening: readonly Event[];
}

/** Goes on from a journal that was loaded and found resumable. Everything but model and endpoint is as it was frozen at start. */
export function resumeWorkspaceRun(
  loaded: LoadedJournal,
  request: ResumeRequest,
  ports: WorkspacePorts,
  tuning: RunTuning = {},
): OpenedRun {
  const spec = loaded.state.spec;
  if (spec === null || spec.root === null)
    return { ok: false, message: "the journal holds no run on a workspace", problems: [] };
  const read = readConfig(spec.config, ports);
  if (!read.ok) return read;
  const own = parseUserRules(spec.userRules ?? []);
  if (!own.ok) return { ...own, problems: [] };
  const accepted = (spec.config?.acceptedBy ?? null) !== null;
  const defined = defineAgent({
    config: read.config,
    accepted,
    userRules: own.rules,
    agent: spec.agent,
    kind: spec.kind,
    maxAttempts: spec.completion?.maxAttempts ?? 1,
  });
  if (!defined.ok) return { ok: false, message: defined.message, problems: [] };
  const holder: StateHolder = { state: () => loaded.state };
  const parts = assemble({ ...spec, root: spec.root }, defined.agent, ports, tuning, holder);
  if (!parts.ok) return parts;
  const resume: Event = {
    type: "agent_resume",
    by: request.by,
    model: request.modelName ?? spec.model,
    endpoint: ports.model.endpoint,
    sealed: loaded.sealed,
    ...(request.onAsk === undefined ? {} : { onAsk: request.onAsk }),
  };
  const append = createJournalWriter({ ...ports, run: loaded.state.run, store: ports.journal, head: loaded.head });
  const run = startRun(loaded.state, [resume, ...request.opening], append, parts.context, tuning.listener);
  holder.state = () => run.state();
  return { ok: true, run };
}

function readConfig(
  source: { path: string; text: string } | null,
  { hasher }: WorkspacePorts,
): { ok: true; config: DonegateConfig | null } | Extract<OpenedRun, { ok: false }> {
  if (source === null) return { ok: true, config: null };
  const parsed = parseConfig(source.text, hasher.sha256(source.text));
  return parsed.ok ? parsed : { ok: false, message: `${source.path} is not valid`, problems: parsed.problems };
}

/** The parts are made before the run exists, but ask it for its plan later. */
interface StateHolder {
  state: () => RunState;
}

type Assembled =
  { ok: true; context: ContextParts; tools: ToolRegistry; guard: WorkspaceGuard } | Extract<OpenedRun, { ok: false }>;

function assemble(
  { root, kind, edits }: { root: string; kind: RunKind; edits?: RunSpec["edits"] },
  agent: AgentDefinition,
  ports: WorkspacePorts,
  tuning: RunTuning,
  holder: StateHolder,
): Assembled {
  const currentPlan = (): RunState["plan"] => holder.state().plan;
  const guard = guardOfPlan(root, kind, agent, ports, currentPlan);
  const workspace = createWorkspacePart(root, agent, ports, currentPlan);
  const known = [...builtInToolNames, ...Object.keys(agent.customTools)];
  const missing = agent.toolNames?.filter((name) => !known.includes(name)) ?? [];
  if (missing.length > 0)
    return {
      ok: false,
      message: `agent ${agent.name} names tools that do not exist: ${missing.join(", ")}`,
      problems: [],
    };
  const tools = createTools(agent.customTools, {
    checkNames: () => (currentPlan()?.checks ?? []).map((check) => check.name),
    only: agent.toolNames,
    ...(edits === undefined ? {} : { edits }),
  });
  const context: ContextParts = {
    keep: (text) => ports.journal.putBlob(text),
    clock: ports.clock,
    ids: ports.ids,
    hasher: ports.hasher,
    model: ports.model,
    tools,
    toolPorts: {
      files: ports.files,
      commands: ports.commands,
      search: {
        search: (query, signal) =>
          ports.search.search({ ...query, exclude: [...query.exclude, ...guard().filter.excludes] }, signal),
      },
      hasher: ports.hasher,
      isHidden: (path) => guard().filter.isHidden(path),
      runChecks: () => Promise.resolve(null),
    },
    judge: (call, toolDefault, signal) => guard().judge(call, toolDefault, signal),
    judgePaths: (call) => guard().judgePaths(call),
    beforeTool: null,
    verifiers: {},
    verifierTimeoutMs: 0,
    workspace,
    stallMs: tuning.stallMs ?? defaultStallMs,
    retry: tuning.retry ?? defaultRetryPolicy,
    secrets: ports.secrets,
  };
  return { ok: true, context, tools, guard: guard() };
}

/** One guard per plan: made again only when an approved change amended the contract. */
function guardOfPlan(
  root: string,
  kind: RunKind,
  agent: AgentDefinition,
  ports: WorkspacePorts,
  currentPlan: () => RunState["plan"],
): () => WorkspaceGuard {
  let made: { digest: string | null; guard: WorkspaceGuard } | null = null;
  return () => {
    const plan = currentPlan();
    const digest = plan?.digest ?? null;
    if (made === null || made.digest !== digest) {
      made = { digest, guard: createWorkspaceGuard({ root, kind, agent, plan }, ports) };
    }
    return made.guard;
  };
}

function toSpec(
  request: WorkspaceRunRequest,
  agent: AgentDefinition,
  { tools, guard }: { tools: ToolRegistry; guard: WorkspaceGuard },
  { hasher, model }: WorkspacePorts,
): RunSpec {
  const { config } = request;
  return {
    goal: request.goal,
    kind: request.kind,
    kindSource: request.kindSource,
    root: request.root,
    agent: agent.name,
    model: request.modelName,
    endpoint: model.endpoint,
    prompt: agent.prompt,
    promptDigest: hasher.sha256(agent.prompt),
    tools: { names: tools.names(), digest: hasher.sha256(canonicalJson(tools.wire())) },
    rules: {
      ids: guard.ruleIds,
      digest: hasher.sha256(canonicalJson([agent.rules, agent.prodPatterns, guard.ruleIds])),
    },
    budget: agent.budget,
    completion: agent.completion,
    config: config === null ? null : { ...config, digest: hasher.sha256(config.text) },
    onAsk: request.onAsk,
    allowContractChange: request.allowContractChange,
    ...(request.edits === undefined ? {} : { edits: request.edits }),
    ...(Array.isArray(request.userRules) && request.userRules.length > 0 ? { userRules: request.userRules } : {}),
    ...(typeof request.contextWindow === "number" ? { contextWindow: request.contextWindow } : {}),
  };
}
