// Runs the engine on a scripted model with real clock, ids and hashes, and keeps what came out.
import {
  runAgent,
  type AgentRun,
  type JournaledEvent,
  type RunAgentOptions,
  type RunState,
  type Signal,
} from "../../extension/core";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { RandomIds } from "../../extension/node/randomIds";
import { SystemClock } from "../../extension/node/systemClock";
import type { ModelScript } from "./modelScript";
import { ScriptedModel } from "./scriptedModel";

export interface BenchRun {
  run: AgentRun;
  model: ScriptedModel;
  events: JournaledEvent[];
  signals: Signal[];
  /** Waits for the end; a step of the script that was not used is an error. */
  end(): Promise<RunState>;
}

export function runScript(script: ModelScript, options: Partial<Omit<RunAgentOptions, "model">> = {}): BenchRun {
  const model = new ScriptedModel(script);
  const events: JournaledEvent[] = [];
  const signals: Signal[] = [];
  const clock = new SystemClock();
  const run = runAgent({
    goal: "do it",
    modelName: "scripted",
    ports: { clock, ids: new RandomIds(clock), hasher: new NodeHasher() },
    ...options,
    model,
    listener: { onEvent: (event) => events.push(event), onSignal: (signal) => signals.push(signal) },
  });
  const end = async (): Promise<RunState> => {
    const state = await run.settled;
    model.assertDone();
    return state;
  };
  return { run, model, events, signals, end };
}
