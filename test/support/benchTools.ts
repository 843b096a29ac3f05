import * as z from "zod";
import { defineTool, type ToolContext } from "../../extension/core";
import type { AnyToolDef } from "../../extension/core/tools/toolDef";
import type { Tag } from "../../extension/core/guardrails/verdict";

export interface RecordedTool {
  tool: AnyToolDef;
  /** The arguments of every execution, in order. */
  executed: Record<string, unknown>[];
}

/** A tool that records what it was executed with and answers `act`'s text, or "ok". */
export function recordTool(
  name: string,
  {
    tags = ["read"],
    act,
  }: { tags?: readonly Tag[]; act?: (args: Record<string, unknown>, context: ToolContext) => Promise<string> } = {},
): RecordedTool {
  const executed: Record<string, unknown>[] = [];
  const tool = defineTool({
    name,
    description: `Test tool ${name}`,
    args: z.looseObject({}),
    tags,
    run: async (args, context) => {
      if (tags.includes("write") || tags.includes("command")) await context.begin({});
      executed.push(args);
      return { ok: true, output: act === undefined ? "ok" : await act(args, context) };
    },
  });
  return { tool, executed };
}
