// Runs the command line as processes of their own on the story's workspace, kills them, resumes, and answers for the person.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import {
  pendingApprovals,
  type Approval,
  type JournaledEvent,
  type Outcome,
  type RunState,
} from "../../extension/core";
import { bundleCli } from "./bundleCli";
import { killVariable, type KillAt } from "./killingCliPoint";
import type { ModelScript, ModelStep } from "./modelScript";
import { WorkspaceBench } from "./workspaceBench";

export interface CliExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

/** Bundles the command line for the tests of one file; answers where it will be. */
export function useKillingCli(): () => string {
  let folder = "";
  beforeAll(async () => {
    folder = await bundleCli(join(import.meta.dirname, "killingCli.ts"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => join(folder, "cli.cjs");
}

export class CliBench {
  constructor(
    private readonly program: () => string,
    readonly workspace: WorkspaceBench = WorkspaceBench.story(),
  ) {}

  run(goal: string, kill: KillAt | null = null, ...words: readonly string[]): Promise<CliExit> {
    const { root, journal, server } = this.workspace;
    return this.cli(
      [
        ...["run", "--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "scripted"],
        ...["--trust-config", "--json", ...words, goal],
      ],
      kill,
    );
  }

  resume(words: readonly string[] = [], kill: KillAt | null = null): Promise<CliExit> {
    return this.cli(["resume", "--journal", this.workspace.journal, "--json", ...words], kill);
  }

  cli(words: readonly string[], kill: KillAt | null = null): Promise<CliExit> {
    return this.start(words, kill).exit;
  }

  start(
    words: readonly string[],
    kill: KillAt | null = null,
  ): { exit: Promise<CliExit>; interrupt(): void; kill(): void } {
    const { base } = this.workspace;
    const env: NodeJS.ProcessEnv = {
      PATH: process.env["PATH"],
      HOME: base,
      XDG_STATE_HOME: join(base, "state"),
      ...(kill === null ? {} : { [killVariable]: JSON.stringify(kill) }),
    };
    const child = spawn(process.execPath, [this.program(), ...words], {
      cwd: base,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const text = { out: "", err: "" };
    child.stdout.on("data", (chunk: Buffer) => (text.out += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (text.err += chunk.toString()));
    const exit = new Promise<CliExit>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve({ code, signal, ...text }));
    });
    return { exit, interrupt: () => child.kill("SIGINT"), kill: () => child.kill("SIGKILL") };
  }

  async state(): Promise<RunState> {
    return (await this.workspace.load()).state;
  }

  async events(): Promise<readonly JournaledEvent[]> {
    return (await this.workspace.load()).events;
  }

  /**
   * Starts the run and goes on until it has a final status: a killed process is followed by a resume, which is killed at
   * the next point if there is one; what waits is answered as `answer` says.
   */
  async playOut(goal: string, kills: readonly KillAt[], answer: PersonRule): Promise<CliExit[]> {
    const left = [...kills];
    const exits = [await this.run(goal, left[0])];
    for (let round = 0; round < 20; round += 1) {
      const last = exits.at(-1);
      if (last?.signal === "SIGKILL") left.shift();
      else if (last?.code !== 3) return exits;
      exits.push(await this.resume(await this.answers(answer), left[0]));
    }
    throw new Error(`the run does not come to an end: ${JSON.stringify(exits.at(-1))}`);
  }

  private async answers(answer: PersonRule): Promise<readonly string[]> {
    const state = await this.state();
    return pendingApprovals(state).flatMap((approval) => {
      const reason = answer(approval, state);
      return reason === null ? ["--approve", approval.id] : ["--deny", approval.id, "--reason", reason];
    });
  }
}

/** Null approves; a text denies with it as the reason. */
export type PersonRule = (approval: Approval, state: RunState) => string | null;

/** The person of the story: the first deploy comes too early. */
export const storyPerson: PersonRule = ({ id, tool }, { approvals }) => {
  const isFirst = approvals.find((approval) => approval.tool === tool)?.id === id;
  return tool === "deploy" && isFirst ? "not before the checks pass" : null;
};

/** What `--json` printed: the one object, last. */
export function outcomeOf({ out }: CliExit): Outcome {
  return JSON.parse(out.slice(out.lastIndexOf("\n{") + 1)) as Outcome;
}

/** A bench on a workspace with just these files. */
export async function smallBench(
  program: () => string,
  script: ModelScript,
  files: Readonly<Record<string, string>> = {},
): Promise<CliBench> {
  const bench = new CliBench(program, new WorkspaceBench());
  for (const [path, text] of Object.entries(files)) bench.workspace.put(path, text);
  await bench.workspace.serve(script);
  return bench;
}

/** Plays by the number of replies so far, so that a request that a crash cut off is answered again. */
export function byReplies(...steps: readonly ModelStep[]): ModelScript {
  return ({ messages }) => steps[messages.filter((message) => message["role"] === "assistant").length] ?? null;
}

/** Processes that carry the run's id in their environment (Linux). */
export function processesOf({ workspace }: CliBench): string[] {
  const { run } = JSON.parse(readFileSync(workspace.journal, "utf8").split("\n")[0] ?? "{}") as { run: string };
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(`=${run}\0`);
    } catch {
      // It has ended since it was listed, or is somebody else's.
      return false;
    }
  });
}
