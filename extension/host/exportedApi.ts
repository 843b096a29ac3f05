// What other extensions, and the tests inside VS Code, may do with runs.
import type { RunState } from "../core/journal/runState";
import type { Command, CommandAnswer } from "../core/loop/command";
import type { Disposable, RunEntry, Runs, StartAnswer } from "./runs";

export interface DonegateApi {
  /** `folder` is an absolute path; absent: the only open folder. */
  runTask(goal: string, folder?: string): Promise<StartAnswer>;
  resume(id: string, message?: string): Promise<StartAnswer>;
  onDidChangeRun(listener: (run: ApiRun) => void): Disposable;
  /** Null: there is no such run. Its journal is read when it was not yet. */
  getRun(id: string): Promise<ApiRun | null>;
}

export interface ApiRun {
  readonly id: string;
  readonly root: string;
  readonly journal: string;
  readonly mode: RunEntry["mode"];
  readonly state: RunState;
}

/** Only in tests: extensions never answer for a person. */
export interface TestApi extends DonegateApi {
  resolveApproval(
    run: string,
    command: Extract<Command, { type: "approve" | "deny" | "answer" }>,
  ): Promise<CommandAnswer>;
  /** Dialogs cannot be shown in tests: accepts the folder's donegate.yaml as a person would. */
  acceptConfig(root: string, digest: string): Promise<void>;
  runs: Runs;
}

export function createApi(runs: Runs, onlyFolder: () => string | null): DonegateApi {
  return {
    runTask: async (goal, folder) => {
      const path = folder ?? onlyFolder();
      if (path !== null) return runs.start({ goal, folder: path, kind: "auto" });
      return { ok: false, code: "folder", message: "name the folder: not exactly one is open" };
    },
    resume: (id, message) => runs.resume(id, message),
    onDidChangeRun: (listener) => runs.onDidChange((entry) => listener(toApiRun(entry))),
    getRun: async (id) => {
      const entry = await runs.open(id);
      return entry === null ? null : toApiRun(entry);
    },
  };
}

export function createTestApi(
  runs: Runs,
  onlyFolder: () => string | null,
  acceptConfig: TestApi["acceptConfig"],
): TestApi {
  return {
    ...createApi(runs, onlyFolder),
    resolveApproval: (run, command) => runs.send(run, command),
    acceptConfig,
    runs,
  };
}

function toApiRun({ id, root, journal, mode, state }: RunEntry): ApiRun {
  return { id, root, journal, mode, state };
}
