/** Where text for people or programs goes. Never throws: a reader that went away must not stop a run. */
export interface Sink {
  write(text: string): void;
  /** True on a terminal that shows colours. */
  readonly colour: boolean;
}

/** A person at a keyboard. */
export interface Terminal {
  /**
   * Shows `prompt` and answers the line that is typed after it; what was typed before does not count.
   * Null when `signal` aborts or the terminal is closed. One question at a time.
   */
  ask(prompt: string, sink: Sink, signal?: AbortSignal): Promise<string | null>;
  readonly closed: boolean;
}

/** What the command line reaches the outside through. */
export interface CliIo {
  out: Sink;
  err: Sink;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  cwd: string;
  /** Null unless standard input and output are both terminals. */
  terminal: Terminal | null;
  /** Standard input, line by line. */
  inputLines(): AsyncIterable<string>;
  /** The first SIGINT or SIGTERM; a second one ends the process at once. Answers how to stop listening. */
  onStop(listener: () => void): () => void;
}
