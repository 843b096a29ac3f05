// For programs that embed the engine: their model, their tools, their guardrails, their verifier; no workspace needed.
// With neither completion nor guardrails this sends the bytes a plain loop would send (design 3.2, rule 1).
import { AgentError } from "../agentError";
import type { BudgetConfig } from "../config/donegateConfig";
import type { Verifier } from "../gate/verifier";
import { createJudge } from "../guardrails/judge";
import type { Guardrail, GuardrailAnswer, GuardedCall } from "../guardrails/verdict";
import { canonicalJson } from "../journal/canonicalJson";
import type { CompletionSpec, Event, JournaledEvent, RunSpec } from "../journal/event";
import { toIsoTime } from "../journal/isoTime";
import { createJournalWriter } from "../journal/journalWriter";
import { initialState } from "../journal/runState";
import { attachApprover, type Approver } from "../loop/approver";
import { startRun, type AgentRun, type AppendEvent, type ContextParts, type RunListener } from "../loop/run";
import type { BeforeTool } from "../loop/runContext";
import { defaultRetryPolicy, type RetryPolicy } from "../loop/retryPolicy";
import type { Clock } from "../ports/clock";
import type { Hasher } from "../ports/hasher";
import type { Ids } from "../ports/ids";
import type { JournalStore } from "../ports/journalStore";
import type { ModelClient } from "../ports/modelClient";
import { createRegistry, type ToolRegistry } from "../tools/toolRegistry";
import type { AnyToolDef } from "../tools/toolDef";
import type { ToolPorts } from "../tools/toolPorts";
import { checkBudget } from "./checkBudget";
import { composePrompt } from "./prompt";
import { unavailableToolPorts } from "./unavailableToolPorts";

export interface RunAgentOptions {
  goal: string;
  model: ModelClient;
  modelName: string;
  /** System prompt; none is sent without it. */
  prompt?: string;
  tools?: readonly AnyToolDef[];
  /** Absent: the run ends when the model says so, and nothing is ever shown verified. */
  completion?: CompletionOptions;
  guardrails?: readonly (Guardrail | GuardrailFunction)[];
  /** Runs after every guardrail allowed; new arguments are judged again. */
  beforeTool?: BeforeTool;
  /** Answers what a guardrail asks. Without one the run waits for `send`, or ends pending with `onAsk: "suspend"`. */
  approver?: Approver;
  onAsk?: RunSpec["onAsk"];
  budget?: BudgetConfig;
  retry?: RetryPolicy;
  /** The model's context in tokens; without it the run compacts when a server refuses a request as too long. */
  contextWindow?: number;
  /** Longest silence of the model server, milliseconds. */
  stallMs?: number;
  ports: { clock: Clock; ids: Ids; hasher: Hasher; journal?: JournalStore; tools?: ToolPorts };
  listener?: RunListener;
  /** Aborting it is a stop. */
  signal?: AbortSignal;
}

export interface CompletionOptions {
  /** `todos`: every declared plan item is discharged. */
  verify: "todos" | Verifier;
  /** Integer, at least 1. There is no default. */
  maxAttempts: number;
  /** Deadline of a verifier function, milliseconds. */
  timeoutMs?: number;
}

export type GuardrailFunction = (call: GuardedCall, signal: AbortSignal) => GuardrailAnswer | Promise<GuardrailAnswer>;

const defaults = { stallMs: 120_000, verifierTimeoutMs: 60_000, guardrailDeadlineMs: 5_000 };

/** Starts at once. Throws `AgentError` ("configuration") before any request when the options cannot work. */
export function runAgent(options: RunAgentOptions): AgentRun {
  const tools = createRegistry(options.tools ?? []);
  const spec = toSpec(options, tools);
  const run = startRun(
    initialState,
    [{ type: "agent_start", ...spec }],
    toAppend(options),
    toContextParts(options, tools),
    options.listener,
  );
  attachSurfaces(run, options);
  return run;
}

/** What a run of an embedding program works with, at its start and after a resume. */
export function toContextParts(
  options: Omit<RunAgentOptions, "goal" | "modelName">,
  tools: ToolRegistry,
): ContextParts {
  const { ports, completion } = options;
  return {
    keep: async (text) => (await ports.journal?.putBlob(text)) ?? null,
    clock: ports.clock,
    ids: ports.ids,
    hasher: ports.hasher,
    model: options.model,
    tools,
    toolPorts: ports.tools ?? unavailableToolPorts(ports.hasher),
    judge: createJudge({
      ruleSets: [],
      guardrails: (options.guardrails ?? []).map(toGuardrail),
      clock: ports.clock,
      deadlineMs: defaults.guardrailDeadlineMs,
    }),
    judgePaths: () => null,
    beforeTool: options.beforeTool ?? null,
    verifiers: typeof completion?.verify === "function" ? { [verifierName]: completion.verify } : {},
    verifierTimeoutMs: completion?.timeoutMs ?? defaults.verifierTimeoutMs,
    workspace: null,
    stallMs: options.stallMs ?? defaults.stallMs,
    retry: options.retry ?? defaultRetryPolicy,
    secrets: [],
  };
}

