// A real folder, real adapters, a model server over real HTTP and a person: runs on a workspace as a host composes them.
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { onTestFinished } from "vitest";
import {
  attachApprover,
  loadJournal,
  resumeWorkspaceRun,
  startWorkspaceRun,
  toOutcome,
  type AgentRun,
  type Approver,
  type Event,
  type JournaledEvent,
  type LoadedJournal,
  type OpenedRun,
  type Outcome,
  type RunState,
  type WorkspacePorts,
  type WorkspaceRunRequest,
} from "../../extension/core";
import type { RunTuning } from "../../extension/core/agents/workspaceRun";
import type { JournalStore } from "../../extension/core/ports/journalStore";
import { FileJournalStore } from "../../extension/node/fileJournalStore";
import { GitSnapshots } from "../../extension/node/gitSnapshots";
import { NodeCommandRunner } from "../../extension/node/nodeCommandRunner";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { NodeRealPaths } from "../../extension/node/nodeRealPaths";
import { NodeScratchFolders } from "../../extension/node/nodeScratchFolders";
import { TreeSitterGrammar } from "../../extension/node/treeSitterGrammar";
import { NodeWorkspaceFiles } from "../../extension/node/nodeWorkspaceFiles";
import { OpenAiModel } from "../../extension/node/openAiModel";
import { RandomIds } from "../../extension/node/randomIds";
import { RipgrepSearch } from "../../extension/node/ripgrepSearch";
import { SystemClock } from "../../extension/node/systemClock";
import { FakeModelServer } from "./fakeModelServer";
import type { ModelScript, ModelStep, ScriptedCall } from "./modelScript";

const oneTry = { maxAttempts: 1, firstWaitMs: 1, maxWaitMs: 1 };

const storyFolder = join(import.meta.dirname, "..", "fixtures", "story");

export interface BenchRun {
  run: AgentRun;
  events: JournaledEvent[];
  /** Waits for the end; requests and script have to meet exactly. */
  end(): Promise<RunState>;
}

