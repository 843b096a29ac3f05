import { absolutePath, joinPath, normalizePath } from "./contractPaths";
import { expandScripts, parseScripts, type ExpandedCommand } from "./expandScripts";
import type { ContractPorts } from "./contractPorts";
import { rulesFor } from "./runnerRules";
import type { RunnerRule } from "./runners/runnerRule";
import type { CheckSpec } from "./verificationPlan";

/** A check with what is known about its command. */
export interface KnownCheck {
  spec: CheckSpec;
  command: ExpandedCommand;
  rules: readonly RunnerRule[];
}

/** Looks through the package scripts that the check runs, as they are on the disk now. */
export async function knowCheck(
  spec: CheckSpec,
  ports: Pick<ContractPorts, "files">,
  root: string,
): Promise<KnownCheck> {
  const read = await ports.files.read(absolutePath(root, joinPath(spec.cwd, "package.json")));
  const command = expandScripts(spec.run, parseScripts(read.ok ? new TextDecoder().decode(read.value.bytes) : null));
  return { spec: { ...spec, cwd: normalizePath(spec.cwd) }, command, rules: rulesFor(command.commands) };
}
