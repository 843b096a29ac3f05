import * as z from "zod";

/** One entry of a `todowrite` call, as the model writes it. */
export interface TodoEntry {
  id?: string | undefined;
  text: string;
  status: "pending" | "in_progress" | "completed" | "cancelled";
  reason?: string | undefined;
}

export const todosArgument = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(100).optional().describe("The id that an earlier result gave; left out for a new item"),
      text: z
        .string()
        .min(1)
        .max(2000)
        .refine((text) => text.trim() !== "", "must not be blank"),
      status: z.enum(["pending", "in_progress", "completed", "cancelled"]),
      reason: z.string().max(2000).optional().describe("Why an item is cancelled"),
    }),
  )
  .max(200);
