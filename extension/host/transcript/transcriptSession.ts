// One open transcript: what it posts and when. Knows no editor, so that its order of messages can be tested without one.
import type { ToWebview } from "../../protocol/webviewMessages";
import { parseToHost } from "../../protocol/webviewMessages";
import { toTranscriptView, type LivePart } from "../projections/transcriptView";
import type { Disposable } from "../runs";
import { createCoalescer, type Coalescer } from "../views/coalesce";
import { LiveSignals } from "./liveSignals";
import { createTranscriptHandlers, type RunsOfTranscript, type TranscriptActions } from "./transcriptHandlers";

const leastGapMs = 100;
const entriesAtOnce = 200;
const mostEntries = 2_000;

export interface TranscriptSessionParts {
  runs: RunsOfTranscript;
  run: string;
  /** The page gets nothing before it said that it listens, and nothing while it is hidden. */
  post(message: ToWebview): void;
  actions: TranscriptActions;
  /** A message that the page should not have sent. */
  warn(text: string): void;
  now(): number;
}

interface Posted {
  live: LivePart;
}

export class TranscriptSession implements Disposable {
  readonly #signals = new LiveSignals();
  readonly #flusher: Coalescer = createCoalescer(() => this.#flush(), leastGapMs);
  readonly #listeners: readonly Disposable[];
  readonly #handlers;
  #isListening = false;
  #isVisible = true;
  #isStale = true;
  #version = 0;
  #most = entriesAtOnce;
  #posted: Posted | null = null;

  constructor(private readonly parts: TranscriptSessionParts) {
    const { runs, run } = parts;
    this.#handlers = createTranscriptHandlers({
      ...parts,
      onReady: () => this.#begin(),
      showEarlier: () => this.#showEarlier(),
    });
    this.#listeners = [
      runs.onDidChange((entry) => {
        if (entry.id === run) this.#change();
      }),
      runs.onSignal((id, signal) => {
        if (id !== run) return;
        this.#signals.take(signal);
        this.#flusher.request();
      }),
    ];
  }

  /** Whatever the page says; what cannot be read is dropped. */
  async receive(raw: unknown): Promise<void> {
    const parsed = parseToHost(raw);
    if (!parsed.ok) return this.parts.warn(`dropped a message of the transcript: ${parsed.problem}`);
    const message = parsed.value;
    const refusal = await (this.#handlers[message.type] as (value: typeof message) => Promise<string | null>)(message);
    if (message.type !== "ready") this.#post({ type: "answered", request: message.request, refusal });
  }

  /** A hidden page is thrown away; shown again it says that it listens and gets the newest picture. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    if (!isVisible) this.#isListening = false;
  }

  dispose(): void {
    this.#isListening = false;
    this.#flusher.dispose();
    for (const listener of this.#listeners) listener.dispose();
  }

  async #begin(): Promise<void> {
    this.#isListening = true;
    this.#isStale = true;
    if ((await this.parts.runs.open(this.parts.run)) === null) {
      this.#post({
        type: "gone",
        message: "This run is not here any more: its journal is gone, or its folder is not open.",
      });
      return;
    }
    this.#flusher.request();
  }

  #change(): void {
    this.#isStale = true;
    this.#flusher.request();
  }

  async #showEarlier(): Promise<void> {
    this.#most = Math.min(this.#most + entriesAtOnce, mostEntries);
    this.#change();
  }

  #flush(): void {
    if (!this.#isListening || !this.#isVisible) return;
    const live = this.#signals.part();
    const before = this.#posted?.live ?? null;
    if (this.#isStale || before === null || !continues(before, live)) return this.#postSnapshot();
    this.#postDelta(before, live);
    this.#postProgress(before, live);
    this.#posted = { live };
  }

  #postSnapshot(): void {
    const { runs, run } = this.parts;
    const entry = runs.find(run);
    if (entry === null) return;
    const events = runs.events(run);
    for (const event of events.slice(-50)) {
      if (event.type === "tool_end") this.#signals.forgetCall(event.callId);
      if (event.type === "check_end" || event.type === "verification_end") this.#signals.forgetCheck();
    }
    const live = this.#signals.part();
    this.#isStale = false;
    this.#version += 1;
    this.#posted = { live };
    const view = toTranscriptView(entry, events, live, this.#most);
    this.#post({ type: "snapshot", version: this.#version, now: this.parts.now(), view });
  }

  #postDelta(before: LivePart, { live }: LivePart): void {
    if (live === null || before.live === null || live.text.length === before.live.text.length) return;
    const at = before.live.text.length;
    const { turn } = live;
    this.#post({ type: "delta", version: this.#version, turn, at, text: live.text.slice(at) });
  }

  #postProgress(before: LivePart, { progress, runningCheck }: LivePart): void {
    const isSame = JSON.stringify(before.progress) === JSON.stringify(progress) && before.runningCheck === runningCheck;
    if (!isSame) this.#post({ type: "progress", version: this.#version, progress: { ...progress }, runningCheck });
  }

  #post(message: ToWebview): void {
    if (this.#isListening && this.#isVisible) this.parts.post(message);
  }
}

/** A delta can only add to the text that the page has. */
function continues(before: LivePart, after: LivePart): boolean {
  if (after.live === null || before.live === null) return after.live === before.live;
  const { turn, text, isReasoning } = before.live;
  return after.live.turn === turn && after.live.isReasoning === isReasoning && after.live.text.startsWith(text);
}