export class WorkspaceBench {
  /** Holds the workspace, what lies beside it and the engine's own state. */
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "bench-")));
  readonly root = join(this.base, "workspace");
  readonly state = join(this.base, "state");
  readonly journal = join(this.state, "journal.jsonl");
  readonly hasher = new NodeHasher();
  protected tuning: Omit<RunTuning, "listener"> = { retry: oneTry };
  #server: FakeModelServer | null = null;

  constructor() {
    mkdirSync(this.root);
    mkdirSync(this.state);
    onTestFinished(async () => {
      await this.#server?.close();
      rmSync(this.base, { recursive: true, force: true });
    });
  }

  /** With the story's workspace and its grader beside it. */
  static story(): WorkspaceBench {
    const bench = new WorkspaceBench();
    cpSync(storyFolder, bench.base, { recursive: true });
    return bench;
  }

  put(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  /** Every file with its text, by path. */
  texts(): Record<string, string> {
    const entries = readdirSync(this.root, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return Object.fromEntries(paths.sort().map((path) => [relative(this.root, path), readFileSync(path, "utf8")]));
  }

  /** The person's own git. */
  git(...args: string[]): string {
    const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const env = { PATH: process.env["PATH"], HOME: this.base, GIT_CONFIG_NOSYSTEM: "1" };
    return execFileSync("git", [...who, ...args], { cwd: this.root, encoding: "utf8", env, stdio: "pipe" });
  }

  /** The model server; a second script replaces the first. */
  async serve(script: ModelScript): Promise<FakeModelServer> {
    await this.#server?.close();
    this.#server = await FakeModelServer.start(script);
    return this.#server;
  }

  get server(): FakeModelServer {
    if (this.#server === null) throw new Error("no script is served yet");
    return this.#server;
  }

  store(): JournalStore {
    return new FileJournalStore({ file: this.journal });
  }

  /** New adapters each time, as a new process has them. */
  ports(): WorkspacePorts {
    const clock = new SystemClock();
    return {
      clock,
      ids: new RandomIds(clock),
      hasher: this.hasher,
      model: new OpenAiModel({ baseUrl: this.server.baseUrl, apiKey: null }),
      journal: this.store(),
      files: new NodeWorkspaceFiles(),
      commands: new NodeCommandRunner({ runTag: this.journal }),
      scratch: new NodeScratchFolders(this.state),
      search: new RipgrepSearch(),
      snapshots: new GitSnapshots({ root: this.root, store: join(this.state, "snapshots.git") }),
      realPaths: new NodeRealPaths(this.root),
      grammar: new TreeSitterGrammar(),
      stateFolders: [this.state],
      secrets: [],
    };
  }

  /** Serves the script and starts. `donegate.yaml` counts as accepted. */
  async start(
    script: ModelScript,
    request: Partial<WorkspaceRunRequest> = {},
    approver: Approver | null = null,
  ): Promise<BenchRun> {
    await this.serve(script);
    const ports = this.ports();
    await lock(ports.journal);
    const config = this.has("donegate.yaml")
      ? { path: join(this.root, "donegate.yaml"), text: this.read("donegate.yaml"), acceptedBy: "test" }
      : null;
    const events: JournaledEvent[] = [];
    const opened = startWorkspaceRun(
      {
        goal: "Do the work.",
        kind: "auto",
        kindSource: "default",
        root: this.root,
        agent: "main",
        modelName: "scripted",
        config,
        onAsk: approver === null ? "suspend" : "wait",
        allowContractChange: [],
        maxAttempts: 3,
        budget: { maxTurns: 40 },
        ...request,
      },
      ports,
      { ...this.tuning, listener: { onEvent: (event) => events.push(event) } },
    );
    return this.follow(opened, ports, events, approver);
  }

  /** Goes on from the journal with new adapters and the script that is served. */
  async resume(opening: readonly Event[] = [], approver: Approver | null = null): Promise<BenchRun> {
    const ports = this.ports();
    await lock(ports.journal);
    const loaded = await loadJournal(ports.journal, this.hasher);
    if (loaded.blocked !== null) throw new Error(loaded.blocked);
    if (loaded.tornBytes > 0) await ports.journal.setAsideTail(loaded.tornBytes);
    const events: JournaledEvent[] = [];
    const request = { by: "test", modelName: null, opening };
    const opened = resumeWorkspaceRun(loaded, request, ports, {
      ...this.tuning,
      listener: { onEvent: (event) => events.push(event) },
    });
    return this.follow(opened, ports, events, approver);
  }

  private follow(
    opened: OpenedRun,
    ports: WorkspacePorts,
    events: JournaledEvent[],
    approver: Approver | null,
  ): BenchRun {
    if (!opened.ok) throw new Error(`${opened.message} ${JSON.stringify(opened.problems)}`);
    const { run } = opened;
    if (approver !== null) attachApprover(run, approver);
    const end = async (): Promise<RunState> => {
      const state = await run.settled;
      await ports.journal.close();
      this.server.assertDone();
      return state;
    };
    return { run, events, end };
  }

  /** What the disk says about the run. */
  async load(): Promise<LoadedJournal> {
    const store = this.store();
    const loaded = await loadJournal(store, this.hasher);
    await store.close();
    return loaded;
  }

  async outcome(): Promise<Outcome> {
    const { state } = await this.load();
    return toOutcome(state, { journal: this.journal, stale: null });
  }
}

async function lock(store: JournalStore): Promise<void> {
  const locked = await store.lock();
  if (!locked.ok) throw new Error(`the journal is locked by ${locked.pid}`);
}

export function say(text: string): ModelStep {
  return { kind: "reply", text };
}

export function call(...calls: readonly ScriptedCall[]): ModelStep {
  return { kind: "reply", calls };
}

export type PersonAnswer = { approve: true } | { deny: string };

/** A person who answers each request in turn; one more request than answers is an error, which is no answer. */
export function answersInTurn(
  ...answers: readonly PersonAnswer[]
): Approver & { asked: { tool: string; level: string; reason: string; args: unknown }[] } {
  const left = [...answers];
  const asked: { tool: string; level: string; reason: string; args: unknown }[] = [];
  return {
    asked,
    decide: ({ tool, level, reason, args }) => {
      asked.push({ tool, level, reason, args });
      const answer = left.shift();
      if (answer === undefined) return Promise.reject(new Error(`nobody answers for ${tool}`));
      if ("approve" in answer) return Promise.resolve({ decision: "approve", by: "Ada" });
      return Promise.resolve({ decision: "deny", by: "Ada", reason: answer.deny });
    },
  };
}
