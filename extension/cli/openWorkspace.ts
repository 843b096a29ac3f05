import type { CliIo } from "./cliIo";
import { composeBasics, type Basics } from "./compose";
import { readConfigFile, type ConfigFile } from "./configFile";
import type { Refusal } from "./exitCodes";
import { valueOf, type ParsedArguments } from "./parseArguments";
import { findWorkspaceRoot } from "./workspaceRoot";

export interface OpenedWorkspace {
  ok: true;
  basics: Basics;
  /** Absolute real path. */
  root: string;
  /** Null: the workspace has no donegate.yaml and none was named. */
  file: ConfigFile | null;
}

/** What `--workspace` and `--config` name. Starts and writes nothing. */
export async function openWorkspace(args: ParsedArguments, io: CliIo): Promise<OpenedWorkspace | Refusal> {
  const basics = composeBasics();
  const found = await findWorkspaceRoot(valueOf(args, "workspace"), io.cwd);
  if (!found.ok) return found;
  const { root } = found;
  const config = await readConfigFile({ root, named: valueOf(args, "config"), cwd: io.cwd }, basics.hasher);
  return config.ok ? { ok: true, basics, root, file: config.file } : config;
}
