// The shapes of `donegate.yaml`. What lies between several values is checked where each section is read.
import * as z from "zod";

const text = z.string().refine((value) => value.trim() !== "", "must not be empty");
const glob = text.refine((value) => value.length <= 1024, "is longer than 1024 characters");
const count = z.int().min(1);
const structural = z.enum(["todos", "diff", "diagnostics", "receipts"]);
const attempts = z.int().min(1);

/** Text, or a list of texts. Its own check, so that a wrong member has its own place. */
const command = z.custom<string | string[]>().superRefine((value: unknown, context) => {
  const complain = (message: string, path: PropertyKey[] = []): void =>
    context.addIssue({ code: "custom", message, path });
  if (value === undefined) return complain("is missing");
  if (typeof value === "string") return value.trim() === "" ? complain("must not be empty") : undefined;
  if (!Array.isArray(value)) return complain("has to be a text or a list of texts");
  if (value.length === 0) return complain("must not be empty");
  value.forEach((word: unknown, index) => {
    if (typeof word !== "string") complain("has to be text: put it in quotes", [index]);
    else if (index === 0 && word.trim() === "") complain("must not be empty", [index]);
  });
});

const argv = z.array(z.string()).min(1);
const seconds = z.number().positive().max(86_400);

const check = z.strictObject({
  name: text,
  run: command,
  cwd: text.exactOptional(),
  timeout: seconds.exactOptional(),
});

const verify = z.strictObject({
  maxAttempts: attempts,
  checks: z.array(check).exactOptional(),
  require: z.array(structural).exactOptional(),
  outputs: z.array(glob).exactOptional(),
  knownRed: z.array(text).exactOptional(),
});

const match = z.strictObject({
  tool: text.exactOptional(),
  tag: z
    .enum(["read", "write", "command", "network", "git", "forge", "delegate", "prod", "plan", "ask"])
    .exactOptional(),
  command: glob.exactOptional(),
  env: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()], "has to be text, a number, true or false"))
    .exactOptional(),
  path: glob.exactOptional(),
  args: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()], "has to be text, a number, true or false"))
    .exactOptional(),
});

const rule = z.strictObject({
  deny: match.exactOptional(),
  ask: match.exactOptional(),
  allow: match.exactOptional(),
  reason: text.exactOptional(),
  level: z.enum(["normal", "guarded", "prod"]).exactOptional(),
  id: text.exactOptional(),
  examples: z
    .strictObject({
      allow: z.array(text).exactOptional(),
      ask: z.array(text).exactOptional(),
      deny: z.array(text).exactOptional(),
    })
    .exactOptional(),
});

export const rules = z.array(rule);

const parameter = z.strictObject({
  type: z.enum(["string", "number", "boolean"]).exactOptional(),
  enum: z.array(text).min(1).exactOptional(),
  description: z.string().exactOptional(),
  optional: z.boolean().exactOptional(),
});

const toolName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, "a tool's name has lower-case letters, digits and _ only, a letter first");
const parameterName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "a parameter's name has letters, digits and _ only, no digit first");
const agentName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]*$/, "an agent's name has lower-case letters, digits, _ and - only, a letter first");

const tool = z.strictObject({
  description: text,
  parameters: z.record(parameterName, parameter).exactOptional(),
  run: argv,
  readback: argv.exactOptional(),
  timeout: seconds.exactOptional(),
});

const budget = z.strictObject({
  maxTurns: count.exactOptional(),
  maxTokens: count.exactOptional(),
  maxToolCalls: count.exactOptional(),
  maxWallMs: count.exactOptional(),
  maxCost: z.number().positive().exactOptional(),
  prices: z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() }).exactOptional(),
  maxChildren: z.int().min(0).exactOptional(),
  maxDepth: z.int().min(0).exactOptional(),
});

const agent = z.strictObject({
  does: text,
  model: text.exactOptional(),
  prompt: text.exactOptional(),
  tools: z.array(text).exactOptional(),
  completion: z
    .strictObject({ verify: z.enum([...structural.options, "checks"]), maxAttempts: attempts })
    .exactOptional(),
  guardrails: rules.exactOptional(),
  budget: budget.exactOptional(),
});

export const configSchema = z.strictObject({
  verify: verify.exactOptional(),
  contract: z
    .strictObject({ protect: z.array(glob).exactOptional(), hidden: z.array(glob).exactOptional() })
    .exactOptional(),
  guardrails: rules.exactOptional(),
  tools: z.record(toolName, tool).exactOptional(),
  agents: z.record(agentName, agent).exactOptional(),
  prod: z.strictObject({ patterns: z.array(text).exactOptional() }).exactOptional(),
  budget: budget.exactOptional(),
});

export type ConfigShape = z.output<typeof configSchema>;
export type VerifyShape = z.output<typeof verify>;
export type RuleShape = z.output<typeof rule>;
export type ToolShape = z.output<typeof tool>;
export type AgentShape = z.output<typeof agent>;
