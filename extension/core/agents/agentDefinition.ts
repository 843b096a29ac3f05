// What an agent is for one run: its prompt, tools, completion, rules and budget, compiled from the configuration.
// Of a workspace file that nobody has accepted only what restricts counts: its denies, its asks, its limits.
import type { AgentConfig, BudgetConfig, CustomToolConfig, DonegateConfig, RuleConfig } from "../config/donegateConfig";
import type { CheckSpec, StructuralCheck } from "../contract/verificationPlan";
import { acceptedOnly } from "../guardrails/rules";
import type { CompletionSpec, RunKind } from "../journal/event";
import { basePrompt, composePrompt } from "./prompt";

export interface AgentDefinition {
  name: string;
  prompt: string;
  /** Null: all tools. */
  toolNames: readonly string[] | null;
  customTools: Readonly<Record<string, CustomToolConfig>>;
  completion: CompletionSpec | null;
  /** Null: discover them. */
  checks: readonly CheckSpec[] | null;
  outputs: readonly string[];
  knownRed: readonly string[];
  protect: readonly string[];
  hidden: readonly string[];
  rules: { user: readonly RuleConfig[]; workspace: readonly RuleConfig[]; agent: readonly RuleConfig[] };
  prodPatterns: readonly string[];
  budget: BudgetConfig;
}

export interface AgentRequest {
  /** Null: no donegate.yaml. */
  config: DonegateConfig | null;
  accepted: boolean;
  agent: string;
  kind: RunKind;
  /** Attempts where no `verify:` section says so. */
  maxAttempts: number;
  /** Of the person's settings, for every folder; absent: none. */
  userRules?: readonly RuleConfig[];
}

export type AgentDefinitionResult = { ok: true; agent: AgentDefinition } | { ok: false; message: string };

export const mainAgent = "main";
const defaultRequire: readonly StructuralCheck[] = ["todos", "diff", "receipts"];

export function defineAgent(request: AgentRequest): AgentDefinitionResult {
  const { config, accepted } = request;
  const trusted = accepted ? config : null;
  const own = request.agent === mainAgent ? null : (trusted?.agents[request.agent] ?? undefined);
  if (own === undefined) return { ok: false, message: unknownAgent(request) };
  const completion = toCompletion(request, trusted, own);
  const needsTodos = completion?.require.includes("todos") === true && own?.completion?.verify === "todos";
  if (needsTodos && own.tools !== null && !own.tools.includes("todowrite")) {
    return { ok: false, message: `agent ${request.agent} is gated by todos but has no todowrite: add it to its tools` };
  }
  const all = config?.guardrails ?? [];
  return {
    ok: true,
    agent: {
      name: request.agent,
      prompt: composePrompt(own?.prompt ?? (own === null ? basePrompt : `${basePrompt}\n${own.does}`), {
        completion: completion !== null,
        guardrails: true,
        todowrite: own?.tools?.includes("todowrite") ?? true,
      }),
      toolNames: own?.tools ?? null,
      customTools: trusted?.tools ?? {},
      completion,
      checks: checksOf(request.kind, trusted),
      outputs: typeof trusted?.verify === "object" ? (trusted.verify?.outputs ?? []) : [],
      knownRed: typeof trusted?.verify === "object" ? (trusted.verify?.knownRed ?? []) : [],
      protect: config?.contract.protect ?? [],
      hidden: config?.contract.hidden ?? [],
      rules: {
        user: request.userRules ?? [],
        workspace: accepted ? all : acceptedOnly(all),
        agent: own?.guardrails ?? [],
      },
      prodPatterns: config?.prod.patterns ?? [],
      budget: stricter(config?.budget ?? {}, own?.budget ?? {}),
    },
  };
}

/** An agent's completion adds to the workspace's. `verify: off` means none, and nothing is ever shown verified. */
function toCompletion(
  { kind, maxAttempts }: AgentRequest,
  config: DonegateConfig | null,
  own: AgentConfig | null,
): CompletionSpec | null {
  const verify = config?.verify ?? null;
  if (verify === "off" && (own?.completion ?? null) === null) return null;
  const required = verify === "off" ? [] : (verify?.require ?? defaultRequire);
  const added = own?.completion?.verify;
  const require = added === undefined || added === "checks" ? required : [...new Set([...required, added])];
  return {
    maxAttempts: own?.completion?.maxAttempts ?? (verify === "off" ? null : verify?.maxAttempts) ?? maxAttempts,
    require,
    commands: kind !== "question" && verify !== "off",
    functions: [],
  };
}

function checksOf(kind: RunKind, config: DonegateConfig | null): readonly CheckSpec[] | null {
  if (kind === "question" || config?.verify === "off") return [];
  return config?.verify?.checks ?? null;
}

function unknownAgent({ agent, config, accepted }: AgentRequest): string {
  const names = Object.keys(config?.agents ?? {});
  if (!accepted && names.includes(agent)) {
    return `agent ${agent} is defined in donegate.yaml, which nobody has accepted yet: accept it (--trust-config) to use its agents`;
  }
  return names.length === 0
    ? `there is no agent ${agent}: donegate.yaml defines none`
    : `there is no agent ${agent}; there are: ${names.join(", ")}`;
}

/** A narrower scope only tightens. */
export function stricter(a: BudgetConfig, b: BudgetConfig): BudgetConfig {
  const limits = ["maxTurns", "maxTokens", "maxToolCalls", "maxWallMs", "maxCost", "maxChildren", "maxDepth"] as const;
  const prices = b.prices ?? a.prices;
  const merged: BudgetConfig = prices === undefined ? {} : { prices };
  for (const name of limits) {
    const limit = Math.min(a[name] ?? Infinity, b[name] ?? Infinity);
    if (limit !== Infinity) merged[name] = limit;
  }
  return merged;
}
