// The runs as everything in the editor holds them from the start. What drives them is loaded by the first command, by a
// view that is looked at, or because something waits.
import type { JournaledEvent } from "../core/journal/event";
import type { Command, CommandAnswer } from "../core/loop/command";
import type { Signal } from "../core/loop/signal";
import type { Disposable, RunEntry, RunNotice, Runs, RunWish, StartAnswer, VerifyReport, ExplainReport } from "./runs";

export class LazyRuns implements Runs {
  readonly #changes = new Set<(entry: RunEntry) => void>();
  readonly #signals = new Set<(id: string, signal: Signal) => void>();
  readonly #notices = new Set<(notice: RunNotice) => void>();
  #making: Promise<Runs> | null = null;
  #made: Runs | null = null;

  /** `onError` hears what a listener threw: one broken view must not stop the others. */
  constructor(
    private readonly make: () => Promise<Runs>,
    private readonly onError: (error: unknown) => void,
  ) {}

  async load(): Promise<void> {
    await (await this.#get()).load();
  }

  entries(): readonly RunEntry[] {
    return this.#made?.entries() ?? [];
  }

  find(id: string): RunEntry | null {
    return this.#made?.find(id) ?? null;
  }

  current(): RunEntry | null {
    return this.#made?.current() ?? null;
  }

  async open(id: string): Promise<RunEntry | null> {
    return (await this.#loaded()).open(id);
  }

  events(id: string): readonly JournaledEvent[] {
    return this.#made?.events(id) ?? [];
  }

  async readOutput(id: string, reference: string): Promise<string | null> {
    return (await this.#loaded()).readOutput(id, reference);
  }

  onDidChange(listener: (entry: RunEntry) => void): Disposable {
    return listen(this.#changes, listener);
  }

  onSignal(listener: (id: string, signal: Signal) => void): Disposable {
    return listen(this.#signals, listener);
  }

  onNotice(listener: (notice: RunNotice) => void): Disposable {
    return listen(this.#notices, listener);
  }

  async start(wish: RunWish): Promise<StartAnswer> {
    return (await this.#loaded()).start(wish);
  }

  async startLeft(id: string): Promise<StartAnswer> {
    return (await this.#loaded()).startLeft(id);
  }

  async dropLeft(id: string): Promise<void> {
    await (await this.#loaded()).dropLeft(id);
  }

  async resume(id: string, message?: string): Promise<StartAnswer> {
    return (await this.#loaded()).resume(id, message);
  }

  async send(id: string, command: Command): Promise<CommandAnswer> {
    return (await this.#loaded()).send(id, command);
  }

  async takeOver(id: string): Promise<StartAnswer> {
    return (await this.#loaded()).takeOver(id);
  }

  async verifyNow(folder: string): Promise<VerifyReport> {
    return (await this.#loaded()).verifyNow(folder);
  }

  async explainCommand(folder: string, command: string): Promise<ExplainReport> {
    return (await this.#get()).explainCommand(folder, command);
  }

  /** Loads nothing: what was never loaded drives nothing. */
  async leave(): Promise<void> {
    await (await this.#making)?.leave();
  }

  dispose(): void {
    this.#made?.dispose();
    for (const listeners of [this.#changes, this.#signals, this.#notices]) listeners.clear();
  }

  async #loaded(): Promise<Runs> {
    const runs = await this.#get();
    await runs.load();
    return runs;
  }

  #get(): Promise<Runs> {
    this.#making ??= this.#makeNow().catch((error: unknown) => {
      // The next one who needs them tries again.
      this.#making = null;
      throw error;
    });
    return this.#making;
  }

  async #makeNow(): Promise<Runs> {
    const runs = await this.make();
    runs.onDidChange((entry) => this.#tell(this.#changes, (listener) => listener(entry)));
    runs.onSignal((id, signal) => this.#tell(this.#signals, (listener) => listener(id, signal)));
    runs.onNotice((notice) => this.#tell(this.#notices, (listener) => listener(notice)));
    this.#made = runs;
    return runs;
  }

  #tell<T>(listeners: ReadonlySet<T>, call: (listener: T) => void): void {
    for (const listener of [...listeners]) {
      try {
        call(listener);
      } catch (error: unknown) {
        this.onError(error);
      }
    }
  }
}

function listen<T>(listeners: Set<T>, listener: T): Disposable {
  listeners.add(listener);
  return { dispose: () => listeners.delete(listener) };
}
