// Runs the command line as processes of their own: what a script or a person would meet, exit codes and streams included.
import { spawn, type ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Outcome } from "../../extension/core";
import { bundleCli } from "./bundleCli";

export interface CliResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface CliOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** Words before the program: another program that starts it. */
  through?: readonly string[];
}

export interface LiveCli {
  child: ChildProcess;
  ended: Promise<CliResult>;
  /** Resolves when the text has been printed on either stream; rejects when the process ends before. */
  printed(text: string): Promise<void>;
}

export interface CliRunner {
  (words: readonly string[], options?: CliOptions): Promise<CliResult>;
  start(words: readonly string[], options?: CliOptions): LiveCli;
  /** On a terminal, where somebody types `keys` when `text` is shown; `out` is what the terminal showed. */
  type(
    steps: readonly (readonly [text: string, keys: string])[],
    words: readonly string[],
    options?: CliOptions,
  ): Promise<CliResult>;
  /** State of the runs of this test file. */
  state(): string;
}

const typist = join(import.meta.dirname, "..", "fixtures", "programs", "typist.py");

/** Bundles the command line once for the tests of a file. Nothing of this machine's variables reaches it but what it needs. */
export function useCli(): CliRunner {
  let folder = "";
  beforeAll(async () => {
    folder = await bundleCli(join(import.meta.dirname, "..", "..", "extension", "cli", "main.ts"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const state = (): string => join(folder, "state");
  const start = (words: readonly string[], { cwd, env, through = [] }: CliOptions = {}): LiveCli => {
    const [program = "", ...args] = [...through, process.execPath, join(folder, "cli.cjs"), ...words];
    return follow(
      spawn(program, args, {
        cwd: cwd ?? folder,
        env: { PATH: process.env["PATH"], HOME: folder, XDG_STATE_HOME: state(), ...env },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
  };
  const type: CliRunner["type"] = (steps, words, options) =>
    start(words, { ...options, through: ["python3", typist, JSON.stringify(steps)] }).ended;
  return Object.assign((words: readonly string[], options?: CliOptions) => start(words, options).ended, {
    ...{ start, type, state },
  });
}

function follow(child: ChildProcess): LiveCli {
  const printed = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (printed.out += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (printed.err += text));
  const ended = new Promise<CliResult>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...printed }));
  });
  return {
    child,
    ended,
    printed: async (text) => {
      const has = (): boolean => printed.out.includes(text) || printed.err.includes(text);
      const end = ended.then(() => "ended" as const);
      while (!has()) {
        const next = new Promise<void>((resolve) => setTimeout(resolve, 10));
        if ((await Promise.race([next, end])) === "ended" && !has()) {
          throw new Error(`the process ended without "${text}":\n${printed.out}${printed.err}`);
        }
      }
    },
  };
}

/** The object of `--json`: alone on the last line of standard output. */
export function jsonOf(result: CliResult): Record<string, unknown> {
  const last = result.out.trimEnd().split("\n").at(-1) ?? "";
  return JSON.parse(last) as Record<string, unknown>;
}

export function outcomeOf(result: CliResult): Outcome {
  return jsonOf(result) as Outcome;
}
