// Connects the contract, the checks and the snapshots of one workspace to the loop.
import { readbackArgv } from "../tools/customTool";
import { amendContract } from "../contract/amendContract";
import { compareContract } from "../contract/compareContract";
import { classify } from "../contract/contractIndex";
import { createDiscoveryFiles } from "../contract/discover/discoveryFiles";
import { discoverChecks } from "../contract/discover/discoverChecks";
import { freezePlan } from "../contract/freezePlan";
import type { VerificationPlan } from "../contract/verificationPlan";
import { runCommandCheck } from "../gate/checks/commandCheck";
import { errorText } from "../errorText";
import { runBaseline } from "../gate/evidence/runBaseline";
import { withCanary } from "../gate/evidence/withCanary";
import type { WorkspacePart } from "../loop/runContext";
import type { AgentDefinition } from "./agentDefinition";
import type { WorkspacePorts } from "./workspacePorts";

const readbackTimeoutMs = 60_000;

export type FreezePorts = Pick<WorkspacePorts, "files" | "commands" | "hasher">;
export type CheckPorts = FreezePorts & Pick<WorkspacePorts, "scratch" | "snapshots">;

/** The checks and their contract as they stand now; `plan` shows them, a run starts with them. */
export async function freezeWorkspacePlan(
  root: string,
  agent: AgentDefinition,
  ports: FreezePorts,
): Promise<VerificationPlan> {
  const found = agent.checks === null ? await discoverChecks(createDiscoveryFiles(ports.files, root)) : null;
  const checks = agent.checks ?? found?.checks ?? [];
  const source = agent.checks !== null && checks.length > 0 ? "config" : checks.length > 0 ? "discovered" : "none";
  return freezePlan(
    {
      root,
      checks,
      require: agent.completion?.require ?? [],
      source,
      protect: agent.protect,
      hidden: agent.hidden,
      outputs: agent.outputs,
      knownRed: agent.knownRed,
      warnings: found?.warnings ?? [],
    },
    ports,
  );
}

export function createWorkspacePart(
  root: string,
  agent: AgentDefinition,
  ports: WorkspacePorts,
  currentPlan: () => VerificationPlan | null,
): WorkspacePart {
  const { files, commands, hasher, scratch, snapshots } = ports;
  return {
    root,
    snapshots,
    editors: ports.editors ?? null,
    freeze: async () => ({ ok: true, plan: await freezeWorkspacePlan(root, agent, ports) }),
    runBaseline: async (plan, { tree, onStarted }, signal) => {
      try {
        return await runBaseline({ plan, root, tree, ports, onStarted }, signal);
      } catch (error: unknown) {
        // Without room for a copy nothing is known about the start; the gate still judges what is there now.
        return plan.checks.map(({ name }) => ({ name, tests: null, why: errorText(error) }));
      }
    },
    runCheck: async (name, subject, signal) => {
      const { plan, tree, frozen } = subject;
      const check = plan.checks.find((entry) => entry.name === name);
      if (check === undefined) throw new Error(`the frozen plan has no check ${name}`);
      const onStarted = (process: { pid: number; startedAt: number }): Promise<void> => subject.onStarted(process);
      const context = { plan, root, tree, frozen, ports: { files, commands, hasher, scratch }, onStarted };
      const result = await runCommandCheck(check, context, signal);
      if (!subject.canary || tree === null || signal.aborted) return result;
      return withCanary(result, { check, plan, root, tree, ports, onStarted }, signal);
    },
    contractTouched: async (plan) => (await compareContract(plan, ports, root)).map((change) => change.path),
    amendContract: async (plan, path) => {
      const amended = await amendContract(plan, path, ports, root);
      const { entry, before, after } = amended;
      return { path: amended.path, entry, before, after, planDigest: amended.plan.digest };
    },
    readback: async (tool, args, signal) => {
      const config = agent.customTools[tool];
      const argv = config === undefined ? null : readbackArgv(config, args);
      if (argv === null) return null;
      const exit = await commands.run({ run: argv, cwd: root, timeoutMs: readbackTimeoutMs }, signal);
      return exit.ended === "exited" && exit.exitCode === 0;
    },
    endLeftOvers: (processes) => commands.endLeftOvers(processes),
    isContract: (path) => {
      const plan = currentPlan();
      if (plan === null) return false;
      const found = classify(path, plan);
      return found !== null && found.class !== "new-test" && found.class !== "hidden";
    },
  };
}
