import * as z from "zod";
import { defineTool } from "./defineTool";
import { refuse } from "./toolResult";

/**
 * The engine turns a call with the tag `ask` into a question to the person, and the person's answer is the result.
 * `run` is what is left where nothing does that: a question nobody was asked has no answer.
 */
export const askHuman = defineTool({
  name: "ask_human",
  description: "Asks the person one question and waits for the answer.",
  args: z.strictObject({
    question: z
      .string()
      .min(1)
      .max(4000)
      .refine((text) => text.trim() !== "", "must not be blank"),
  }),
  tags: ["ask"],
  run: async () => refuse("unavailable", "no person could be asked"),
});
