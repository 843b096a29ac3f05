import { freezePlan, type FreezeInput } from "../../extension/core/contract/freezePlan";
import type { CheckSpec, VerificationPlan } from "../../extension/core/contract/verificationPlan";
import { createContractPorts } from "./contractPorts";

export function checkSpec(run: CheckSpec["run"], more: Partial<CheckSpec> = {}): CheckSpec {
  return { name: "tests", run, cwd: ".", timeoutMs: 60_000, provenance: "donegate.yaml:4", ...more };
}

export function freezeWorkspace(
  root: string,
  run: CheckSpec["run"],
  more: Partial<FreezeInput> = {},
): Promise<VerificationPlan> {
  const input: FreezeInput = {
    checks: [checkSpec(run)],
    require: ["todos"],
    source: "config",
    protect: [],
    hidden: [],
    root,
  };
  return freezePlan({ ...input, ...more }, createContractPorts());
}
