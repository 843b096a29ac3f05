import * as z from "zod";
import { applyTodos } from "../plan/applyTodos";
import { renderLedger } from "../plan/renderLedger";
import { todosArgument } from "../plan/todoEntry";
import { defineTool } from "./defineTool";
import { refuse } from "./toolResult";

export const todowrite = defineTool({
  name: "todowrite",
  description:
    "Declares or updates the plan. Items keep the ids that the result shows; an item that is left out stays as it is, and its text never changes.",
  args: z.strictObject({ todos: todosArgument }),
  tags: ["plan"],
  async run({ todos }, context) {
    const applied = applyTodos(context.ledger, todos);
    if (!applied.ok) return refuse("invalid-arguments", applied.message);
    const lines = [renderLedger(applied.ledger), ...applied.notes.map((note) => `Note: ${note}`)];
    return { ok: true, output: lines.join("\n"), ledger: applied.ledger };
  },
});
