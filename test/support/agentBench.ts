// Runs the engine on a scripted model, in process or over HTTP, with real clock, ids and hashes, and keeps what came out.
import {
  loadJournal,
  resumeAgent,
  runAgent,
  toOutcome,
  type AgentRun,
  type EventType,
  type JournaledEvent,
  type Outcome,
  type ResumeAgentOptions,
  type RunAgentOptions,
  type RunState,
  type Signal,
} from "../../extension/core";
import type { Event } from "../../extension/core/journal/event";
import type { Clock } from "../../extension/core/ports/clock";
import type { JournalStore } from "../../extension/core/ports/journalStore";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { OpenAiModel } from "../../extension/node/openAiModel";
import { RandomIds } from "../../extension/node/randomIds";
import { SystemClock } from "../../extension/node/systemClock";
import { FakeModelServer } from "./fakeModelServer";
import type { ModelScript, ScriptedRequest } from "./modelScript";
import { ScriptedModel } from "./scriptedModel";

export interface BenchRun extends RunRecord {
  model: ScriptedModel;
  /** Waits for the end; a step of the script that was not used is an error. */
  end(): Promise<RunState>;
}

export interface WireRun extends RunRecord {
  /** What the server was sent, in order. */
  requests(): readonly ScriptedRequest[];
  /** Waits for the end and closes the server; a request or a step that did not meet is an error. */
  end(): Promise<RunState>;
}

/** A run and what it let out. */
export interface RunRecord {
  run: AgentRun;
  events: JournaledEvent[];
  signals: Signal[];
}

export type BenchOptions = Partial<Omit<RunAgentOptions, "model" | "listener">>;

export function runScript(script: ModelScript, options: BenchOptions = {}): BenchRun {
  const model = new ScriptedModel(script);
  const record = startRecorded((listener) => runAgent({ ...defaults(), ...options, model, listener }));
  return { ...record, model, end: () => endOf(record.run, () => model.assertDone()) };
}

/** The same against a real server: request bytes, stream and client are the real ones. */
export async function runOverWire(script: ModelScript, options: BenchOptions = {}): Promise<WireRun> {
  const server = await FakeModelServer.start(script);
  const model = new OpenAiModel({ baseUrl: server.baseUrl, apiKey: null });
  const record = startRecorded((listener) => runAgent({ ...defaults(), ...options, model, listener }));
  return toWireRun(record, server);
}

/** Goes on from a journal, read back from its bytes. Throws when the resume is refused. */
export async function resumeOverWire(
  journal: JournalStore,
  script: ModelScript,
  options: Partial<Omit<ResumeAgentOptions, "model" | "listener" | "ports">> & { clock?: Clock } = {},
): Promise<WireRun> {
  const { clock, ...rest } = options;
  const ports = { ...benchPorts(clock), journal };
  const loaded = await loadJournal(journal, ports.hasher);
  const server = await FakeModelServer.start(script);
  const model = new OpenAiModel({ baseUrl: server.baseUrl, apiKey: null });
  const record = startRecorded((listener) => {
    const resumed = resumeAgent(loaded, { by: "test", ...rest, ports, model, listener });
    if (!resumed.ok) throw new Error(`the resume was refused: ${resumed.message}`);
    return resumed.run;
  });
  return toWireRun(record, server);
}

export function benchPorts(clock: Clock = new SystemClock()): RunAgentOptions["ports"] {
  return { clock, ids: new RandomIds(clock), hasher: new NodeHasher() };
}

/** As surfaces show it. */
export function outcomeOf(state: RunState): Outcome {
  return toOutcome(state, { journal: null, stale: null });
}

/** All events of one kind, in order. */
export function eventsOf<K extends EventType>(
  { events }: Pick<RunRecord, "events">,
  type: K,
): Extract<JournaledEvent, Event<K>>[] {
  return events.filter((event): event is Extract<JournaledEvent, Event<K>> => event.type === type);
}

/** What the model was told in a request about each of its calls, by call id. */
export function toolResults(request: ScriptedRequest | undefined): Record<string, string> {
  const messages = request?.messages ?? [];
  const results = messages.filter((message) => message["role"] === "tool");
  return Object.fromEntries(results.map((message) => [String(message["tool_call_id"]), String(message["content"])]));
}

function defaults(): Pick<RunAgentOptions, "goal" | "modelName" | "ports"> {
  return { goal: "do it", modelName: "scripted", ports: benchPorts() };
}

function startRecorded(start: (listener: NonNullable<RunAgentOptions["listener"]>) => AgentRun): RunRecord {
  const events: JournaledEvent[] = [];
  const signals: Signal[] = [];
  const run = start({ onEvent: (event) => events.push(event), onSignal: (signal) => signals.push(signal) });
  return { run, events, signals };
}

function toWireRun(record: RunRecord, server: FakeModelServer): WireRun {
  const end = async (): Promise<RunState> => {
    try {
      return await endOf(record.run, () => server.assertDone());
    } finally {
      await server.close();
    }
  };
  return { ...record, requests: () => server.requests.map((request) => request.json), end };
}

async function endOf(run: AgentRun, assertDone: () => void): Promise<RunState> {
  const state = await run.settled;
  assertDone();
  return state;
}
