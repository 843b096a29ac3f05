import * as z from "zod";
import { runForTool } from "./commandResult";
import { defineTool } from "./defineTool";
import { normalisePath, pathArgument, resolveWorkspacePath } from "./workspacePath";

const defaultTimeoutMs = 120_000;
const maxTimeoutMs = 600_000;

export const runCommand = defineTool({
  name: "run_command",
  description:
    "Runs shell text in bash, also on Windows (never cmd or PowerShell), without a terminal and with closed input, and answers its output and exit code. It is ended when its time is over. A server is started with `&`; it ends with the run at the latest.",
  args: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(20_000)
      .refine((text) => text.trim() !== "", "must not be blank")
      .refine((text) => !text.includes("\0"), "must not hold a NUL character")
      .describe("Shell text"),
    cwd: pathArgument.optional().describe("Folder relative to the workspace root; the root when left out"),
    timeoutMs: z.int().min(1).max(maxTimeoutMs).optional().describe(`Milliseconds, ${defaultTimeoutMs} when left out`),
  }),
  tags: ["command"],
  defaultVerdict: "ask",
  paths: ({ cwd }) => (cwd === undefined ? [] : [{ path: normalisePath(cwd), use: "list", surface: "shell" }]),
  run: ({ command, cwd, timeoutMs }, context) =>
    runForTool(
      {
        run: command,
        cwd: cwd === undefined ? context.root : resolveWorkspacePath(context.root, cwd).absolute,
        timeoutMs: timeoutMs ?? defaultTimeoutMs,
      },
      context,
    ),
});
