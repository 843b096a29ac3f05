// The guard of a run on a workspace: all rule sets over the plan as it stands. An approved change of the contract
// makes a new plan, and with it a new guard.
import { createCommandGate } from "../guardrails/commandGate";
import type { Part } from "../guardrails/command/analyseCommand";
import { createCommandReader } from "../guardrails/commandReader";
import { createJudge, type Judge } from "../guardrails/judge";
import { createPathFilter, type PathFilter } from "../guardrails/pathFilter";
import { createPathGuard, createPathPolicy } from "../guardrails/pathGuard";
import { createPlacePath } from "../guardrails/placePath";
import { createProdLevel } from "../guardrails/prodLevel";
import { createRules } from "../guardrails/rules";
import type { GuardedCall, RuleSet, Verdict } from "../guardrails/verdict";
import { composeVerdicts } from "../guardrails/composeVerdicts";
import type { RunKind } from "../journal/event";
import type { VerificationPlan } from "../contract/verificationPlan";
import type { AgentDefinition } from "./agentDefinition";
import type { WorkspacePorts } from "./workspacePorts";

export interface WorkspaceGuard {
  judge: Judge;
  /** What the judge thought of each command of a call it has just judged. */
  partsOf(call: GuardedCall): readonly Part[];
  /** Null: the disk has no objection now. */
  judgePaths(call: GuardedCall): Verdict | null;
  filter: PathFilter;
  ruleIds: readonly string[];
}

export interface GuardSubject {
  root: string;
  kind: RunKind;
  agent: AgentDefinition;
  plan: VerificationPlan | null;
}

const guardrailDeadlineMs = 5_000;

export type GuardPorts = Pick<WorkspacePorts, "realPaths" | "stateFolders" | "clock" | "grammar">;

export function createWorkspaceGuard({ root, kind, agent, plan }: GuardSubject, ports: GuardPorts): WorkspaceGuard {
  const { realPaths, stateFolders, clock, grammar } = ports;
  const paths = {
    root,
    realPaths,
    stateFolders,
    contract: plan?.contract ?? [],
    protect: agent.protect,
    hidden: agent.hidden,
  };
  const policy = createPathPolicy(paths);
  const pathGuard = createPathGuard(policy);
  const placePath = createPlacePath(root, realPaths);
  const { home } = realPaths;
  const reader = createCommandReader({ root, home, paths: policy, grammar, prodPatterns: agent.prodPatterns });
  const ruleSets: readonly RuleSet[] = [
    pathGuard,
    createCommandGate({ root, checks: plan?.checks ?? [], paths: policy, reader }),
    // A person's own rule comes before the built-in ones: of two equal answers the first one's reason is told.
    createRules({ scope: "user", rules: agent.rules.user, placePath, reader }),
    createRules({ scope: "workspace", rules: agent.rules.workspace, placePath, reader }),
    createRules({ scope: "agent", rules: agent.rules.agent, placePath, reader }),
    createProdLevel({ patterns: agent.prodPatterns }),
    ...(kind === "question" ? [questionRules] : []),
  ];
  return {
    judge: createJudge({ ruleSets, guardrails: [], clock, deadlineMs: guardrailDeadlineMs }),
    partsOf: (call) => reader.read(call)?.parts ?? [],
    judgePaths: (call) => {
      const verdicts = pathGuard.verdicts(call);
      return verdicts.length === 0 ? null : composeVerdicts(verdicts, "allow");
    },
    filter: createPathFilter(paths),
    ruleIds: [
      ...ruleSets.map((set) => set.id),
      ...[...agent.rules.user, ...agent.rules.workspace, ...agent.rules.agent].map((rule) => rule.id),
    ],
  };
}

/** A question run looks and answers; it changes nothing. */
const questionRules: RuleSet = {
  id: "question",
  verdicts: (call) => {
    const readsOnly = call.tags.every((tag) => tag === "read" || tag === "plan" || tag === "ask");
    return readsOnly ? [] : [{ decision: "deny", rule: "question", reason: "a question run may not change anything" }];
  },
};
