import { AgentError } from "../agentError";
import type { WireTool } from "../ports/modelClient";
import type { AnyToolDef } from "./toolDef";

export interface ToolRegistry {
  /** Null for a name that is no tool. */
  find(name: string): AnyToolDef | null;
  /** In the order of declaration. */
  names(): readonly string[];
  /** The request's tool list, in the order of `names`: the same object every time. */
  wire(): readonly WireTool[];
}

/** Throws on two tools of one name. */
export function createRegistry(tools: readonly AnyToolDef[]): ToolRegistry {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size !== tools.length) throw new AgentError("configuration", "two tools have the same name");
  const names: readonly string[] = tools.map((tool) => tool.name);
  const wire: readonly WireTool[] = tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  return { find: (name) => byName.get(name) ?? null, names: () => names, wire: () => wire };
}
