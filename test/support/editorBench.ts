// The editor's runs without the editor: real journals, real commands, a model server over HTTP, and one person.
import {
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
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { composeRuns } from "../../extension/compose";
import type { LiveRuns } from "../../extension/host/liveRuns";
import type { RunSurroundings } from "../../extension/host/liveRunsStart";
import type { RunEntry, RunNotice, Runs, RunWish, StartAnswer } from "../../extension/host/runs";
import { FakeModelServer } from "./fakeModelServer";
import type { ModelScript } from "./modelScript";

export class EditorBench {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "editor-")));
  readonly root = join(this.base, "workspace");
  /** What the person was asked to accept, and what he says. */
  readonly accepted: string[][] = [];
  accepts = true;
  isTrusted = true;
  maxAttempts = 1;
  contextWindow: number | null = null;
  guardrails: unknown = [];
  readonly notices: RunNotice[] = [];
  readonly errors: unknown[] = [];
  #server: FakeModelServer | null = null;

  constructor() {
    mkdirSync(this.root);
    const before = process.env["XDG_STATE_HOME"];
    process.env["XDG_STATE_HOME"] = join(this.base, "state");
    onTestFinished(async () => {
      await this.#server?.close();
      if (before === undefined) delete process.env["XDG_STATE_HOME"];
      else process.env["XDG_STATE_HOME"] = before;
      rmSync(this.base, { recursive: true, force: true });
    });
  }

  put(path: string, text: string): void {
    writeFileSync(join(this.root, path), text);
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  async serve(script: ModelScript): Promise<FakeModelServer> {
    await this.#server?.close();
    this.#server = await FakeModelServer.start(script);
    return this.#server;
  }

  /** A window on the workspace. Each has runs of its own, as each window has. */
  open(around: Partial<RunSurroundings> = {}): LiveRuns {
    const toModel = () => ({
      name: "scripted",
      baseUrl: this.#server?.baseUrl ?? "http://127.0.0.1:1/v1",
      apiKey: null,
    });
    const runs = composeRuns(
      {
        folders: () => [this.root],
        isTrusted: () => this.isTrusted,
        settings: () => ({
          ...{
            modelName: "scripted",
            modelBaseUrl: null,
            contextWindow: this.contextWindow,
            maxAttempts: this.maxAttempts,
          },
          ...{ edits: "allow" as const, budget: { maxTurns: 20 }, guardrails: this.guardrails },
        }),
        chooseModel: () => Promise.resolve({ ok: true, model: toModel() }),
        chooseModelAgain: () => Promise.resolve(toModel()),
        acceptConfig: (_root, file) => {
          this.accepted.push([...file.trusted]);
          return Promise.resolve(this.accepts ? "Ada" : null);
        },
        onError: (error) => this.errors.push(error),
        ...around,
      },
      { env: {}, demoDeltaMs: 0 },
    );
    runs.onNotice((notice) => this.notices.push(notice));
    onTestFinished(() => runs.leave());
    return runs;
  }

  wish(goal = "Do the work."): RunWish {
    return { goal, folder: this.root, kind: "auto" };
  }

  journals(): string[] {
    const state = join(this.base, "state", "donegate");
    if (!existsSync(state)) return [];
    return readdirSync(state, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith("journal.jsonl"));
  }

  typesIn({ journal }: RunEntry): string[] {
    const lines = readFileSync(journal, "utf8").trim().split("\n");
    return lines.map((line) => (JSON.parse(line) as { type: string }).type);
  }
}

/** Resolves with the run's entry once it fits. */
export function untilEntry(runs: Runs, id: string, fits: (entry: RunEntry) => boolean): Promise<RunEntry> {
  return new Promise((resolve) => {
    const look = (): void => {
      const entry = runs.find(id);
      if (entry === null || !fits(entry)) return;
      listening.dispose();
      resolve(entry);
    };
    const listening = runs.onDidChange(look);
    look();
  });
}

export function idOf(answer: StartAnswer): string {
  if (!answer.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer.id;
}
