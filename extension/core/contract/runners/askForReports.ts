// Turns a check into the execution that also tells what it ran: the same command, with what its runners need to report.
import type { KnownCheck } from "../knownCheck";
import { quoteWord } from "./quoteWord";
import type { ReportRequest, RunnerRule } from "./runnerRule";
import { startedRunner, type StartedRunner } from "./startedRunner";

export interface AskedRunner {
  rule: RunnerRule;
  request: ReportRequest;
}

export interface AskedCheck {
  run: readonly string[] | string;
  env: Readonly<Record<string, string>>;
  /** What has to lie in the folder, by name. */
  files: Readonly<Record<string, string>>;
  /** Runners that have to leave a report. */
  asked: readonly AskedRunner[];
  /** Runners that cannot be asked in this command: the exit code is all there is. */
  unasked: readonly RunnerRule[];
}

/** `only`: a part of the names of the tests that are wanted. `folder` is the execution's own, with `/` between segments. */
export function askForReports({ spec, command }: KnownCheck, folder: string, only?: string): AskedCheck {
  const started = command.commands.map(startedRunner).filter((runner) => runner !== null);
  const isDirect = typeof spec.run !== "string" && started.length === 1 && command.scripts.length === 0;
  const assigned = command.commands.flat().map((word) => /^([A-Za-z_]\w*)=/.exec(word)?.[1]);
  let run = spec.run;
  const asked: AskedRunner[] = [];
  const unasked: RunnerRule[] = [];
  for (const { rule, words } of oneEach(started)) {
    const request = rule.reporting?.ask({ folder, words, ...(only === undefined ? {} : { only }) }) ?? null;
    const reached = request === null ? null : reach(run, words, request, isDirect);
    const names = Object.keys({ ...request?.env, ...(request?.node === undefined ? {} : { NODE_OPTIONS: "" }) });
    if (request === null || reached === null || names.some((name) => assigned.includes(name))) unasked.push(rule);
    else {
      run = reached;
      asked.push({ rule, request });
    }
  }
  return { run, asked, unasked, ...toSurroundings(asked, folder) };
}

function oneEach(started: readonly StartedRunner[]): StartedRunner[] {
  return [...new Map(started.map((runner) => [runner.rule.id, runner])).values()];
}

/** The command with the words that the runner needs; null when its own command line is out of reach. */
function reach(
  run: AskedCheck["run"],
  words: readonly string[],
  { args = [], replace }: ReportRequest,
  isDirect: boolean,
): AskedCheck["run"] | null {
  if (args.length === 0 && replace === undefined) return run;
  if (!isDirect || typeof run === "string") return null;
  const start = run.length - words.length;
  if (words.some((word, at) => run[start + at] !== word)) return null;
  const own = replace === undefined ? words : replaceWords(words, replace);
  return own === null ? null : [...run.slice(0, start), ...own, ...args];
}

function replaceWords(
  words: readonly string[],
  { words: old, by }: NonNullable<ReportRequest["replace"]>,
): string[] | null {
  const at = words.findIndex((_, index) => old.every((word, offset) => words[index + offset] === word));
  if (at >= 0) return [...words.slice(0, at), ...by, ...words.slice(at + old.length)];
  // Flags may stand between the program and its subcommand: what comes after the last word is added there.
  const last = words.indexOf(old.at(-1) ?? "");
  const extra = by.slice(old.length);
  return last < 0 || extra.length === 0 ? null : [...words.slice(0, last + 1), ...extra, ...words.slice(last + 1)];
}

function toSurroundings(asked: readonly AskedRunner[], folder: string): Pick<AskedCheck, "env" | "files"> {
  const env: Record<string, string> = {};
  const files: Record<string, string> = {};
  for (const { request } of asked) {
    for (const [name, value] of Object.entries(request.env ?? {})) addOption(env, name, value);
    Object.assign(files, request.files);
  }
  const programs = asked.flatMap(({ request }) => (request.node === undefined ? [] : [request.node]));
  if (programs.length > 0) {
    addOption(env, "NODE_OPTIONS", `--require=${quoteWord(`${folder}/arguments.cjs`)}`);
    files["arguments.cjs"] = toPreload(programs);
  }
  return { env, files };
}

function addOption(env: Record<string, string>, name: string, value: string): void {
  const known = env[name];
  env[name] = known === undefined || known === value ? value : `${known} ${value}`;
}

/**
 * Loaded into every Node program of the check: gives the runner its further arguments, wherever in a chain of scripts it
 * is started. A program that already has them was started by one that was given them.
 */
function toPreload(programs: readonly NonNullable<ReportRequest["node"]>[]): string {
  return `"use strict";
const { realpathSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");
const programs = ${JSON.stringify(programs)};
if (isMainThread && process.argv[1] !== undefined) {
  let started = process.argv[1];
  try {
    started = realpathSync(started);
  } catch {
    // A program that is not a file is none of ours.
  }
  started = started.replaceAll("\\\\", "/");
  for (const { programs: endings, args } of programs) {
    const isAsked = process.argv.some((word) => word.startsWith(args[args.length - 1].split("{pid}")[0]));
    if (isAsked || !endings.some((ending) => started.endsWith(ending))) continue;
    const added = args.map((word) => word.replace("{pid}", String(process.pid)));
    const end = process.argv.indexOf("--");
    process.argv.splice(end < 0 ? process.argv.length : end, 0, ...added);
  }
}
`;
}
