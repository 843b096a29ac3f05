// One open transcript without an editor: a run whose events the test adds, and a page that keeps what it was sent.
import type { Event, JournaledEvent } from "../../extension/core/journal/event";
import type { Command, CommandAnswer } from "../../extension/core/loop/command";
import { decideCommand } from "../../extension/core/loop/decideCommand";
import type { Signal } from "../../extension/core/loop/signal";
import type { RunEntry } from "../../extension/host/runs";
import type { RequestRef } from "../../extension/host/projections/row";
import type { RunsOfTranscript } from "../../extension/host/transcript/transcriptHandlers";
import { TranscriptSession } from "../../extension/host/transcript/transcriptSession";
import type { ToHost, ToWebview, ToWebviewOf, ToWebviewType } from "../../extension/protocol/webviewMessages";
import { entryOf } from "./editorRuns";
import { firstMoment, folded, journaled } from "./journaled";

export class TranscriptBench {
  readonly posted: ToWebview[] = [];
  readonly warnings: string[] = [];
  readonly sent: Command[] = [];
  readonly resumed: (string | undefined)[] = [];
  readonly opened: string[] = [];
  readonly reviewed: RequestRef[] = [];
  readonly outputs = new Map<string, string>();
  readonly session: TranscriptSession;
  #added: Event[] = [];
  #entry: Partial<RunEntry> = {};
  #isKnown = true;
  readonly #changeListeners = new Set<(entry: RunEntry) => void>();
  readonly #signalListeners = new Set<(id: string, signal: Signal) => void>();

  constructor(...events: readonly Event[]) {
    this.#added = [...events];
    this.session = new TranscriptSession({
      runs: this.#runs(),
      run: "R1",
      post: (message) => this.posted.push(structuredClone(message)),
      actions: {
        by: "Ada",
        review: async (request) => void this.reviewed.push(request),
        openJournal: async (journal) => void this.opened.push(journal),
        openText: async (_title, text) => void this.opened.push(text),
        openFile: async (root, path) => void this.opened.push(`${root}/${path}`),
      },
      warn: (text) => this.warnings.push(text),
      now: () => Date.now(),
    });
  }

  events(): JournaledEvent[] {
    return journaled(...this.#added);
  }

  add(...events: readonly Event[]): void {
    this.#added.push(...events);
    this.#tell();
  }

  change(change: Partial<RunEntry>): void {
    this.#entry = { ...this.#entry, ...change };
    this.#tell();
  }

  forget(): void {
    this.#isKnown = false;
  }

  signal(signal: Signal): void {
    for (const listener of this.#signalListeners) listener("R1", signal);
  }

  /** As the page says it; the answer to a request is what came back for it. */
  async say(message: ToHost): Promise<string | null | undefined> {
    await this.session.receive(message);
    if (message.type === "ready") return undefined;
    return this.all("answered").findLast(({ request }) => request === message.request)?.refusal;
  }

  all<K extends ToWebviewType>(type: K): ToWebviewOf<K>[] {
    return this.posted.filter((message): message is ToWebviewOf<K> => message.type === type);
  }

  #find(): RunEntry {
    return entryOf({ state: folded(this.events()), ...this.#entry });
  }

  #tell(): void {
    for (const listener of this.#changeListeners) listener(this.#find());
  }

  #runs(): RunsOfTranscript {
    return {
      find: (id) => (id === "R1" && this.#isKnown ? this.#find() : null),
      open: async (id) => (id === "R1" && this.#isKnown ? this.#find() : null),
      events: () => this.events(),
      readOutput: async (_id, reference) => this.outputs.get(reference) ?? null,
      onDidChange: (listener) => listen(this.#changeListeners, listener),
      onSignal: (listener) => listen(this.#signalListeners, listener),
      send: async (_id, command) => this.#send(command),
      resume: async (id, message) => {
        this.resumed.push(message);
        return { ok: true, id, queued: false };
      },
    };
  }

  #send(command: Command): CommandAnswer {
    this.sent.push(command);
    if (command.type === "stop" || command.type === "close") return { ok: true };
    const decided = decideCommand(this.#find().state, command, firstMoment);
    if (decided.ok) this.add(...decided.events);
    return decided.ok ? { ok: true } : decided;
  }
}

function listen<T>(listeners: Set<T>, listener: T): { dispose(): void } {
  listeners.add(listener);
  return { dispose: () => listeners.delete(listener) };
}
