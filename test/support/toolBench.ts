import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CheckResult } from "../../extension/core/gate/checkResult";
import { emptyLedger } from "../../extension/core/plan/ledger";
import { parseArguments } from "../../extension/core/tools/parseArguments";
import type { AnyToolDef, FileIntent, ToolResult } from "../../extension/core/tools/toolDef";
import { NodeCommandRunner } from "../../extension/node/nodeCommandRunner";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { NodeWorkspaceFiles } from "../../extension/node/nodeWorkspaceFiles";
import { RipgrepSearch } from "../../extension/node/ripgrepSearch";

/** What a tool told the journal, in order. */
export type Told = { told: "begin"; files: readonly FileIntent[] | null } | { told: "process"; pid: number };

/**
 * One tool at a time on a real folder with the real adapters. Keeps `lastSeen` as the engine does and, as the engine would,
 * refuses a second `begin` and a process before one.
 */
export class ToolBench {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "donegate-tools-")));
  readonly told: Told[] = [];
  readonly seen = new Map<string, string | null>();
  readonly stop = new AbortController();
  hidden: readonly string[] = [];
  ledger = emptyLedger;
  checks: readonly CheckResult[] | null = null;
  /** Runs between what a tool read and what it writes. */
  onBegin: () => void = () => undefined;
  private readonly hasher = new NodeHasher();
  private readonly files = new NodeWorkspaceFiles();
  private readonly commands = new NodeCommandRunner({ runTag: "tool-bench" });
  private readonly search = new RipgrepSearch();

  async call(tool: AnyToolDef, args: unknown): Promise<ToolResult> {
    const parsed = parseArguments(tool, args);
    if (!parsed.ok) return { ok: false, code: "invalid-arguments", message: parsed.message };
    this.told.length = 0;
    const result = await tool.run(parsed.args, this.context());
    if (result.ok) this.remember(result);
    return result;
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), content);
  }

  bytes(path: string): Buffer {
    return readFileSync(join(this.root, path));
  }

  digest(path: string): string {
    return this.hasher.sha256(this.bytes(path));
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private context(): Parameters<AnyToolDef["run"]>[1] {
    return {
      callId: "call_1",
      root: this.root,
      signal: this.stop.signal,
      ports: {
        files: this.files,
        commands: this.commands,
        search: this.search,
        hasher: this.hasher,
        isHidden: (path) => this.hidden.some((name) => path === name || path.startsWith(`${name}/`)),
        runChecks: async (name) => this.checks?.filter((check) => name === null || check.name === name) ?? null,
      },
      ledger: this.ledger,
      lastSeen: (path) => this.seen.get(path),
      begin: async ({ files }) => {
        if (this.told.length > 0) throw new Error("begin was called twice, or after a process");
        this.told.push({ told: "begin", files: files ?? null });
        this.onBegin();
      },
      processStarted: async ({ pid }) => {
        if (this.told.length === 0) throw new Error("a process was started before begin");
        this.told.push({ told: "process", pid });
      },
      progress: () => undefined,
    };
  }

  private remember(result: Extract<ToolResult, { ok: true }>): void {
    for (const read of result.reads ?? []) this.seen.set(read.path, read.digest);
    const begun = this.told[0];
    for (const file of begun?.told === "begin" ? (begun.files ?? []) : []) this.seen.set(file.path, file.after);
    if (result.ledger !== undefined) this.ledger = result.ledger;
  }
}

/** The text the model reads, whatever the result. */
export function textOf(result: ToolResult): string {
  return result.ok ? result.output : result.message;
}
