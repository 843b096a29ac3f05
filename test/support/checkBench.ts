// One frozen check on a real folder, run by real runners.
import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { FreezeInput } from "../../extension/core/contract/freezePlan";
import type { CheckSpec } from "../../extension/core/contract/verificationPlan";
import type { CheckResult } from "../../extension/core/gate/checkResult";
import { runCommandCheck, type CommandCheckContext } from "../../extension/core/gate/checks/commandCheck";
import { createContractPorts } from "./contractPorts";
import { checkSpec, freezeWorkspace } from "./freezeWorkspace";
import { temporaryWorkspace } from "./temporaryWorkspace";

export interface CheckCase {
  files: Readonly<Record<string, string>>;
  run: CheckSpec["run"];
  spec?: Partial<CheckSpec>;
  freeze?: Partial<FreezeInput>;
  context?: Partial<CommandCheckContext>;
  /** What happens between freeze and check. */
  act?: (root: string) => Promise<unknown>;
}

export async function judgeCheck({ files, run, spec, freeze, context, act }: CheckCase): Promise<CheckResult> {
  const root = await temporaryWorkspace(files);
  linkModules(root);
  const plan = await freezeWorkspace(root, run, { checks: [checkSpec(run, spec)], ...freeze });
  await act?.(root);
  const [frozen] = plan.checks;
  if (frozen === undefined) throw new Error("no check was frozen");
  const ports = createContractPorts();
  return runCommandCheck(
    frozen,
    { plan, root, tree: "t1", frozen: null, ports, ...context },
    new AbortController().signal,
  );
}

/** The runners of this repository, for a workspace of its own. */
export function linkModules(root: string): void {
  symlinkSync(join(import.meta.dirname, "..", "..", "node_modules"), join(root, "node_modules"), "junction");
}

/** The first Python that has pytest; `npm test` sees to it that there is one. */
export const python = findPython();

function findPython(): string {
  const has = (program: string): boolean => spawnSync(program, ["-c", "import pytest"]).status === 0;
  return ["python3", "/usr/bin/python3"].find(has) ?? "python3";
}

/** Go where it is installed, else null. */
export const go = spawnSync("go", ["version"]).status === 0 ? "go" : null;
