import type { Sink, Terminal } from "../../extension/cli/cliIo";

/** Keeps what was written. */
export class RecordingSink implements Sink {
  readonly colour = false;
  text = "";

  write(text: string): void {
    this.text += text;
  }
}

/** A person who types these lines, then closes the terminal. A question is an error when nothing is left to type. */
export class ScriptedTerminal implements Terminal {
  readonly prompts: string[] = [];
  closed = false;
  readonly #lines: (string | null)[];

  /** Null: the terminal is closed at this question. */
  constructor(...lines: (string | null)[]) {
    this.#lines = lines;
  }

  async ask(prompt: string, sink: Sink): Promise<string | null> {
    sink.write(prompt);
    this.prompts.push(prompt);
    const line = this.#lines.shift();
    if (line === undefined) throw new Error(`ScriptedTerminal: nothing is left to answer "${prompt}"`);
    if (line === null) this.closed = true;
    return line;
  }

  assertDone(): void {
    if (this.#lines.length > 0) throw new Error(`ScriptedTerminal: never typed: ${this.#lines.join(", ")}`);
  }
}
