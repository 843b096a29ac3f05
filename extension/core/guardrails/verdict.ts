// Guardrails answer one question before a tool runs: may it?
// This file holds the words of that answer; composeVerdicts.ts decides between several answers.

export type Level = "normal" | "guarded" | "prod";

export type Tag = "read" | "write" | "command" | "network" | "git" | "forge" | "delegate" | "prod" | "plan" | "ask";

/**
 * `rule` is the id of what answered; it is shown to the person and journaled. `byDefault`: nothing speaks against the call,
 * but nobody has allowed it either, so that any ask comes first.
 */
export type Verdict =
  | { decision: "allow"; rule: string; byDefault?: true }
  | { decision: "ask"; rule: string; reason: string; level: Level }
  | { decision: "deny"; rule: string; reason: string };

/** The final, validated, frozen call. What was judged is what runs. */
export interface GuardedCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly tags: readonly Tag[];
  /** Files and folders the call names, as the tool declares them: judged by the path guard. */
  readonly paths: readonly PathUse[];
  readonly agent: string;
  readonly depth: number;
  /** Absolute. */
  readonly cwd: string;
}

export interface PathUse {
  /** As the model wrote it; relative to the workspace root. */
  path: string;
  use: "read" | "write" | "delete" | "list";
  /** Edit tools can show a diff; a shell cannot. */
  surface: "edit-tool" | "shell" | "read-tool";
}

/** What a guardrail function of an embedding program may answer. Anything else denies the call. */
export type GuardrailAnswer =
  { decision: "allow" } | { decision: "ask"; reason: string; level?: Level } | { decision: "deny"; reason: string };

/** A guardrail of an embedding program. Throwing or missing the deadline denies that call, and only that call. */
export interface Guardrail {
  id: string;
  judge(call: GuardedCall, signal: AbortSignal): GuardrailAnswer | Promise<GuardrailAnswer>;
}

/** A rule set inside the engine: answers every verdict it has for the call, none when it has no opinion. Must not throw; deny instead. */
export interface RuleSet {
  id: string;
  verdicts(call: GuardedCall): readonly Verdict[];
  /** Loads what the verdicts on this call need. True: it judges this call, and has to prove itself now if it has not yet. */
  prepare?(call: GuardedCall): Promise<boolean>;
  /** Calls this rule set stops or is broken; proved once, before it judges anything. */
  mustStop?: readonly KnownBadCall[];
}

export interface KnownBadCall {
  what: string;
  call: GuardedCall;
  /** The mildest verdict that is still right; an ask has to be one that no rule lifts. */
  least: "ask" | "deny";
}

export function deny(rule: string, reason: string): Verdict {
  return { decision: "deny", rule, reason };
}

export function ask(rule: string, reason: string, level: Level): Verdict {
  return { decision: "ask", rule, reason, level };
}
