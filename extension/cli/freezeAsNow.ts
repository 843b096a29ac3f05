import { defineAgent, mainAgent, type AgentDefinition } from "../core/agents/agentDefinition";
import { freezeWorkspacePlan } from "../core/agents/workspacePart";
import type { VerificationPlan } from "../core/contract/verificationPlan";
import type { CliIo } from "./cliIo";
import { composeFreeze } from "./compose";
import { refuse, type Refusal } from "./exitCodes";
import { openWorkspace, type OpenedWorkspace } from "./openWorkspace";
import type { ParsedArguments } from "./parseArguments";

export interface FrozenAsNow extends OpenedWorkspace {
  agent: AgentDefinition;
  plan: VerificationPlan;
}

/** What a run that started now would be held to, its donegate.yaml accepted. Runs and writes nothing. */
export async function freezeAsNow(args: ParsedArguments, io: CliIo): Promise<FrozenAsNow | Refusal> {
  const opened = await openWorkspace(args, io);
  if (!opened.ok) return opened;
  const { basics, root, file } = opened;
  const defined = defineAgent({
    config: file?.config ?? null,
    accepted: true,
    agent: mainAgent,
    kind: "auto",
    maxAttempts: 1,
  });
  if (!defined.ok) return refuse(defined.message);
  const { agent } = defined;
  return { ...opened, agent, plan: await freezeWorkspacePlan(root, agent, composeFreeze(basics)) };
}
