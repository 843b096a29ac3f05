// The one place that constructs adapters, engine and runs for the editor. Loaded with the first command, not at activation.
import { realpath } from "node:fs/promises";
import { defineAgent, mainAgent } from "./core/agents/agentDefinition";
import { explainCommand } from "./core/agents/explainCommand";
import { acceptedConfig, isStale } from "./core/agents/resumeParts";
import { verifyWorkspace } from "./core/agents/verifyWorkspace";
import { createWorkspaceGuard } from "./core/agents/workspaceGuard";
import { freezeWorkspacePlan } from "./core/agents/workspacePart";
import { resumeWorkspaceRun, startWorkspaceRun, type OpenedRun } from "./core/agents/workspaceRun";
import { listTrusted } from "./core/config/listTrusted";
import { loadJournal, type LoadedJournal } from "./core/journal/loadJournal";
import type { ModelClient } from "./core/ports/modelClient";
import type { OpenEditors } from "./core/ports/openEditors";
import { LiveRuns } from "./host/liveRuns";
import type { RunSurroundings } from "./host/liveRunsStart";
import type {
  DrivenRun,
  Driving,
  ExplainRequest,
  ModelChoice,
  ReadRun,
  ResumeRequest,
  RunEngine,
  StartRequest,
  VerifyRequest,
} from "./host/runEngine";
import type { StartRefusal, VerifyReport } from "./host/runs";
import { DemoModel } from "./node/demoModel";
import { readConfigFile } from "./node/configFile";
import type { FileJournalStore } from "./node/fileJournalStore";
import { NodeCommandRunner } from "./node/nodeCommandRunner";
import { NodeScratchFolders } from "./node/nodeScratchFolders";
import { OpenAiModel } from "./node/openAiModel";
import { listRuns } from "./node/runList";
import { listQueued, putQueued, takeQueued } from "./node/runQueue";
import {
  createBasics,
  createGuardPorts,
  createRunPorts,
  createSnapshots,
  defaultJournalPath,
  openJournal,
  readJournal,
  type Basics,
  type RunPorts,
} from "./node/runPorts";
import { readUserRules } from "./node/userRules";
import { askHolderToLeave, onAskedToLeave } from "./node/takeOver";
import { watchJournalFile } from "./node/watchJournal";

export interface EngineOptions {
  env: NodeJS.ProcessEnv;
  /** Milliseconds between two pieces of the demo model's text. */
  demoDeltaMs: number;
  /** The editors beside a run on the folder `root`; absent where there is no editor. */
  openEditors?: (root: string, basics: Basics) => OpenEditors;
}

export function composeRuns(around: RunSurroundings, options: EngineOptions): LiveRuns {
  return new LiveRuns(composeEngine(options), around);
}

export function composeEngine(options: EngineOptions): RunEngine {
  const basics = createBasics();
  return {
    newRunId: () => basics.ids.runId(),
    realRoot: (folder) => realpath(folder).catch(() => null),
    list: listRuns,
    read: (journal) => read(journal, basics),
    readOutput: (journal, reference) => readJournal(journal).getBlob(reference),
    readConfig: (root) => readConfig(root, basics),
    start: (request) => start(request, basics, options),
    resume: (journal, request) => resume(journal, request, basics, options),
    watch: watchJournalFile,
    askToLeave: askHolderToLeave,
    queue: { put: putQueued, list: listQueued, take: takeQueued },
    verify: (request, signal) => verify(request, basics, signal),
    explain: (request) => explain(request, basics),
  };
}

async function read(journal: string, { hasher }: Basics): Promise<ReadRun> {
  const store = readJournal(journal);
  const holder = await store.holder();
  const loaded = await loadJournal(store, hasher);
  const state = { ...loaded.state, sealed: loaded.state.sealed && loaded.sealed };
  return { state, events: loaded.events, problem: loaded.blocked, holder };
}

async function readConfig(root: string, { hasher }: Basics): ReturnType<RunEngine["readConfig"]> {
  const found = await readConfigFile({ root, named: null, cwd: root }, hasher);
  if (!found.ok) return { ...found, code: "config" };
  if (found.file === null) return { ok: true, file: null };
  const { config } = found.file;
  return { ok: true, file: { ...found.file, digest: config.digest, trusted: listTrusted(config) } };
}

async function start(request: StartRequest, basics: Basics, options: EngineOptions): Promise<Driving> {
  const { id, root, config, goal, kind, contextWindow, maxAttempts, budget, edits, userRules } = request;
  const own = await readUserRules(userRules);
  if (!own.ok) return refuse("config", own.message);
  const journal = await lock(defaultJournalPath(root, id));
  if (!journal.ok) return journal;
  const composed = createRunPorts({
    ...{ basics, root, env: options.env, journal: journal.store, run: id },
    ...editorsOf(root, basics, options),
    model: toClient(request.model, basics, options),
    config: (config?.acceptedBy ?? null) === null ? null : (config?.file.config ?? null),
  });
  const opened = startWorkspaceRun(
    {
      ...{ goal, kind, root, contextWindow, maxAttempts, budget, edits, userRules },
      kindSource: "default",
      agent: mainAgent,
      modelName: request.model.name,
      config:
        config === null ? null : { path: config.file.path, text: config.file.text, acceptedBy: config.acceptedBy },
      onAsk: "wait",
      allowContractChange: [],
    },
    composed.ports,
  );
  return toDriving(opened, composed, { id, earlier: [], tornBytes: 0 });
}

