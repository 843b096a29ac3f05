// The runs of the open folders: those this window drives, those it watches, and those that lie in their journals.
import type { JournaledEvent } from "../core/journal/event";
import type { RunState } from "../core/journal/runState";
import { pendingApprovals } from "../core/journal/runState";
import type { Command, CommandAnswer } from "../core/loop/command";
import type { Signal } from "../core/loop/signal";
import { RunEntries } from "./liveRunsEntries";
import { RunJournals } from "./liveRunsJournals";
import { modeOf, toOpening } from "./liveRunsOpening";
import { readAcceptedConfig, startRun, type RunSurroundings } from "./liveRunsStart";
import { QueuedRuns, type QueuedRun } from "./queuedRuns";
import type { DrivenRun, Driving, Opening, RunEngine } from "./runEngine";
import type {
  Disposable,
  RunEntry,
  RunNotice,
  Runs,
  RunWish,
  StartAnswer,
  StartRefusal,
  VerifyReport,
  ExplainReport,
} from "./runs";
import { failed, refuse, restricted, shorten } from "./startRefusals";

/** Other processes write histories too: whoever asks later than this gets them read again. */
const reloadAfterMs = 3_000;

const editorPerson = "person in the editor";

interface Driven extends DrivenRun {
  root: string;
  /** Resolves when the journal is closed and its lock released. */
  closed: Promise<void>;
  isLeft: boolean;
}

