import { describeProblems } from "./argumentProblems";
import type { AnyToolDef } from "./toolDef";

export type ParsedArguments =
  | { ok: true; args: never }
  /** Says what is wrong, field by field, and the expected shape. */
  | { ok: false; message: string };

/** Validates what a model wrote for `tool`. The answer's `args` are what is judged and what runs. */
export function parseArguments(tool: AnyToolDef, value: unknown): ParsedArguments {
  const parsed = tool.args.safeParse(value);
  if (parsed.success) return { ok: true, args: parsed.data };
  return { ok: false, message: `${tool.name}: ${describeProblems(parsed.error, value, tool.args)}` };
}
