// All adapters of one run on this machine, wired together; command line and editor start from here.
import type { GuardPorts } from "../core/agents/workspaceGuard";
import type { WorkspacePorts } from "../core/agents/workspacePorts";
import type { DonegateConfig } from "../core/config/donegateConfig";
import { toSecretValues } from "../core/journal/redact";
import type { Clock } from "../core/ports/clock";
import type { Hasher } from "../core/ports/hasher";
import type { Ids } from "../core/ports/ids";
import type { ModelClient } from "../core/ports/modelClient";
import type { OpenEditors } from "../core/ports/openEditors";
import type { Snapshots } from "../core/ports/snapshots";
import type { WorkspaceFiles } from "../core/ports/workspaceFiles";
import { FileJournalStore } from "./fileJournalStore";
import { GitSnapshots } from "./gitSnapshots";
import { NodeCommandRunner } from "./nodeCommandRunner";
import { NodeHasher } from "./nodeHasher";
import { NodeRealPaths } from "./nodeRealPaths";
import { NodeScratchFolders } from "./nodeScratchFolders";
import { NodeWorkspaceFiles } from "./nodeWorkspaceFiles";
import { clearPendingWrites, PendingWrites } from "./pendingWrites";
import { RandomIds } from "./randomIds";
import { RipgrepSearch } from "./ripgrepSearch";
import { pendingWrites, stateFolder, workspaceState } from "./statePaths";
import { forgetRequest } from "./takeOver";
import { SystemClock } from "./systemClock";
import { TreeSitterGrammar } from "./treeSitterGrammar";

/** What no workspace decides about. */
export interface Basics {
  clock: Clock;
  hasher: Hasher;
  ids: Ids;
  files: WorkspaceFiles;
}

export function createBasics(): Basics {
  const clock = new SystemClock();
  return {
    clock,
    hasher: new NodeHasher(),
    ids: new RandomIds(clock),
    files: new NodeWorkspaceFiles(new PendingWrites(pendingWrites())),
  };
}

export interface RunPorts {
  ports: WorkspacePorts;
  /** Ends what the run's commands left running and closes the journal. Answers the processes that could not be ended. */
  end(): Promise<readonly number[]>;
}

export interface RunParts {
  basics: Basics;
  /** Absolute real path. */
  root: string;
  env: NodeJS.ProcessEnv;
  model: ModelClient;
  journal: FileJournalStore;
  /** The run's id. A resume has the same one, and so finds what the earlier process left running. */
  run: string;
  /** Null when there is none, or nobody has accepted it. */
  config: DonegateConfig | null;
  editors?: OpenEditors;
}

export function createRunPorts({ basics, root, env, model, journal, run, config, editors }: RunParts): RunPorts {
  const { clock, hasher, ids, files } = basics;
  const commands = new NodeCommandRunner({ runTag: run });
  const own = [journal.location, journal.folder];
  const ports: WorkspacePorts = {
    clock,
    hasher,
    files,
    ...(editors === undefined ? {} : { editors }),
    commands,
    scratch: new NodeScratchFolders(),
    model,
    journal,
    ids: { runId: () => run, callId: () => ids.callId() },
    search: new RipgrepSearch(),
    snapshots: createSnapshots(root, outputsOf(config), own),
    realPaths: new NodeRealPaths(root),
    grammar: new TreeSitterGrammar(),
    stateFolders: [stateFolder(), ...own],
    secrets: toSecretValues(env),
  };
  const end = async (): Promise<readonly number[]> => {
    const survivors = await commands.endAll();
    await journal.close();
    return survivors;
  };
  return { ports, end };
}

/** For judging calls without a run. */
export function createGuardPorts(root: string, { clock }: Basics): GuardPorts {
  return { clock, realPaths: new NodeRealPaths(root), stateFolders: [stateFolder()], grammar: new TreeSitterGrammar() };
}

/** `own`: files and folders of the harness that may lie in the root and are no part of the work. */
export function createSnapshots(root: string, outputs: readonly string[], own: readonly string[]): Snapshots {
  return new GitSnapshots({ root, store: workspaceState(root).snapshots, outputs, own: [stateFolder(), ...own] });
}

function outputsOf(config: DonegateConfig | null): readonly string[] {
  return typeof config?.verify === "object" ? (config.verify?.outputs ?? []) : [];
}

/** Where a run's journal lies unless somebody names another place. */
export function defaultJournalPath(root: string, run: string): string {
  return workspaceState(root).journalOf(run);
}

/** For reading only: makes nothing and takes no lock. */
export function readJournal(path: string): FileJournalStore {
  return new FileJournalStore({ file: path });
}

export type OpenedJournal = { ok: true; store: FileJournalStore } | { ok: false; message: string };

/** Locked for this process. What a killed process left half written anywhere on this machine is cleared first. */
export async function openJournal(path: string): Promise<OpenedJournal> {
  const store = new FileJournalStore({ file: path });
  try {
    const locked = await store.lock();
    if (locked.ok) {
      await clearPendingWrites(pendingWrites());
      await forgetRequest(path);
      return { ok: true, store };
    }
    const message = `another process holds ${path}: pid ${locked.pid}, since ${locked.since}. Wait until it has ended, or stop it`;
    return { ok: false, message };
  } catch (error: unknown) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      message: `the journal ${path} cannot be written: ${why}. Make its folder writable, or move all state with XDG_STATE_HOME`,
    };
  }
}
