// One execution of a frozen check together with what its runners reported about it.
import { absolutePath } from "../../contract/contractPaths";
import type { KnownCheck } from "../../contract/knownCheck";
import { askForReports, type AskedCheck } from "../../contract/runners/askForReports";
import type { FrozenCheck } from "../../contract/verificationPlan";
import type { CommandExit, CommandRunner, CommandSpec } from "../../ports/commandRunner";
import type { ScratchFolder, ScratchFolders } from "../../ports/scratchFolders";
import type { WorkspaceFiles } from "../../ports/workspaceFiles";
import type { RunnerReport } from "./judgeReports";
import { onlyNew, readLeftReports, type LeftReport } from "./leftReports";

export interface Execution {
  exit: CommandExit;
  /** All of the output as a person reads it. */
  output: string;
  /** One for each runner that was asked. */
  reports: readonly RunnerReport[];
}

export interface ExecutionSubject {
  check: FrozenCheck;
  known: KnownCheck;
  /** Absolute folder that stands for the workspace's root: the workspace itself or a copy of it. */
  root: string;
  ports: { files: WorkspaceFiles; commands: Pick<CommandRunner, "run">; scratch: ScratchFolders };
  listeners: Pick<CommandSpec, "onStarted" | "onOutput">;
  /** Only tests with this in their name. */
  only?: string;
}

/** `signal` ends the whole process group. Rejects only when no folder for the reports can be made. */
export async function executeCheck(subject: ExecutionSubject, signal: AbortSignal): Promise<Execution> {
  const { check, known, root, ports, listeners } = subject;
  const folder = await ports.scratch.create();
  try {
    const asked = askForReports(known, folder.path, subject.only);
    for (const [name, text] of Object.entries(asked.files)) await folder.put(name, text);
    const cwd = absolutePath(root, check.cwd);
    const leaves = asked.asked.flatMap(({ request }) => request.leaves ?? []);
    const before = await readLeftReports(leaves, cwd, ports.files);
    const env = { ...check.env, ...asked.env };
    const spec: CommandSpec = { run: asked.run, cwd, env, timeoutMs: check.timeoutMs, ...listeners };
    const exit = await ports.commands.run(spec, signal);
    const left = exit.ended === "exited" ? await readLeftReports(leaves, cwd, ports.files) : [];
    const printed = exit.fullOutput ?? exit.output;
    return {
      exit,
      output: asked.asked.reduce((text, { rule }) => rule.reporting?.show?.(text) ?? text, printed),
      reports: await readReports(asked, folder, onlyNew(left, before), { output: printed, cwd }),
    };
  } finally {
    await folder.remove();
  }
}

async function readReports(
  { asked, files }: AskedCheck,
  folder: ScratchFolder,
  left: readonly LeftReport[],
  { output, cwd }: { output: string; cwd: string },
): Promise<RunnerReport[]> {
  if (asked.length === 0) return [];
  const written = (await folder.read()).filter(({ name }) => !Object.hasOwn(files, name));
  return asked.map(({ rule, request }) => ({
    runner: rule.id,
    report: rule.reporting?.read({ files: [...written, ...left], output, cwd }) ?? {
      whole: false,
      why: "there is none",
    },
    mayBeMissing: request.mayLeaveNone === true,
  }));
}
