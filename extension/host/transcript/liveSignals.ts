// What signals say about right now: shown, forgotten when the journal has caught up, never folded.
import type { Signal } from "../../core/loop/signal";
import type { LivePart } from "../projections/transcriptView";
import { cutText, showLine, showProse } from "../projections/transcriptText";

/** More of a reply is shown once it is whole; it is cut there as well. */
const longestText = 12_000;
const longestLine = 200;

export class LiveSignals {
  #turn = 0;
  #text = "";
  #isReasoning = false;
  #progress = new Map<string, string>();
  #runningCheck: string | null = null;

  take(signal: Signal): void {
    this.#takers[signal.type](signal as never);
  }

  /** The journal tells it now. */
  forgetCall(callId: string): void {
    this.#progress.delete(callId);
  }

  forgetCheck(): void {
    this.#runningCheck = null;
  }

  part(): LivePart {
    const live = { turn: this.#turn, text: this.#text, isReasoning: this.#isReasoning };
    return {
      live: this.#turn === 0 ? null : live,
      progress: Object.fromEntries(this.#progress),
      runningCheck: this.#runningCheck,
    };
  }

  readonly #takers: { readonly [K in Signal["type"]]: (signal: Extract<Signal, { type: K }>) => void } = {
    text_delta: ({ turn, text }) => {
      this.#begin(turn);
      this.#isReasoning = false;
      this.#text += showProse(text);
      if (this.#text.length > longestText) this.#text = cutText(this.#text, longestText, (kept) => kept).text;
    },
    reasoning_delta: ({ turn }) => {
      this.#begin(turn);
      this.#isReasoning = this.#text === "";
    },
    reply_reset: ({ turn }) => {
      this.#turn = turn;
      this.#text = "";
      this.#isReasoning = false;
    },
    // The journal's model_error says the same, and when.
    retry_countdown: () => undefined,
    tool_progress: ({ callId, text }) => {
      const line = text.split("\n").findLast((part) => part.trim() !== "");
      if (line !== undefined) this.#progress.set(callId, showLine(line, longestLine));
    },
    check_started: ({ name }) => {
      this.#runningCheck = showLine(name, longestLine);
    },
  };

  #begin(turn: number): void {
    if (turn === this.#turn) return;
    this.#turn = turn;
    this.#text = "";
    this.#isReasoning = false;
    this.#progress.clear();
    this.#runningCheck = null;
  }
}
