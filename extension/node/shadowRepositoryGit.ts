import { spawn } from "node:child_process";

export interface GitCall {
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Byte text, one character per byte. */
  input?: string;
  signal?: AbortSignal | undefined;
}

export interface GitAnswer {
  ended: "exited" | "missing" | "cancelled" | "killed";
  exitCode: number | null;
  stdout: Buffer;
  stderr: string;
}

const killAfterMs = 500;

/** Runs git once. Never rejects. `signal` ends it: TERM first, so that git removes its lock files, then KILL. */
export function runGit(call: GitCall): Promise<GitAnswer> {
  return new Promise((resolve) => {
    if (call.signal?.aborted) return resolve(failed("cancelled", ""));
    const child = spawn(call.program, call.args, {
      cwd: call.cwd,
      env: call.env,
      stdio: "pipe",
      windowsHide: true,
    });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      child.kill("SIGTERM");
      timer = setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    };
    const settle = (answer: GitAnswer): void => {
      clearTimeout(timer);
      call.signal?.removeEventListener("abort", stop);
      resolve(call.signal?.aborted ? { ...answer, ended: "cancelled" } : answer);
    };
    call.signal?.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    // Git may end before it has read everything; its exit code tells why.
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => settle(failed("missing", error.message)));
    child.on("close", (exitCode) =>
      settle({
        ended: exitCode === null ? "killed" : "exited",
        exitCode,
        stdout: Buffer.concat(out),
        stderr: Buffer.concat(errors).toString("latin1"),
      }),
    );
    child.stdin.end(Buffer.from(call.input ?? "", "latin1"));
  });
}

function failed(ended: GitAnswer["ended"], stderr: string): GitAnswer {
  return { ended, exitCode: null, stdout: Buffer.alloc(0), stderr };
}

/**
 * The caller's environment without anything that could steer git: no GIT_* variable, no person's or system's configuration,
 * and messages in English because a few of them are read.
 */
export function isolatedEnvironment(inherited: NodeJS.ProcessEnv, home: string): Record<string, string | undefined> {
  const kept = Object.entries(inherited).filter(([name]) => !/^(GIT_|LC_|LANG)/i.test(name));
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: "C",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Settings that hold for every call, so that nothing the person or the agent configured is ever run or believed. */
export const fixedSettings: readonly string[] = [
  "core.fsmonitor=false",
  "core.untrackedCache=false",
  "core.hooksPath=/dev/null",
  "core.excludesFile=/dev/null",
  "core.attributesFile=/dev/null",
  "core.autocrlf=false",
  "core.sparseCheckout=false",
  "core.splitIndex=false",
  "core.protectNTFS=false",
  "core.protectHFS=false",
  "core.longpaths=true",
  "core.precomposeUnicode=false",
  "core.warnAmbiguousRefs=false",
  "core.fsync=none",
  "gc.auto=0",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);
