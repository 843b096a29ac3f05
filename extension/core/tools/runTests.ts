import * as z from "zod";
import type { CheckResult } from "../gate/checkResult";
import { defineTool } from "./defineTool";
import type { AnyToolDef } from "./toolDef";
import { refuse, succeed } from "./toolResult";

/** `checkNames` answers the frozen checks' names at the time of the call. */
export function createRunTests(checkNames: () => readonly string[]): AnyToolDef {
  return defineTool({
    name: "run_tests",
    description: "Runs the project's checks, all of them or the one named, and answers how each ended.",
    args: z.strictObject({
      check: z.string().min(1).max(200).optional().describe("Name of one check; all when left out"),
    }),
    tags: ["command"],
    async run({ check }, context) {
      const unknown = (): string => `there is no check named ${JSON.stringify(check)}. ${nameThem(checkNames())}`;
      if (check !== undefined && !checkNames().includes(check)) return refuse("not-found", unknown());
      if (context.signal.aborted) return refuse("cancelled", "cancelled before it started");
      await context.begin({});
      const results = await context.ports.runChecks(check ?? null, context.signal);
      if (results === null) return refuse("not-found", unknown());
      if (results.length === 0) return refuse("unavailable", "there is no check to run, so nothing was tested");
      const report = results.map(describeResult).join("\n");
      if (context.signal.aborted) return refuse("cancelled", `cancelled\n${report}`);
      return results.every((result) => result.verdict === "pass") ? succeed(report) : refuse("command-failed", report);
    },
  });
}

function nameThem(names: readonly string[]): string {
  return names.length === 0 ? "No checks are set up." : `The checks are: ${names.join(", ")}.`;
}

function describeResult(result: CheckResult): string {
  const code = result.exitCode === null ? "" : ` (exit code ${result.exitCode})`;
  const head = `${result.name}: ${result.verdict}${code}`;
  return result.reason === "" ? head : `${head}\n${result.reason}`;
}
