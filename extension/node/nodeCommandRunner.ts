import { stat } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { createOutputFold } from "../core/tools/foldOutput";
import type { CommandView } from "../core/ports/isolation";
import type { CommandExit, CommandRunner, CommandSpec } from "../core/ports/commandRunner";
import { notStarted } from "../core/ports/notStarted";
import type { Bubblewrap, ViewedProgram } from "./bubblewrap";
import { commandVariable, runVariable, toBaseEnvironment, toCommandEnvironment } from "./commandEnvironment";
import { followProcess, startProcess, type CommandEnding, type Program } from "./commandProcess";
import { openOutputChannel, type OutputChannel } from "./outputChannel";
import { endProcesses, isGroupAlive, isThere } from "./processGroup";
import { isSameStart, readStartTime } from "./processTable";
import { findProgram } from "./programLookup";
import { findShell, type ShellProgram } from "./shellProgram";

export interface NodeCommandRunnerOptions {
  /** Put into the environment of every process of the run (`DONEGATE_RUN`); also finds what an earlier life left. */
  runTag: string;
  /** Runs command texts instead of bash; has to know `-e -o pipefail -c`. */
  shell?: string;
  /** Where the allow-listed base environment comes from, `process.env` by default. */
  environment?: NodeJS.ProcessEnv;
  /** Makes the views that commands ask for; without it such a command does not start. */
  views?: Bubblewrap;
}

/**
 * Runs commands as real processes. What a command leaves running when it exits (a server in the background) stays until
 * `endAll`: call that before a check and at the end of the run. On Windows a process tree is ended at once, without TERM.
 */
export class NodeCommandRunner implements CommandRunner {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly live = new Set<string>();
  private readonly left = new Map<number, OutputChannel>();
  private shell: Promise<ShellProgram> | null = null;
  private commandCount = 0;

  constructor(private readonly options: NodeCommandRunnerOptions) {
    this.environment = options.environment ?? process.env;
  }

  async run(spec: CommandSpec, signal: AbortSignal): Promise<CommandExit> {
    const program = await this.toProgram(spec.run);
    if ("message" in program) return notStarted(program.message);
    const isFolder = await stat(spec.cwd).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isFolder) return notStarted(`the folder to run in is missing: ${spec.cwd}`);
    const channel = await openOutputChannel();
    if (signal.aborted) {
      channel.closeTargets();
      channel.close();
      return { ...notStarted("cancelled before it started"), ended: "cancelled" };
    }
    if (spec.view === undefined) return this.runIn(channel, program, spec, signal);
    const viewed = await this.toView(program, spec.cwd, spec.view);
    if ("message" in viewed) {
      channel.closeTargets();
      channel.close();
      return notStarted(viewed.message);
    }
    const exit = await this.runIn(channel, viewed.program, spec, signal);
    const wasStarted = await viewed.wasStarted();
    await viewed.dispose();
    // The view's own failure and a missing program both end with 1, like a red test.
    return exit.ended !== "exited" || wasStarted
      ? exit
      : { ...notStarted(exit.output.trim()), durationMs: exit.durationMs };
  }

  private async toView(program: Program, cwd: string, view: CommandView): Promise<ViewedProgram | { message: string }> {
    const { views } = this.options;
    if (views === undefined) return { message: "no private view can be made here" };
    try {
      return await views.wrap(program, cwd, view);
    } catch (error: unknown) {
      return {
        message: `the private view could not be made: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
  }

  private async runIn(
    channel: OutputChannel,
    program: Program,
    spec: CommandSpec,
    signal: AbortSignal,
  ): Promise<CommandExit> {
    const mark = `${this.options.runTag}.${process.pid}.${(this.commandCount += 1)}`;
    const env = toCommandEnvironment(this.environment, spec.env ?? {}, { run: this.options.runTag, command: mark });
    const startedAt = performance.now();
    const started = await startProcess(program, channel, { cwd: spec.cwd, env });
    if (!started.ok) {
      channel.close();
      return notStarted(started.message);
    }
    this.live.add(mark);
    const fold = createOutputFold();
    const ending = await followProcess({ ...started, mark, channel }, spec, signal, (text) => {
      const folded = fold.push(text);
      if (folded !== "") spec.onOutput?.(folded);
    });
    await channel.drain();
    this.live.delete(mark);
    this.keepLeftOvers(started.pid, channel);
    return { ...toExit(ending), ...fold.end(), durationMs: Math.round(performance.now() - startedAt) };
  }

  /** Keeps what the command left running under our eyes. */
  private keepLeftOvers(group: number, channel: OutputChannel): void {
    if (!isGroupAlive(group) && channel.hasEnded()) return channel.close();
    channel.discard();
    this.left.set(group, channel);
  }

  /**
   * Ends what finished commands left running, on Linux also what left its group; commands that still run are spared.
   * Answers what could not be ended.
   */
  async endAll(): Promise<readonly number[]> {
    // A process under the group's own number is a stranger: ours has exited, so the number was given away again.
    const groups = [...this.left.keys()].filter((group) => !isThere(group));
    const survivors = await endProcesses({ groups, isMarked: (environment) => this.isLeftOver(environment) });
    for (const [group, channel] of this.left) {
      if (survivors.length > 0 && isGroupAlive(group)) continue;
      channel.close();
      this.left.delete(group);
    }
    return survivors;
  }

  private isLeftOver(environment: readonly string[]): boolean {
    if (!environment.includes(`${runVariable}=${this.options.runTag}`)) return false;
    const prefix = `${commandVariable}=`;
    const mark = environment.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
    return mark === undefined || !this.live.has(mark);
  }

  async endLeftOvers(processes: readonly { pid: number; startedAt: number }[]): Promise<readonly number[]> {
    const same = await Promise.all(
      processes.map(async ({ pid, startedAt }) => {
        const found = await readStartTime(pid);
        return found !== null && isSameStart(found, startedAt);
      }),
    );
    const groups = processes.filter((_, index) => same[index]).map(({ pid }) => pid);
    const survivors = await endProcesses({ groups, isMarked: (environment) => this.isLeftOver(environment) });
    // Windows tells no start time: what runs under such a number is named, not ended.
    const unknown = process.platform === "win32" ? processes.map(({ pid }) => pid).filter(isThere) : [];
    return [...survivors, ...unknown];
  }

  which(program: string, cwd: string): Promise<string | null> {
    return findProgram(program, cwd, toBaseEnvironment(this.environment));
  }

  /** The shell that runs command texts, or why there is none. */
  findShell(): Promise<ShellProgram> {
    this.shell ??= this.options.shell
      ? Promise.resolve({ ok: true, path: this.options.shell })
      : findShell(this.environment);
    return this.shell;
  }

  private async toProgram(run: CommandSpec["run"]): Promise<Program | { message: string }> {
    if (typeof run !== "string") {
      const [file, ...args] = run;
      return file ? { file, args } : { message: "the command is empty" };
    }
    const shell = await this.findShell();
    return shell.ok ? { file: shell.path, args: ["-e", "-o", "pipefail", "-c", run] } : { message: shell.message };
  }
}

function toExit(ending: CommandEnding): Omit<CommandExit, "output" | "fullOutput" | "durationMs"> {
  const { stopped, exitCode, signal, survivors, error } = ending;
  const ended = stopped ?? (exitCode === null ? "signalled" : "exited");
  return { ended, exitCode, signal, survivors, error };
}
