import type { ZodType } from "zod";
import type { PathUse, Tag } from "../guardrails/verdict";
import type { Ledger } from "../plan/ledger";
import type { ToolPorts } from "./toolPorts";

export type ToolErrorCode =
  | "invalid-arguments"
  | "unknown-tool"
  | "not-found"
  | "conflict"
  | "changed-since-read"
  | "refused"
  | "command-failed"
  | "timeout"
  | "cancelled"
  | "unavailable"
  | "failed";

/** `output` and `message` are what the model reads. Expected failures are values; a throw is a bug and becomes `failed`. */
export type ToolResult =
  | {
      ok: true;
      output: string;
      /** All of it when `output` was cut to fit. */
      fullOutput?: string;
      /** What the ledger becomes, only from `todowrite`. */
      ledger?: Ledger;
      /** Files read whole or in part, with the digest of their bytes at that time. */
      reads?: readonly FileDigest[];
    }
  | { ok: false; code: ToolErrorCode; message: string; fullOutput?: string; exitCode?: number | null };

/** A file's bytes by digest; null means absent. `path` is relative to the root. */
export interface FileDigest {
  path: string;
  digest: string | null;
}

/** What a file tool is about to do, journaled before the act so that a resume can settle it from the disk. */
export interface FileIntent {
  path: string;
  before: string | null;
  after: string | null;
}

export interface ToolContext {
  callId: string;
  /** Absolute real path of the workspace root. */
  root: string;
  signal: AbortSignal;
  ports: ToolPorts;
  ledger: Ledger;
  /** The digest under which this run last read or wrote a file, undefined when it never did. */
  lastSeen(path: string): string | null | undefined;
  /**
   * Journals what is about to happen; resolves once it is on the disk. A tool tagged `write` or `command` calls it exactly once,
   * right before its first effect; for others the engine does.
   */
  begin(intent: { files?: readonly FileIntent[] }): Promise<void>;
  /** Journals a started process, so that a resume can end it. */
  processStarted(process: { pid: number; startedAt: number }): Promise<void>;
  /** Live output for views only. */
  progress(text: string): void;
}

/**
 * One tool. `args` validates strictly; what it answers is what is judged and what runs.
 * `defaultVerdict` counts when no rule has an opinion.
 */
export interface ToolDef<Args = never> {
  name: string;
  description: string;
  args: ZodType<Args>;
  /** JSON schema sent to the model. */
  parameters: Record<string, unknown>;
  tags: readonly Tag[];
  defaultVerdict: "allow" | "ask" | "prod";
  /** Files the call names. Empty when it names none. */
  paths(args: Args): readonly PathUse[];
  run(args: Args, context: ToolContext): Promise<ToolResult>;
}

/** A tool whose argument type has been closed over; what the registry and the engine hold. */
export type AnyToolDef = ToolDef<never>;