async function resume(path: string, request: ResumeRequest, basics: Basics, options: EngineOptions): Promise<Driving> {
  const journal = await lock(path);
  if (!journal.ok) return journal;
  const { store } = journal;
  const prepared = await prepareResume(await loadJournal(store, basics.hasher), request, basics);
  if (!prepared.ok) {
    await store.close();
    return prepared;
  }
  const { loaded, spec, opening } = prepared;
  const model = await request.model(spec, loaded.state);
  const composed = createRunPorts({
    ...{ basics, root: spec.root, env: options.env, journal: store, run: loaded.state.run },
    ...editorsOf(spec.root, basics, options),
    model: toClient(model, basics, options),
    config: acceptedConfig(spec, basics.hasher),
  });
  if (loaded.tornBytes > 0) await store.setAsideTail(loaded.tornBytes);
  const wish = { by: request.by, modelName: model.name, onAsk: "wait" as const, opening };
  const opened = resumeWorkspaceRun(loaded, wish, composed.ports);
  const { events: earlier, tornBytes } = loaded;
  return toDriving(opened, composed, { id: loaded.state.run, earlier, tornBytes });
}

/** Everything that can be wrong is found before anything is written. */
async function prepareResume(loaded: LoadedJournal, request: ResumeRequest, { clock }: Basics) {
  if (loaded.blocked !== null) return refuse("journal", `this run cannot go on: ${loaded.blocked}`);
  const { spec } = loaded.state;
  const root = spec?.root ?? null;
  if (spec === null || root === null) return refuse("journal", "the journal holds no run on a folder");
  const real = await realpath(root).catch(() => null);
  if (real !== root) {
    return refuse("folder", `the folder of this run, ${root}, is not there any more: bring it back, then resume`);
  }
  const decided = request.decide(loaded.state, clock.now());
  if (!decided.ok) return refuse("nothing-to-do", decided.message);
  return { ok: true as const, loaded, spec: { ...spec, root }, opening: decided.events };
}

async function lock(path: string): Promise<{ ok: true; store: FileJournalStore } | StartRefusal> {
  const opened = await openJournal(path);
  if (opened.ok) return opened;
  const isHeld = (await readJournal(path).holder()) !== null;
  return refuse(isHeld ? "held" : "journal", opened.message);
}

async function toDriving(
  opened: OpenedRun,
  composed: RunPorts,
  before: Pick<DrivenRun, "id" | "earlier" | "tornBytes">,
): Promise<Driving> {
  if (!opened.ok) {
    await composed.end();
    return refuse("config", opened.message);
  }
  const { run } = opened;
  const journal = composed.ports.journal.location;
  let stopLooking = (): void => undefined;
  const driven: DrivenRun = {
    ...before,
    ...{ journal, run },
    isStale: () => isStale(run.state(), composed.ports.snapshots),
    onAskedToLeave: (listener) => {
      stopLooking = onAskedToLeave(journal, listener);
    },
    end: () => {
      stopLooking();
      return composed.end();
    },
  };
  return { ok: true, driven };
}

async function verify(
  { root, config, plan }: VerifyRequest,
  basics: Basics,
  signal: AbortSignal,
): Promise<VerifyReport> {
  const { files, hasher, ids } = basics;
  const accepted = (config?.acceptedBy ?? null) !== null;
  const wish = {
    config: config?.file.config ?? null,
    accepted,
    agent: mainAgent,
    kind: "auto" as const,
    maxAttempts: 1,
  };
  const defined = defineAgent(wish);
  if (!defined.ok) return refuse("config", defined.message);
  const { agent } = defined;
  const commands = new NodeCommandRunner({ runTag: ids.runId() });
  const scratch = new NodeScratchFolders();
  const ports = { files, hasher, commands, scratch, snapshots: createSnapshots(root, agent.outputs, []) };
  try {
    const frozen = plan ?? (await freezeWorkspacePlan(root, agent, ports));
    const judged = await verifyWorkspace({ root, plan: frozen, completion: agent.completion }, ports, {}, signal);
    if (!judged.ok) return refuse("folder", judged.message);
    const checks = judged.checks.map(({ name, verdict, reason }) => ({ name, verdict, reason }));
    return { ok: true, verdict: judged.verdict, reason: judged.reason, checks };
  } finally {
    await commands.endAll();
  }
}

async function explain(
  { root, config, userRules, command }: ExplainRequest,
  basics: Basics,
): ReturnType<RunEngine["explain"]> {
  const own = await readUserRules(userRules);
  if (!own.ok) return refuse("config", own.message);
  const wish = { config: config?.config ?? null, accepted: true, agent: mainAgent, kind: "auto" as const };
  const defined = defineAgent({ ...wish, maxAttempts: 1, userRules: own.rules });
  if (!defined.ok) return refuse("config", defined.message);
  const { agent } = defined;
  const { files, hasher, ids } = basics;
  const commands = new NodeCommandRunner({ runTag: ids.runId() });
  try {
    const plan = await freezeWorkspacePlan(root, agent, { files, hasher, commands });
    const guard = createWorkspaceGuard({ root, kind: "auto", agent, plan }, createGuardPorts(root, basics));
    return { ok: true, explained: await explainCommand(guard, command, root) };
  } finally {
    await commands.endAll();
  }
}

function editorsOf(root: string, basics: Basics, { openEditors }: EngineOptions): { editors?: OpenEditors } {
  return openEditors === undefined ? {} : { editors: openEditors(root, basics) };
}

function toClient({ baseUrl, apiKey }: ModelChoice, { clock }: Basics, { demoDeltaMs }: EngineOptions): ModelClient {
  return baseUrl === null ? new DemoModel({ clock, deltaMs: demoDeltaMs }) : new OpenAiModel({ baseUrl, apiKey });
}

function refuse(code: StartRefusal["code"], message: string): StartRefusal {
  return { ok: false, code, message };
}
