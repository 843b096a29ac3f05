// Goes on with a run of an embedding program from its journal: after a crash, a stop, or once a person has answered.
// What was frozen at start still counts; the program hands in the same tools, guardrails and verifier again.
import { canonicalJson } from "../journal/canonicalJson";
import type { Event, RunSpec } from "../journal/event";
import { createJournalWriter } from "../journal/journalWriter";
import type { LoadedJournal } from "../journal/loadJournal";
import type { RunState } from "../journal/runState";
import type { Command } from "../loop/command";
import { decideCommand } from "../loop/decideCommand";
import { startRun, type AgentRun } from "../loop/run";
import type { JournalStore } from "../ports/journalStore";
import { createRegistry, type ToolRegistry } from "../tools/toolRegistry";
import { attachSurfaces, toContextParts, toRuleIds, type RunAgentOptions } from "./runAgent";

/** Without goal, prompt, budget and the like: the journal holds them. `completion` hands in the verifier again. */
export interface ResumeAgentOptions extends Omit<
  RunAgentOptions,
  "goal" | "modelName" | "prompt" | "budget" | "onAsk" | "ports"
> {
  ports: RunAgentOptions["ports"] & { journal: JournalStore };
  /** Who resumes. */
  by: string;
  /** What a person says with the resume. One that cannot count refuses all of them. */
  commands?: readonly Exclude<Command, { type: "stop" | "close" }>[];
}

export type ResumedAgent = { ok: true; run: AgentRun } | { ok: false; message: string };

/** When the answer is not ok, nothing was journaled and nothing runs. */
export function resumeAgent(loaded: LoadedJournal, options: ResumeAgentOptions): ResumedAgent {
  const { ports } = options;
  const { spec } = loaded.state;
  if (loaded.blocked !== null) return refuse(loaded.blocked);
  if (spec === null || spec.root !== null) return refuse("the journal holds no run of an embedding program");
  const tools = createRegistry(options.tools ?? []);
  const changed = findChange(spec, options, tools);
  if (changed !== null) return refuse(`${changed} than at the start of the run, which froze them`);
  const opening = decideAll(loaded.state, options.commands ?? [], ports.clock.now());
  if (!opening.ok) return refuse(opening.reason);
  const resume: Event = {
    type: "agent_resume",
    by: options.by,
    model: spec.model,
    endpoint: options.model.endpoint,
    sealed: loaded.sealed,
  };
  const append = createJournalWriter({
    run: loaded.state.run,
    store: ports.journal,
    clock: ports.clock,
    hasher: ports.hasher,
    secrets: [],
    head: loaded.head,
  });
  const parts = toContextParts(options, tools);
  const run = startRun(loaded.state, [resume, ...opening.events], append, parts, options.listener);
  attachSurfaces(run, options);
  return { ok: true, run };
}

/** A run that was gated or guarded may not go on without its gate or its guardrails. */
function findChange(spec: RunSpec, options: ResumeAgentOptions, tools: ToolRegistry): string | null {
  const { hasher } = options.ports;
  if (spec.tools.digest !== hasher.sha256(canonicalJson(tools.wire()))) return "the tools are others";
  if (spec.rules.digest !== hasher.sha256(canonicalJson(toRuleIds(options.guardrails)))) {
    return "the guardrails are others";
  }
  const verifies = typeof options.completion?.verify === "function";
  return (spec.completion?.functions.length ?? 0) > 0 && !verifies ? "the verifier is another" : null;
}

function decideAll(
  state: RunState,
  commands: NonNullable<ResumeAgentOptions["commands"]>,
  now: number,
): { ok: true; events: Event[] } | { ok: false; reason: string } {
  const ids = commands.flatMap((command) => ("id" in command ? [command.id] : []));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return { ok: false, reason: `${twice} is answered twice` };
  const events: Event[] = [];
  for (const command of commands) {
    const decided = decideCommand(state, command, now);
    if (!decided.ok) return decided;
    events.push(...decided.events);
  }
  return { ok: true, events };
}

const refuse = (message: string): ResumedAgent => ({ ok: false, message });
