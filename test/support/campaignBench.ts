// Plays the campaign's run once without a fault and remembers what the disk held at each boundary between two events; then
// goes back to any of them, as a new process would find it, and plays on with a fault. Files, git, commands, journal and
// model connection are the real ones.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Approver, JournaledEvent, Outcome, RunState, WorkspacePorts } from "../../extension/core";
import type { RunTuning } from "../../extension/core/agents/workspaceRun";
import type { JournalStore } from "../../extension/core/ports/journalStore";
import { FileJournalStore, type JournalHandle } from "../../extension/node/fileJournalStore";
import { TreeSitterGrammar } from "../../extension/node/treeSitterGrammar";
import { campaignFiles, campaignTurns, playCampaign, sharedFile } from "./campaignScript";
import type { ModelStep } from "./modelScript";
import { WorkspaceBench } from "./workspaceBench";

/** What a killed process leaves on the disk. */
export interface Checkpoint {
  /** Lines in the journal. */
  seq: number;
  /** Type of the line that comes next; null at the end. */
  next: string | null;
  journalBytes: number;
  head: string;
  files: ReadonlyMap<string, Buffer>;
}

export interface Ending {
  outcome: Pick<Outcome, "status" | "limit" | "verdict" | "attempts" | "plan" | "sealed"> & {
    checks: readonly string[];
  };
  /** SHA-256 by path. */
  files: Readonly<Record<string, string>>;
}

export type FaultKind = "kill" | "reload" | "full disk" | "changed by hand" | "reset" | "500" | "stall";

/** Only before a request of the model. */
export const serverFaults: Readonly<Partial<Record<FaultKind, ModelStep>>> = {
  reset: { kind: "sse", bytes: 'data: {"choices":[{"index":0,"delta":{"content":"Ne', end: "reset" },
  "500": { kind: "http", status: 500, body: { error: { message: "overloaded" } } },
  stall: { kind: "stall", first: ": wait\n\n" },
};

const approves: Approver = { decide: () => Promise.resolve({ decision: "approve", by: "Ada" }) };
const grammar = new TreeSitterGrammar();
const byHand = "by hand\n";
const retry = { maxAttempts: 4, firstWaitMs: 1, maxWaitMs: 1 };
/** Silence after which a server counts as stalled, where it is none of the faults and where it is. */
const patientMs = 20_000;
const stallMs = 300;

export class CampaignBench extends WorkspaceBench {
  protected override tuning: Omit<RunTuning, "listener"> = { retry, stallMs: patientMs };
  readonly #side = join(this.state, "journal.d");
  readonly #found: Checkpoint[] = [];
  #journal: Buffer = Buffer.alloc(0);
  #isRecording = false;
  #server: ModelStep | null = null;
  /** Lines that still fit on the disk. */
  #room = Infinity;

  constructor() {
    super();
    for (const [path, text] of Object.entries(campaignFiles)) this.put(path, text);
  }

  override ports(): WorkspacePorts {
    return { ...super.ports(), grammar };
  }

