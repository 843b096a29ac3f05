// Every tool an agent can call, one file per tool in this folder.
// The registry is made once per run, so that the list sent to the model never changes in it.
import { AgentError } from "../agentError";
import type { CustomToolConfig } from "../config/donegateConfig";
import { askHuman } from "./askHuman";
import { createCustomTool } from "./customTool";
import { deleteFile } from "./deleteFile";
import { editFile } from "./editFile";
import { listFiles } from "./listFiles";
import { moveFile } from "./moveFile";
import { readFile } from "./readFile";
import { runCommand } from "./runCommand";
import { createRunTests } from "./runTests";
import { searchFiles } from "./searchFiles";
import { todowrite } from "./todowrite";
import type { AnyToolDef } from "./toolDef";
import { createRegistry } from "./toolRegistry";
import type { ToolRegistry } from "./toolRegistry";
import { writeFile } from "./writeFile";

export interface ToolOptions {
  /** Names of the frozen checks; asked at each `run_tests` call. */
  checkNames: () => readonly string[];
  /** `ask`: a person confirms every change by a file tool. `allow` when left out. */
  edits?: "allow" | "ask";
  /** The tools an agent has; all when left out or null. Throws on a name that is no tool. */
  only?: readonly string[] | null;
}

/** Throws when a custom tool takes a built-in tool's name: configuration reports that first. */
export function createTools(custom: Readonly<Record<string, CustomToolConfig>>, options: ToolOptions): ToolRegistry {
  const own = Object.entries(custom).map(([name, config]) => createCustomTool(name, config));
  return createRegistry(choose([...createBuiltIns(options), ...own], options.only ?? null));
}

export const builtInToolNames: readonly string[] = createBuiltIns({ checkNames: () => [] }).map((tool) => tool.name);

function createBuiltIns(options: Pick<ToolOptions, "checkNames" | "edits">): AnyToolDef[] {
  const edits = [editFile, writeFile, deleteFile, moveFile].map((tool) => ({
    ...tool,
    defaultVerdict: options.edits ?? "allow",
  }));
  return [
    readFile,
    listFiles,
    searchFiles,
    ...edits,
    runCommand,
    createRunTests(options.checkNames),
    todowrite,
    askHuman,
  ];
}

function choose(tools: readonly AnyToolDef[], only: readonly string[] | null): readonly AnyToolDef[] {
  const missing = only?.filter((name) => !tools.some((tool) => tool.name === name)) ?? [];
  if (missing.length > 0) throw new AgentError("configuration", `there is no tool named ${missing.join(", ")}`);
  return only === null ? tools : tools.filter((tool) => only.includes(tool.name));
}
