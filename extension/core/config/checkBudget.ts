import type { ConfigReport } from "./configReport";
import type { BudgetConfig } from "./donegateConfig";
import type { YamlPath } from "./yamlSource";

export function checkBudget(budget: BudgetConfig, path: YamlPath, report: ConfigReport): void {
  if (budget.maxCost !== undefined && budget.prices === undefined) {
    report.problem([...path, "maxCost"], "needs prices: without them no cost can be known", "key");
  }
}