  override store(): JournalStore {
    const store = new FileJournalStore({ file: this.journal, wrapHandle: (handle) => this.#wrap(handle) });
    if (!this.#isRecording) return store;
    const append = store.append.bind(store);
    store.append = async (...line) => {
      this.#remember();
      await append(...line);
      this.#remember();
    };
    return store;
  }

  /** The undisturbed run. */
  async record(): Promise<{ ending: Ending; checkpoints: readonly Checkpoint[] }> {
    this.#isRecording = true;
    const script = (request: Parameters<typeof playCampaign>[0]): ModelStep | null => {
      const fault = this.#server;
      this.#server = null;
      return fault ?? playCampaign(request);
    };
    const started = await this.start(script, { budget: { maxTurns: 3 * campaignTurns }, kind: "edit" }, approves);
    await started.end();
    this.#isRecording = false;
    this.#journal = readFileSync(this.journal);
    const types = this.#journal
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    const checkpoints = this.#found
      .filter(({ seq }) => seq > 0)
      .map((found) => ({ ...found, next: types[found.seq] ?? null }));
    return { ending: await this.ending(), checkpoints };
  }

  /** Goes on from a checkpoint, meets the fault at the event after the resume, and goes on until the run has its end. */
  async survive(checkpoint: Checkpoint, kind: FaultKind): Promise<Ending> {
    this.#restore(checkpoint);
    this.#server = serverFaults[kind] ?? null;
    this.tuning = { retry, stallMs: kind === "stall" ? stallMs : patientMs };
    // The line of the resume still fits.
    this.#room = kind === "full disk" ? 1 : Infinity;
    const first = await this.resume([], approves);
    let seen = 0;
    first.run.subscribe({
      onEvent: () => {
        seen += 1;
        if (seen !== 2) return;
        if (kind === "reload") void first.run.leave();
        if (kind === "changed by hand") appendFileSync(join(this.root, sharedFile), byHand);
      },
    });
    let state = await first.end();
    if (kind === "full disk") this.#expectToldAndWhole(state);
    this.#room = Infinity;
    for (let more = 0; state.end?.status !== "done"; more += 1) {
      if (more === 3) throw new Error(`the run does not come to an end: ${JSON.stringify(state.end)}`);
      state = await (await this.resume([], approves)).end();
    }
    return this.ending();
  }

  /** How the end looks when a person has changed the shared file meanwhile: their bytes are there, and the agent's. */
  changedByHand({ outcome, files }: Ending): Ending {
    const text = this.#found.at(-1)?.files.get(sharedFile)?.toString("utf8") ?? "";
    return { outcome, files: { ...files, [sharedFile]: digest(Buffer.from(text + byHand)) } };
  }

  async ending(): Promise<Ending> {
    const { state, events } = await this.load();
    expectEachCallOnce(events);
    const { status, limit, verdict, attempts, plan, sealed, checks } = await this.outcome();
    const words = checks.map((check) => `${check.name} ${check.verdict}`);
    if (state.end === null) throw new Error("the run has no end");
    const files = [...this.#read()].map(([path, bytes]) => [path, digest(bytes)] as const);
    return {
      outcome: { status, limit, verdict, attempts, plan, sealed, checks: words },
      files: Object.fromEntries(files),
    };
  }

  #remember(): void {
    const text = existsSync(this.journal) ? readFileSync(this.journal) : Buffer.alloc(0);
    const head = join(this.#side, "head");
    const files = this.#read();
    const seq = text.filter((byte) => byte === 10).length;
    const last = this.#found.at(-1);
    if (last?.seq === seq && isSame(last.files, files)) return;
    this.#found.push({
      seq,
      next: null,
      journalBytes: text.length,
      head: existsSync(head) ? readFileSync(head, "utf8") : "",
      files,
    });
  }

  #restore({ files, journalBytes, head }: Checkpoint): void {
    for (const name of readdirSync(this.root)) rmSync(join(this.root, name), { recursive: true });
    for (const [path, bytes] of files) {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), bytes);
    }
    writeFileSync(this.journal, this.#journal.subarray(0, journalBytes));
    writeFileSync(join(this.#side, "head"), head);
    rmSync(join(this.#side, "lock"), { force: true });
  }

  #read(): Map<string, Buffer> {
    const names = readdirSync(this.root, { recursive: true, withFileTypes: true });
    const paths = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return new Map(paths.sort().map((path) => [relative(this.root, path), readFileSync(path)]));
  }

  #expectToldAndWhole({ end }: RunState): void {
    if (end?.status !== "error" || !end.stoppedBy.includes("the disk is full"))
      throw new Error(`a full disk is not told: ${JSON.stringify(end)}`);
    if (!readFileSync(this.journal, "utf8").endsWith("}\n")) throw new Error("a full disk left half a line");
  }

  /** A disk that takes only a part of the line for which it has no room. */
  #wrap(handle: FileHandle): JournalHandle {
    const write = async (bytes: Uint8Array, at: number, length: number): Promise<unknown> => {
      if (this.#room === 0) {
        this.#room = -1;
        return handle.write(bytes, at, length >> 1);
      }
      if (this.#room < 0) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      this.#room -= 1;
      return handle.write(bytes, at, length);
    };
    return {
      write: write as unknown as FileHandle["write"],
      datasync: () => handle.datasync(),
      sync: () => handle.sync(),
      truncate: (length) => handle.truncate(length),
      stat: (() => handle.stat()) as FileHandle["stat"],
      read: ((...read: [Buffer, number, number, number]) => handle.read(...read)) as FileHandle["read"],
      close: () => handle.close(),
    };
  }
}

/** The harness starts no call twice, and ends none twice. */
function expectEachCallOnce(events: readonly JournaledEvent[]): void {
  for (const type of ["tool_start", "tool_end"] as const) {
    const ids = events.flatMap((event) => (event.type === type ? [event.callId] : []));
    const twice = ids.filter((id, at) => ids.indexOf(id) !== at);
    if (twice.length > 0) throw new Error(`${type} twice: ${twice.join(", ")}`);
  }
}

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

function isSame(one: ReadonlyMap<string, Buffer>, other: ReadonlyMap<string, Buffer>): boolean {
  return one.size === other.size && [...one].every(([path, bytes]) => other.get(path)?.equals(bytes) === true);
}
