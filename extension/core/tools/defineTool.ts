import type * as z from "zod";
import type { PathUse, Tag } from "../guardrails/verdict";
import { toParameters } from "./argumentProblems";
import type { AnyToolDef, ToolContext, ToolDef, ToolResult } from "./toolDef";

export interface ToolDraft<Schema extends z.ZodType> {
  name: string;
  description: string;
  args: Schema;
  tags: readonly Tag[];
  /** `allow` unless said otherwise. */
  defaultVerdict?: ToolDef["defaultVerdict"];
  paths?: (args: z.output<Schema>) => readonly PathUse[];
  run: (args: z.output<Schema>, context: ToolContext) => Promise<ToolResult>;
}

/** Derives the wire schema from the arguments and closes over their type. */
export function defineTool<Schema extends z.ZodType>(draft: ToolDraft<Schema>): AnyToolDef {
  const tool: ToolDef<z.output<Schema>> = {
    name: draft.name,
    description: draft.description,
    args: draft.args as unknown as z.ZodType<z.output<Schema>>,
    parameters: toParameters(draft.args),
    tags: draft.tags,
    defaultVerdict: draft.defaultVerdict ?? "allow",
    paths: draft.paths ?? (() => []),
    run: draft.run,
  };
  // Sound as long as `run` only gets what `args` answered, which parseArguments sees to.
  return tool as unknown as AnyToolDef;
}
