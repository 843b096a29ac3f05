import type { CheckSpec, StructuralCheck } from "../contract/verificationPlan";
import type { Level } from "../guardrails/verdict";

/** `donegate.yaml`, parsed and validated. Absent sections are null or empty, never guessed. */
export interface DonegateConfig {
  /** SHA-256 of the file's bytes. */
  digest: string;
  verify: VerifyConfig | "off" | null;
  contract: { protect: readonly string[]; hidden: readonly string[] };
  guardrails: readonly RuleConfig[];
  tools: Readonly<Record<string, CustomToolConfig>>;
  agents: Readonly<Record<string, AgentConfig>>;
  prod: { patterns: readonly string[] };
  budget: BudgetConfig;
  /** Warnings with place: `||` in a check hides a failure, a rule that can never decide. */
  warnings: readonly ConfigProblem[];
}

export interface VerifyConfig {
  maxAttempts: number;
  /** Null: discover. Empty: none. */
  checks: readonly CheckSpec[] | null;
  require: readonly StructuralCheck[];
  /** Globs of files that a check may write without counting as a change. */
  outputs: readonly string[];
  /** Ids of tests that may be red; absent: none. */
  knownRed?: readonly string[];
}

export interface RuleConfig {
  /** `config:guardrails[0]` or the id written in the file. */
  id: string;
  decision: "allow" | "ask" | "deny";
  match: RuleMatch;
  level: Level;
  reason: string;
  /** Commands and what this rule, with those before it, has to make of them; checked when the file is loaded. */
  examples?: Readonly<Partial<Record<"allow" | "ask" | "deny", readonly string[]>>>;
  /** Where the rule stands in the file; only with examples. */
  place?: readonly PropertyKey[];
}

/** All given parts have to match. */
export interface RuleMatch {
  tool?: string;
  tag?: string;
  /** `*` and `?` over each command that is found in the text, its wrappers taken off and its words decoded. */
  command?: string;
  /** Variables that the command sets, by name; `*` and `?` in values. */
  env?: Readonly<Record<string, string | number | boolean>>;
  /** Glob over workspace paths the call names. */
  path?: string;
  /** Argument values; strings compare without case, a list holds its members. */
  args?: Readonly<Record<string, string | number | boolean>>;
}

export interface CustomToolConfig {
  description: string;
  /** JSON-schema fragments by argument name. */
  parameters: Readonly<Record<string, ParameterConfig>>;
  /** argv with `${name}` placeholders, each replaced inside its own word and never split. */
  run: readonly string[];
  readback: readonly string[] | null;
  timeoutMs: number;
}

export interface ParameterConfig {
  type?: "string" | "number" | "boolean";
  enum?: readonly string[];
  description?: string;
  optional?: boolean;
}

export interface AgentConfig {
  does: string;
  model: string | null;
  prompt: string | null;
  tools: readonly string[] | null;
  completion: { verify: StructuralCheck | "checks"; maxAttempts: number } | null;
  guardrails: readonly RuleConfig[];
  budget: BudgetConfig;
}

/** A limit that is absent does not limit. */
export interface BudgetConfig {
  maxTurns?: number;
  maxTokens?: number;
  maxToolCalls?: number;
  maxWallMs?: number;
  /** In the currency of `prices`. */
  maxCost?: number;
  /** Per million tokens. */
  prices?: { input: number; output: number };
  maxChildren?: number;
  maxDepth?: number;
}

export interface ConfigProblem {
  /** 1-based. */
  line: number;
  column: number;
  message: string;
}
