import * as z from "zod";
import { mergeById, type TestReport } from "../testReport";

const document = z.object({
  examples: z.array(z.object({ full_description: z.string(), file_path: z.string(), status: z.string() })),
  summary: z.object({ example_count: z.number(), errors_outside_of_examples_count: z.number().optional() }),
});

/** What rspec's JSON formatter writes. */
export function readRspecJson(text: string): TestReport {
  const parsed = parse(text);
  if (parsed === null) return { whole: false, why: "it is not the JSON that this runner writes" };
  const { examples, summary } = parsed;
  if (examples.length < summary.example_count) return { whole: false, why: "it names fewer examples than it counts" };
  return {
    whole: true,
    tests: mergeById(
      examples.map(({ full_description, file_path, status }) => ({
        id: `${file_path.replace(/^\.\//, "")} > ${full_description}`,
        outcome: status === "passed" ? "passed" : status === "pending" ? "skipped" : "failed",
      })),
    ),
  };
}

function parse(text: string): z.infer<typeof document> | null {
  try {
    return document.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // torn or overwritten, which the caller calls by its name
  }
}