export class LiveRuns implements Runs {
  readonly #entries: RunEntries;
  readonly #journals: RunJournals;
  readonly #driven = new Map<string, Driven>();
  /** Roots on which a run is being started, driven or closed. */
  readonly #busy = new Map<string, string>();
  readonly #queue: QueuedRuns;
  readonly #signalListeners = new Set<(id: string, signal: Signal) => void>();
  readonly #noticeListeners = new Set<(notice: RunNotice) => void>();
  /** One opening per run at a time, so that two clicks cannot both resume it. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #loading: Promise<void> | null = null;
  #loadedAt = 0;
  #isDisposed = false;

  constructor(
    private readonly engine: RunEngine,
    private readonly around: RunSurroundings,
  ) {
    this.#queue = new QueuedRuns(engine.queue);
    this.#entries = new RunEntries((error) => around.onError(error));
    this.#journals = new RunJournals(engine, this.#entries, (id) => this.#driven.has(id));
  }

  load(): Promise<void> {
    const now = performance.now();
    if (this.#loading !== null && now - this.#loadedAt < reloadAfterMs) return this.#loading;
    this.#loadedAt = now;
    const loading = this.#readHistories().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    this.#loading = loading;
    return loading;
  }

  async #readHistories(): Promise<void> {
    for (const folder of this.around.folders()) {
      const root = await this.engine.realRoot(folder);
      if (root === null) continue;
      for (const found of await this.engine.list(root)) await this.#journals.take(found);
      for (const { id, wish } of await this.#queue.newlyLeft(root)) {
        const message = `"${shorten(wish.goal)}" was waiting for its turn when the window closed. It has not begun.`;
        this.#notice("queued-left", id, message);
      }
    }
  }

  entries(): readonly RunEntry[] {
    return this.#entries.all();
  }

  find(id: string): RunEntry | null {
    return this.#entries.find(id);
  }

  current(): RunEntry | null {
    const all = this.entries();
    const waits = (entry: RunEntry): boolean => entry.mode === "paused" && pendingApprovals(entry.state).length > 0;
    return all.find((entry) => entry.mode === "live") ?? all.find(waits) ?? all[0] ?? null;
  }

  async open(id: string): Promise<RunEntry | null> {
    const entry = this.find(id);
    if (entry === null || entry.whole) return entry;
    await this.#journals.reread(id);
    return this.find(id);
  }

  onDidChange(listener: (entry: RunEntry) => void): Disposable {
    return this.#entries.listen(listener);
  }

  onSignal(listener: (id: string, signal: Signal) => void): Disposable {
    this.#signalListeners.add(listener);
    return { dispose: () => this.#signalListeners.delete(listener) };
  }

  events(id: string): readonly JournaledEvent[] {
    return this.#journals.events(id);
  }

  async readOutput(id: string, reference: string): Promise<string | null> {
    const entry = this.find(id);
    return entry === null ? null : this.engine.readOutput(entry.journal, reference);
  }

  onNotice(listener: (notice: RunNotice) => void): Disposable {
    this.#noticeListeners.add(listener);
    return { dispose: () => this.#noticeListeners.delete(listener) };
  }

  async start(wish: RunWish): Promise<StartAnswer> {
    if (!this.around.isTrusted()) return restricted;
    const root = await this.engine.realRoot(wish.folder);
    if (root === null) return refuse("folder", `the folder ${wish.folder} is not there any more`);
    const id = this.engine.newRunId();
    if (this.#busy.has(root)) return this.#enqueue({ id, root, wish });
    this.#busy.set(root, id);
    const started = await this.#startNow(id, root, wish).catch((error: unknown) => failed(error));
    if (!started.ok) this.#free(root);
    return started;
  }

  async startLeft(id: string): Promise<StartAnswer> {
    const queued = await this.#queue.takeLeft(id);
    return queued === null ? refuse("nothing-to-do", "this run does not wait any more") : this.start(queued.wish);
  }

  async dropLeft(id: string): Promise<void> {
    await this.#queue.takeLeft(id);
  }

  async resume(id: string, message?: string): Promise<StartAnswer> {
    const said = message?.trim() ?? "";
    const driven = this.#driven.get(id);
    if (driven !== undefined && driven.run.state().end === null && !driven.isLeft) {
      if (said !== "") await driven.run.send({ type: "steer", text: said, by: editorPerson });
      return { ok: true, id, queued: false };
    }
    return this.#resumeWith(id, (state) => {
      if (state.end?.status === "done" && said === "") {
        return { ok: false, message: "this run is done: say what has to be done next, or start a new run" };
      }
      return { ok: true, events: said === "" ? [] : [{ type: "human_message", text: said, by: editorPerson }] };
    });
  }

  async send(id: string, command: Command): Promise<CommandAnswer> {
    const driven = this.#driven.get(id);
    if (driven !== undefined && driven.run.state().end === null && !driven.isLeft) return driven.run.send(command);
    const entry = this.find(id);
    if (entry === null) return { ok: false, reason: `there is no run ${id} here` };
    if (entry.mode === "unreadable") return { ok: false, reason: entry.problem ?? "its journal cannot be read" };
    if (entry.mode === "ended" && command.type !== "steer") {
      return { ok: false, reason: `the run has ended (${entry.state.end?.status ?? "unknown"})` };
    }
    const resumed = await this.#resumeWith(id, (state, now) => toOpening(state, command, now), command);
    return resumed.ok ? { ok: true } : { ok: false, reason: resumed.message };
  }

  async takeOver(id: string): Promise<StartAnswer> {
    const entry = this.find(id);
    if (entry === null) return refuse("journal", `there is no run ${id} here`);
    if (entry.mode === "live") return { ok: true, id, queued: false };
    if (!this.around.isTrusted()) return restricted;
    if (this.#busy.has(entry.root)) return this.#refuseBusy(entry.root);
    const asked = await this.engine.askToLeave(entry.journal);
    if (!asked.ok) return refuse("held", asked.message);
    await this.#journals.reread(id);
    const { end } = this.find(id)?.state ?? { end: null };
    // It came to its end while it was asked for: nothing is left to go on with.
    if (end !== null && end.status !== "pending") return { ok: true, id, queued: false };
    return this.#resumeWith(id, () => ({ ok: true, events: [] }));
  }

  async verifyNow(folder: string): Promise<VerifyReport> {
    if (!this.around.isTrusted()) return restricted;
    const root = await this.engine.realRoot(folder);
    if (root === null) return refuse("folder", `the folder ${folder} is not there any more`);
    await this.load();
    const config = await readAcceptedConfig(this.engine, this.around, root);
    if (!config.ok) return config;
    const newest = this.entries().find((entry) => entry.root === root);
    const plan = newest === undefined ? null : ((await this.open(newest.id))?.state.plan ?? null);
    return this.engine.verify({ root, config: config.config, plan }, new AbortController().signal);
  }

  async explainCommand(folder: string, command: string): Promise<ExplainReport> {
    if (!this.around.isTrusted()) return restricted;
    const root = await this.engine.realRoot(folder);
    if (root === null) return refuse("folder", `the folder ${folder} is not there any more`);
    const read = await this.engine.readConfig(root);
    if (!read.ok) return read;
    const answer = await this.engine.explain({
      root,
      config: read.file,
      userRules: this.around.settings().guardrails,
      command,
    });
    return answer.ok ? { ...answer, config: read.file?.path ?? null } : answer;
  }

  async leave(): Promise<void> {
    this.#isDisposed = true;
    await Promise.all([...this.#driven.values()].map((driven) => this.#leave(driven)));
    this.dispose();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#journals.dispose();
    this.#signalListeners.clear();
    this.#noticeListeners.clear();
    this.#entries.dispose();
  }

  async #startNow(id: string, root: string, wish: RunWish): Promise<StartAnswer> {
    const held = await this.#heldElsewhere(root);
    if (held !== null) return held;
    const driving = await startRun(this.engine, this.around, { id, root, wish });
    if (!driving.ok) return driving;
    this.#drive(driving.driven, root);
    return { ok: true, id, queued: false };
  }

  /** A run of the same folder that another process drives; two agents on one tree would judge each other's work. */
  async #heldElsewhere(root: string): Promise<StartRefusal | null> {
    const found = await this.engine.list(root);
    const held = found.find((run) => run.isOpen && run.holder !== null);
    const holder = held?.holder ?? null;
    if (held === undefined || holder === null) return null;
    await this.#journals.take(held);
    const message = `another window or terminal (process ${holder.pid}) runs "${shorten(held.state.spec?.goal ?? held.id)}" on this folder: wait until it has ended, or take it over`;
    return refuse("held", message);
  }

  #resumeWith(
    id: string,
    decide: (state: RunState, now: number) => Opening,
    command: Command | null = null,
  ): Promise<StartAnswer> {
    const before = this.#turns.get(id) ?? Promise.resolve();
    const turn = before.then(() => this.#resumeNow(id, decide, command)).catch((error: unknown) => failed(error));
    this.#turns.set(id, turn);
    return turn;
  }

  async #resumeNow(
    id: string,
    decide: (state: RunState, now: number) => Opening,
    command: Command | null,
  ): Promise<StartAnswer> {
    const driven = this.#driven.get(id);
    if (driven !== undefined && driven.run.state().end === null && !driven.isLeft) {
      // An earlier click has resumed it meanwhile: this one is a command to a live run.
      const sent = command === null ? { ok: true as const } : await driven.run.send(command);
      return sent.ok ? { ok: true, id, queued: false } : refuse("nothing-to-do", sent.reason);
    }
    if (!this.around.isTrusted()) return restricted;
    await driven?.closed;
    // Its holder may have gone since the last look.
    if (this.find(id)?.mode === "watching") await this.#journals.reread(id);
    const entry = this.find(id);
    if (entry === null) return refuse("journal", `there is no run ${id} here`);
    if (entry.mode === "unreadable") return refuse("journal", entry.problem ?? "its journal cannot be read");
    if (entry.mode === "watching" && entry.holder !== null) {
      return refuse("held", `another window (process ${entry.holder.pid}) drives this run: take it over first`);
    }
    if (this.#busy.has(entry.root)) return this.#refuseBusy(entry.root);
    this.#busy.set(entry.root, id);
    const driving = await this.#resumeEntry(entry, decide).catch((error: unknown) => failed(error));
    if (driving.ok) this.#drive(driving.driven, entry.root);
    else {
      this.#free(entry.root);
      if (driving.code === "held") await this.#journals.reread(id);
    }
    return driving.ok ? { ok: true, id, queued: false } : driving;
  }

  #resumeEntry(entry: RunEntry, decide: (state: RunState, now: number) => Opening): Promise<Driving> {
    return this.engine.resume(entry.journal, {
      by: editorPerson,
      decide,
      model: (spec, state) =>
        this.around.chooseModelAgain({
          model: spec.model,
          endpoint: spec.endpoint,
          failed: state.modelFailure !== null,
        }),
    });
  }

  #refuseBusy(root: string): StartRefusal {
    const other = this.find(this.#busy.get(root) ?? "");
    const goal = other === null ? "" : ` ("${shorten(other.state.spec?.goal ?? other.id)}")`;
    return refuse("busy", `another run${goal} works on this folder: stop it, or wait until it has ended`);
  }

  #drive(opened: DrivenRun, root: string): void {
    const { id, run } = opened;
    const driven: Driven = { ...opened, root, isLeft: false, closed: Promise.resolve() };
    this.#driven.set(id, driven);
    this.#entries.set({
      ...{ id, root, journal: opened.journal, mode: "live", state: run.state(), whole: true },
      startedAt: this.find(id)?.startedAt ?? new Date().toISOString(),
      problem: null,
      holder: null,
      stale: null,
    });
    if (opened.tornBytes > 0) {
      this.#notice("torn", id, `the journal's last line was torn: ${opened.tornBytes} bytes are set aside beside it`);
    }
    const events = [...opened.earlier];
    this.#journals.hold(id, events);
    run.subscribe({
      onEvent: (event, state) => {
        events.push(event);
        this.#entries.change(id, { state, mode: modeOf(state, "live") });
      },
      onSignal: (signal) => {
        for (const listener of this.#signalListeners) listener(id, signal);
      },
    });
    opened.onAskedToLeave(() => void this.#handOver(driven));
    driven.closed = this.#close(driven).catch((error: unknown) => this.around.onError(error));
  }

  /** Waits for the run's end and gives everything back. */
  async #close(driven: Driven): Promise<void> {
    const { id, root, run } = driven;
    const state = await run.settled;
    const stale = driven.isLeft ? null : await driven.isStale().catch(() => true);
    const survivors = await driven.end();
    if (survivors.length > 0) {
      this.#notice("survivors", id, `processes that could not be ended: ${survivors.join(", ")}`);
    }
    if (this.#driven.get(id) === driven) this.#driven.delete(id);
    this.#entries.change(id, { state, stale, mode: modeOf(state, "paused") });
    this.#free(root);
  }

  async #leave(driven: Driven): Promise<void> {
    driven.isLeft = true;
    await driven.run.leave();
    await driven.closed;
  }

  async #handOver(driven: Driven): Promise<void> {
    await this.#leave(driven);
    this.#notice("taken-over", driven.id, "another window has taken this run over; this one watches it now");
    this.#journals.watch(driven.id);
  }

  async #enqueue(queued: QueuedRun): Promise<StartAnswer> {
    try {
      await this.#queue.add(queued);
    } catch (error: unknown) {
      return failed(error);
    }
    // The folder may have become free meanwhile.
    void this.#startNext(queued.root);
    return { ok: true, id: queued.id, queued: true };
  }

  /** The root is free again: the next queued run begins. */
  #free(root: string): void {
    this.#busy.delete(root);
    void this.#startNext(root);
  }

  async #startNext(root: string): Promise<void> {
    if (this.#busy.has(root) || this.#isDisposed) return;
    const next = await this.#queue.next(root).catch((error: unknown) => {
      this.around.onError(error);
      return null;
    });
    if (next !== null) await this.#startQueued(next);
  }

  async #startQueued({ id, root, wish }: QueuedRun): Promise<void> {
    // Somebody was quicker, or the window closes: it goes back to its place.
    if (this.#busy.has(root) || this.#isDisposed) return this.#queue.add({ id, root, wish });
    this.#busy.set(root, id);
    const started = await this.#startNow(id, root, wish).catch((error: unknown) => failed(error));
    if (started.ok) return;
    this.#notice("queued-refused", id, `"${shorten(wish.goal)}" was not started: ${started.message}`);
    this.#free(root);
  }

  #notice(kind: RunNotice["kind"], id: string, message: string): void {
    for (const listener of this.#noticeListeners) listener({ kind, id, message });
  }
}
