// The one place of the command line that makes ports. Everything else takes them as arguments.
import type { FreezePorts } from "../core/agents/workspacePart";
import type { WorkspacePorts } from "../core/agents/workspacePorts";
import type { DonegateConfig } from "../core/config/donegateConfig";
import type { SecretValue } from "../core/journal/redact";
import type { Clock } from "../core/ports/clock";
import type { Hasher } from "../core/ports/hasher";
import type { Ids } from "../core/ports/ids";
import type { JournalStore } from "../core/ports/journalStore";
import type { ModelClient } from "../core/ports/modelClient";
import type { Snapshots } from "../core/ports/snapshots";
import type { WorkspaceFiles } from "../core/ports/workspaceFiles";
import { FileJournalStore } from "../node/fileJournalStore";
import { GitSnapshots } from "../node/gitSnapshots";
import { NodeCommandRunner } from "../node/nodeCommandRunner";
import { NodeHasher } from "../node/nodeHasher";
import { NodeRealPaths } from "../node/nodeRealPaths";
import { NodeWorkspaceFiles } from "../node/nodeWorkspaceFiles";
import { RandomIds } from "../node/randomIds";
import { RipgrepSearch } from "../node/ripgrepSearch";
import { stateFolder, workspaceState } from "../node/statePaths";
import { SystemClock } from "../node/systemClock";
import { refuse, type Refusal } from "./exitCodes";

/** What no workspace decides about. */
export interface Basics {
  clock: Clock;
  hasher: Hasher;
  ids: Ids;
  files: WorkspaceFiles;
}

export function composeBasics(): Basics {
  const clock = new SystemClock();
  return { clock, hasher: new NodeHasher(), ids: new RandomIds(clock), files: new NodeWorkspaceFiles() };
}

/** For looking at what a plan would be: nothing is started. */
export function composeFreeze({ files, hasher, ids }: Basics): FreezePorts {
  return { files, hasher, commands: new NodeCommandRunner({ runTag: ids.runId() }) };
}

export interface ComposedCheck extends FreezePorts {
  snapshots: Snapshots;
  /** Ends what the checks left running. */
  end(): Promise<void>;
}

/** For running checks without a run. */
export function composeCheck(root: string, { files, hasher, ids }: Basics, outputs: readonly string[]): ComposedCheck {
  const commands = new NodeCommandRunner({ runTag: ids.runId() });
  const end = async (): Promise<void> => void (await commands.endAll());
  return { files, hasher, commands, snapshots: composeSnapshots(root, outputs, []), end };
}

export interface ComposedRun {
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
}

export function composeRun({ basics, root, env, model, journal, run, config }: RunParts): ComposedRun {
  const { clock, hasher, ids, files } = basics;
  const commands = new NodeCommandRunner({ runTag: run });
  const own = [journal.location, journal.folder];
  const ports: WorkspacePorts = {
    clock,
    hasher,
    files,
    commands,
    model,
    journal,
    ids: { runId: () => run, callId: () => ids.callId() },
    search: new RipgrepSearch(),
    snapshots: composeSnapshots(root, outputsOf(config), own),
    realPaths: new NodeRealPaths(root),
    stateFolders: [stateFolder(), ...own],
    secrets: secretValues(env),
  };
  const end = async (): Promise<readonly number[]> => {
    const survivors = await commands.endAll();
    await journal.close();
    return survivors;
  };
  return { ports, end };
}

function composeSnapshots(root: string, outputs: readonly string[], own: readonly string[]): Snapshots {
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
export function readJournal(path: string): JournalStore {
  return new FileJournalStore({ file: path });
}

/** Locked for this process. */
export async function openJournal(path: string): Promise<{ ok: true; store: FileJournalStore } | Refusal> {
  const store = new FileJournalStore({ file: path });
  try {
    const locked = await store.lock();
    if (locked.ok) return { ok: true, store };
    return refuse(
      `another process holds ${path}: pid ${locked.pid}, since ${locked.since}. Wait until it has ended, or stop it`,
    );
  } catch (error: unknown) {
    const why = error instanceof Error ? error.message : String(error);
    return refuse(
      `the journal ${path} cannot be written: ${why}. Make its folder writable, or name another place with --journal FILE`,
    );
  }
}

/** Values of variables whose name says that they are secret. The journal leaves out values under eight characters. */
export function secretValues(env: NodeJS.ProcessEnv): readonly SecretValue[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) ? [{ name, value }] : [],
  );
}

const secretName = /(?:^|_)(?:KEY|APIKEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_|$)/i;
