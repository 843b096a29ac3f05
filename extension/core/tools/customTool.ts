import * as z from "zod";
import type { CustomToolConfig, ParameterConfig } from "../config/donegateConfig";
import { runForTool } from "./commandResult";
import { defineTool } from "./defineTool";
import type { AnyToolDef } from "./toolDef";

/** A command tool from `donegate.yaml`. No shell is involved: an argument can never become more than its own word. */
export function createCustomTool(name: string, config: CustomToolConfig): AnyToolDef {
  const parameters = Object.entries(config.parameters).map(
    ([key, parameter]) => [key, toSchema(parameter, startsWord(config, key))] as const,
  );
  return defineTool({
    name,
    description: config.description,
    args: z.strictObject(Object.fromEntries(parameters)),
    tags: ["command", "network"],
    defaultVerdict: "ask",
    run: (args, context) =>
      runForTool({ run: fillArgv(config.run, args), cwd: context.root, timeoutMs: config.timeoutMs }, context),
  });
}

/** The argv that reads back what a call did; null when the tool declares none. `args` are the call's validated ones. */
export function readbackArgv(
  tool: CustomToolConfig,
  args: Readonly<Record<string, unknown>>,
): readonly string[] | null {
  return tool.readback === null ? null : fillArgv(tool.readback, args);
}

const placeholder = /\$\{([^}]*)\}/g;

/** A word that names an optional argument which was not given is left out whole. */
function fillArgv(words: readonly string[], args: Readonly<Record<string, unknown>>): readonly string[] {
  const given = (name: string): unknown => (Object.hasOwn(args, name) ? args[name] : undefined);
  return words
    .filter((word) => [...word.matchAll(placeholder)].every((match) => given(match[1] ?? "") !== undefined))
    .map((word) => word.replace(placeholder, (_, name: string) => String(given(name))));
}

function startsWord(config: CustomToolConfig, name: string): boolean {
  return [...config.run, ...(config.readback ?? [])].some((word) => word.startsWith(`\${${name}}`));
}

function toSchema(
  parameter: ParameterConfig,
  startsItsWord: boolean,
): z.ZodType<string | number | boolean | undefined> {
  const base = toBaseSchema(parameter, startsItsWord);
  const described = parameter.description === undefined ? base : base.describe(parameter.description);
  return parameter.optional === true ? described.optional() : described;
}

function toBaseSchema(parameter: ParameterConfig, startsItsWord: boolean): z.ZodType<string | number | boolean> {
  if (parameter.enum !== undefined) return z.enum([...parameter.enum]);
  if (parameter.type === "number") return z.number();
  if (parameter.type === "boolean") return z.boolean();
  return z
    .string()
    .max(10_000)
    .refine((text) => !text.includes("\0"), "must not hold a NUL character")
    .refine(
      (text) => !startsItsWord || !text.startsWith("-"),
      "must not begin with a dash: it would be taken as an option",
    );
}
