// Where runs and snapshots are kept when nobody says otherwise: outside every workspace, so that a run cannot write there.
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { posix, win32 } from "node:path";

export interface Machine {
  platform: NodeJS.Platform;
  environment: Readonly<Record<string, string | undefined>>;
  home: string;
}

export interface WorkspaceState {
  /** Of this workspace alone. */
  folder: string;
  /** The shadow repository. */
  snapshots: string;
  /** One folder per run. */
  runs: string;
  journalOf(runId: string): string;
}

/** Notes about writes that are under way, of every workspace. */
export function pendingWrites(machine: Machine = thisMachine()): string {
  const path = machine.platform === "win32" ? win32 : posix;
  return path.join(stateFolder(machine), "writes");
}

export function thisMachine(): Machine {
  return { platform: process.platform, environment: process.env, home: homedir() };
}

/** The folder of all workspaces. */
export function stateFolder({ platform, environment, home }: Machine = thisMachine()): string {
  if (platform === "win32") {
    const local = environment["LOCALAPPDATA"];
    return win32.join(
      isSet(local) && win32.isAbsolute(local) ? local : win32.join(home, "AppData", "Local"),
      "Donegate",
    );
  }
  if (platform === "darwin") return posix.join(home, "Library", "Application Support", "Donegate");
  const configured = environment["XDG_STATE_HOME"];
  // The specification says to ignore a relative one.
  const base = isSet(configured) && posix.isAbsolute(configured) ? configured : posix.join(home, ".local", "state");
  return posix.join(base, "donegate");
}

/** `root` is the real path of a workspace: two ways to one folder are one workspace. */
export function workspaceState(root: string, machine: Machine = thisMachine()): WorkspaceState {
  const path = machine.platform === "win32" ? win32 : posix;
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
  const folder = path.join(stateFolder(machine), `${toFolderName(path.basename(root))}-${digest}`);
  const runs = path.join(folder, "runs");
  return {
    folder,
    snapshots: path.join(folder, "snapshots.git"),
    runs,
    journalOf: (runId) => path.join(runs, runId, "journal.jsonl"),
  };
}

/** For people to recognise; what tells workspaces apart is the digest. */
function toFolderName(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+/, "");
  return [...plain].slice(0, 40).join("") || "workspace";
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}
