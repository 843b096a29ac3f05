import type { CommandExit, CommandSpec } from "../ports/commandRunner";
import { boundText } from "./boundText";
import type { ToolContext, ToolErrorCode, ToolResult } from "./toolDef";
import { refuse } from "./toolResult";

/** Journals, runs and reports one command of a tool. */
export async function runForTool(
  spec: Pick<CommandSpec, "run" | "cwd" | "timeoutMs">,
  context: ToolContext,
): Promise<ToolResult> {
  if (context.signal.aborted) return refuse("cancelled", "cancelled before it started");
  await context.begin({});
  const exit = await context.ports.commands.run(
    { ...spec, onStarted: (process) => context.processStarted(process), onOutput: (text) => context.progress(text) },
    context.signal,
  );
  return toCommandResult(exit, spec.timeoutMs);
}

/** Only an exit with code 0 is a success; an unknown code is not. */
export function toCommandResult(exit: CommandExit, timeoutMs: number): ToolResult {
  const bounded = boundText(exit.output);
  const body = bounded.text === "" ? "(no output)\n" : bounded.text.endsWith("\n") ? bounded.text : `${bounded.text}\n`;
  const text = body + [describeEnd(exit, timeoutMs), ...describeSurvivors(exit)].join("\n");
  const full = exit.fullOutput ?? (bounded.cut ? exit.output : null);
  const rest = full === null ? {} : { fullOutput: full };
  if (exit.ended === "exited" && exit.exitCode === 0) return { ok: true, output: text, ...rest };
  return { ok: false, code: endCodes[exit.ended], message: text, exitCode: exit.exitCode, ...rest };
}

const endCodes: Record<CommandExit["ended"], ToolErrorCode> = {
  exited: "command-failed",
  signalled: "command-failed",
  timeout: "timeout",
  cancelled: "cancelled",
  "not-started": "unavailable",
};

function describeEnd(exit: CommandExit, timeoutMs: number): string {
  switch (exit.ended) {
    case "exited":
      return `exit code ${exit.exitCode ?? "unknown"}`;
    case "signalled":
      return `ended by signal ${exit.signal ?? "unknown"}, exit code ${exit.exitCode ?? "unknown"}`;
    case "timeout":
      return `timed out after ${timeoutMs} ms and was ended, exit code ${exit.exitCode ?? "unknown"}`;
    case "cancelled":
      return `cancelled and ended, exit code ${exit.exitCode ?? "unknown"}`;
    case "not-started":
      return `could not start: ${exit.error ?? "no reason was given"}`;
  }
}

function describeSurvivors(exit: CommandExit): string[] {
  return exit.survivors.length === 0 ? [] : [`still running, could not be ended: process ${exit.survivors.join(", ")}`];
}
