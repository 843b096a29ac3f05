/**
 * How far an execution is kept apart: `view`: it sees the workspace and its writes are thrown away; `copy`: it runs in a
 * private copy; `detect`: it runs in the workspace itself, and what decides it is compared before and after.
 */
export type IsolationLevel = "view" | "copy" | "detect";

/** What one command sees instead of the machine as it is. Everything else can be read and not written. */
export interface CommandView {
  /** Absolute real path of the workspace; it has the same path inside. */
  root: string;
  /** `dropped`: writes below the root are gone with the command. `kept`: they reach the workspace. */
  writes: "kept" | "dropped";
  /** Absolute paths that are absent inside although they exist; only with `dropped`, and only below the root. */
  absent: readonly string[];
  /** Absolute paths that can be read and not written inside. */
  readOnly: readonly string[];
  /** Absolute folders and files that are empty inside. */
  empty: readonly string[];
  /** Absolute folder that keeps what is written into it, for reports; null for none. */
  out: string | null;
}

export interface Isolation {
  /** What this machine allows, found once by a real execution. `why` says what stands in the way of a view, else null. */
  probe(): Promise<{ level: IsolationLevel; why: string | null }>;
}