/** Who answers what a guardrail asks, and who may stop the run. */
export function attachSurfaces(
  run: AgentRun,
  { approver, signal }: Pick<RunAgentOptions, "approver" | "signal">,
): void {
  if (approver !== undefined) attachApprover(run, approver);
  signal?.addEventListener("abort", () => void run.send({ type: "stop" }), { once: true });
  if (signal?.aborted === true) void run.send({ type: "stop" });
}

const verifierName = "completion.verify";

function toSpec(options: RunAgentOptions, tools: ToolRegistry): RunSpec {
  const { hasher } = options.ports;
  const completion = options.completion === undefined ? null : toCompletion(options.completion, tools);
  const ids = toRuleIds(options.guardrails);
  const prompt = composePrompt(options.prompt ?? "", {
    completion: completion !== null,
    guardrails: ids.length > 0,
    todowrite: false,
  });
  return {
    goal: options.goal,
    kind: "auto",
    kindSource: "default",
    root: null,
    agent: "main",
    model: options.modelName,
    endpoint: options.model.endpoint,
    prompt,
    promptDigest: hasher.sha256(prompt),
    tools: { names: tools.names(), digest: hasher.sha256(canonicalJson(tools.wire())) },
    rules: { ids, digest: hasher.sha256(canonicalJson(ids)) },
    budget: checkBudget(options.budget ?? {}),
    completion,
    config: null,
    onAsk: options.onAsk ?? "wait",
    allowContractChange: [],
    ...(options.contextWindow === undefined ? {} : { contextWindow: checkWindow(options.contextWindow) }),
  };
}

function toCompletion(options: CompletionOptions, tools: ToolRegistry): CompletionSpec {
  if (typeof options !== "object" || options === null) {
    throw new AgentError("configuration", "completion has to be { verify, maxAttempts }, or left out");
  }
  const { verify, maxAttempts, timeoutMs = defaults.verifierTimeoutMs } = options;
  if (typeof maxAttempts !== "number" || !Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw new AgentError(
      "configuration",
      `completion.maxAttempts has to be a whole number of at least 1, it is ${String(maxAttempts)}`,
    );
  }
  if (typeof timeoutMs !== "number" || !Number.isFinite(timeoutMs) || timeoutMs <= 0) {
    throw new AgentError(
      "configuration",
      `completion.timeoutMs has to be a number of milliseconds above 0, it is ${String(timeoutMs)}`,
    );
  }
  if (verify === "todos") {
    if (tools.find("todowrite") !== null) return { maxAttempts, require: ["todos"], commands: false, functions: [] };
    throw new AgentError(
      "configuration",
      "completion.verify is `todos`, which needs the tool `todowrite`: give it to the agent",
    );
  }
  if (typeof verify !== "function") {
    throw new AgentError("configuration", "completion.verify has to be `todos` or a function");
  }
  return { maxAttempts, require: [], commands: false, functions: [verifierName] };
}

function checkWindow(tokens: number): number {
  if (Number.isInteger(tokens) && tokens > 0) return tokens;
  throw new AgentError("configuration", `contextWindow has to be a whole number of tokens above 0, it is ${tokens}`);
}

export function toRuleIds(guardrails: RunAgentOptions["guardrails"] = []): string[] {
  return guardrails.map((guardrail, index) => toGuardrail(guardrail, index).id);
}

function toGuardrail(guardrail: Guardrail | GuardrailFunction, index: number): Guardrail {
  return typeof guardrail === "function" ? { id: `guardrails[${index}]`, judge: guardrail } : guardrail;
}

function toAppend({ ports }: RunAgentOptions): AppendEvent {
  const run = ports.ids.runId();
  if (ports.journal !== undefined) {
    return createJournalWriter({
      run,
      store: ports.journal,
      clock: ports.clock,
      hasher: ports.hasher,
      secrets: [],
      head: { lastHash: null, nextSeq: 1 },
    });
  }
  let seq = 0;
  return (event: Event) => {
    seq += 1;
    return Promise.resolve({ v: 1, seq, ts: toIsoTime(ports.clock.now()), run, prev: "", ...event } as JournaledEvent);
  };
}
