import * as z from "zod";
import { AgentError } from "../agentError";
import type { BudgetConfig } from "../config/donegateConfig";

const count = z.int().min(0).exactOptional();
const amount = z.number().min(0);

const budgetSchema = z.strictObject({
  maxTurns: count,
  maxTokens: count,
  maxToolCalls: count,
  maxWallMs: amount.exactOptional(),
  maxCost: amount.exactOptional(),
  prices: z.strictObject({ input: amount, output: amount }).exactOptional(),
  maxChildren: count,
  maxDepth: count,
});

/** Throws `AgentError` ("configuration") for a budget that would not limit: NaN, text, a misspelt name, a cost without prices. */
export function checkBudget(budget: BudgetConfig): BudgetConfig {
  const parsed = budgetSchema.safeParse(budget);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AgentError("configuration", `budget.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "not valid"}`);
  }
  if (parsed.data.maxCost !== undefined && parsed.data.prices === undefined) {
    throw new AgentError(
      "configuration",
      "budget.maxCost needs budget.prices: without prices nothing can be summed up",
    );
  }
  return parsed.data;
}
