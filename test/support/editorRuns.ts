// Runs as the editor's views and prompts see them, without an editor: states are folded from events, commands decided by
// the engine's own rules.
import { fold } from "../../extension/core/journal/fold";
import type { Event, RunSpec } from "../../extension/core/journal/event";
import { initialState, type RunState } from "../../extension/core/journal/runState";
import type { Command, CommandAnswer } from "../../extension/core/loop/command";
import { decideCommand } from "../../extension/core/loop/decideCommand";
import type { Disposable, RunEntry } from "../../extension/host/runs";

const startedMs = Date.parse("2026-11-30T12:00:00.000Z");

export function specOf(change: Partial<RunSpec> = {}): RunSpec {
  return {
    goal: "Add column D",
    kind: "auto",
    kindSource: "default",
    root: "/work",
    agent: "main",
    model: "small-model",
    endpoint: "http://localhost:1234/v1",
    prompt: "",
    promptDigest: "p",
    tools: { names: [], digest: "t" },
    rules: { ids: [], digest: "r" },
    budget: {},
    completion: { maxAttempts: 3, require: ["todos", "diff"], commands: true, functions: [] },
    config: null,
    onAsk: "wait",
    allowContractChange: [],
    ...change,
  };
}

/** A run that has started and works; `change` is what else is true of it. */
export function stateOf(change: Partial<RunState> = {}): RunState {
  return { ...initialState, run: "R1", spec: specOf(), startTree: "tree", ...change };
}

export function entryOf(change: Partial<RunEntry> = {}): RunEntry {
  return {
    id: "R1",
    root: "/work",
    journal: "/journals/R1/journal.jsonl",
    startedAt: new Date(startedMs).toISOString(),
    mode: "live",
    state: stateOf(),
    whole: true,
    problem: null,
    holder: null,
    stale: null,
    ...change,
  };
}

/** A request about one call, with what the model called it for. */
export function callRequest(change: Partial<Event<"approval_requested">> = {}): Event<"approval_requested"> {
  return {
    type: "approval_requested",
    id: "A1",
    kind: "call",
    callId: "c1",
    tool: "deploy",
    args: { env: "prod" },
    reason: "prod needs human approval",
    level: "prod",
    rule: "workspace:2",
    digest: "digest-of-A1",
    key: "key",
    expiresAt: "2026-12-01T12:00:00.000Z",
    ...change,
  };
}

/** The model's reply that makes these calls, one turn. */
export function replyOf(turn: number, text: string, calls: readonly [callId: string, tool: string][]): Event {
  return {
    ...{ type: "model_reply", turn, text, reasoning: "", reasoningKey: null, usage: null, finish: "stop", notes: [] },
    calls: calls.map(([callId, tool]) => ({ callId, tool, argumentsText: "{}", args: {}, problem: null })),
  };
}

/** One run whose state is folded from the events it is given. */
export class FoldedRun {
  readonly sent: Command[] = [];
  readonly #listeners = new Set<(entry: RunEntry) => void>();
  #entry: RunEntry;

  constructor(change: Partial<RunEntry> = {}) {
    this.#entry = entryOf(change);
  }

  get state(): RunState {
    return this.#entry.state;
  }

  add(...events: readonly Event[]): void {
    for (const event of events) {
      const seq = this.state.seq + 1;
      const ts = new Date(startedMs + seq * 1_000).toISOString();
      this.#entry = { ...this.#entry, state: fold(this.state, { v: 1, seq, ts, run: "R1", prev: "", ...event }) };
    }
    for (const listener of this.#listeners) listener(this.#entry);
  }

  change(change: Partial<RunEntry>): void {
    this.#entry = { ...this.#entry, ...change };
    for (const listener of this.#listeners) listener(this.#entry);
  }

  entries(): readonly RunEntry[] {
    return [this.#entry];
  }

  find(id: string): RunEntry | null {
    return this.#entry.id === id ? this.#entry : null;
  }

  onDidChange(listener: (entry: RunEntry) => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  async send(_id: string, command: Command): Promise<CommandAnswer> {
    if (command.type === "stop" || command.type === "close") throw new Error(`a ${command.type} is not an answer`);
    this.sent.push(command);
    const decided = decideCommand(this.state, command, startedMs + 60_000);
    if (!decided.ok) return decided;
    this.add(...decided.events);
    return { ok: true };
  }
}
