import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandSpec } from "../../../extension/core/ports/commandRunner";
import { NodeCommandRunner } from "../../../extension/node/nodeCommandRunner";
import { listProcesses, readStartTime } from "../../../extension/node/processTable";

const programs = join(import.meta.dirname, "../../fixtures/programs");
const never = new AbortController().signal;

const containing = (text: string): unknown => expect.stringContaining(text);

let cwd = "";
let runner: NodeCommandRunner;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), "donegate-commands-")));
  runner = new NodeCommandRunner({ runTag: `test-${process.pid}-${Math.random().toString(36).slice(2)}` });
});

afterEach(async () => {
  expect(await runner.endAll()).toEqual([]);
  await rm(cwd, { recursive: true, force: true });
});

function run(command: CommandSpec["run"], options: Partial<CommandSpec> = {}, signal = never) {
  return runner.run({ run: command, cwd, timeoutMs: 10_000, ...options }, signal);
}

async function isAlive(pid: number): Promise<boolean> {
  return (await listProcesses()).some((row) => row.pid === pid && row.alive);
}

async function waitFor(path: string): Promise<string> {
  while (!existsSync(path) || readFileSync(path, "utf8") === "") await delay(10);
  return readFileSync(path, "utf8");
}

describe("what a command says", () => {
  it("answers output, exit code and nothing left", async () => {
    expect(await run(["sh", "-c", "echo out; echo err >&2"])).toMatchObject({
      ended: "exited",
      exitCode: 0,
      signal: null,
      output: "out\nerr\n",
      fullOutput: null,
      survivors: [],
      error: null,
    });
  });

  it("has the output of a very short command every time", async () => {
    const outputs = new Set<string>();
    for (let round = 0; round < 200; round += 1) outputs.add((await run(["echo", "a"])).output);
    expect([...outputs]).toEqual(["a\n"]);
  }, 60_000);

  it("keeps both streams in the order they were written", async () => {
    const script = "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done";
    const expected = Array.from({ length: 9 }, (_, index) => `o${index + 1}\ne${index + 1}\n`).join("");
    expect((await run(script)).output).toBe(expected);
  });

  it("lets a program open its streams by name", async () => {
    expect((await run("echo one >/dev/stderr; echo two | tee /dev/stderr >/dev/null")).output).toBe("one\ntwo\n");
  });

  it("answers every exit code as it is", async () => {
    expect((await run(["sh", "-c", "exit 3"])).exitCode).toBe(3);
    expect(await run(["sh", "-c", "kill -9 $$"])).toMatchObject({
      ended: "signalled",
      exitCode: null,
      signal: "SIGKILL",
    });
  });

  it("joins a character that comes in two reads", async () => {
    expect((await run([process.execPath, join(programs, "splitCharacter.mjs")])).output).toBe("é\n");
  });

  it("keeps the last frame of a spinner", async () => {
    const { output } = await run([process.execPath, join(programs, "spinner.mjs")]);
    expect(output).toBe("⠋ step 4999\nfinished\n");
  });

  it("keeps head and tail of a long output, a count, and all of it aside", async () => {
    const { output, fullOutput } = await run(["seq", "1", "500000"]);
    expect(output).toMatch(/^1\n2\n[^]*\n\[\.\.\. \d+ characters \(\d+ lines\) left out \.\.\.\]\n[^]*\n500000\n$/);
    expect(output.length).toBeLessThan(16_000);
    expect(fullOutput?.split("\n").length).toBe(500_001);
  });

  it("hands out folded output as it comes", async () => {
    const seen: string[] = [];
    await run("printf '1%%\\r2%%\\n'; sleep 0.2; echo end", { onOutput: (text) => seen.push(text) });
    expect(seen).toEqual(["2%\n", "end\n"]);
  });

  it("stays small and can be ended while a command prints without end", async () => {
    const before = process.memoryUsage().rss;
    const exit = await run(["yes", "some text"], { timeoutMs: 700 });
    expect(exit).toMatchObject({ ended: "timeout", exitCode: null });
    expect(exit.fullOutput?.length).toBeLessThan(8_500_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000);
  });
});

describe("how a command is started", () => {
  it("starts an argv as it is", async () => {
    expect((await run(["printf", "%s|", "a b", "$HOME", "*", ""])).output).toBe("a b|$HOME|*||");
  });

  it("runs text in a shell that stops at the first failure, also within a pipe", async () => {
    expect(await run("false; echo on")).toMatchObject({ exitCode: 1, output: "" });
    expect(await run("exit 4 | cat")).toMatchObject({ exitCode: 4 });
    expect((await run("a=(1 2); echo ${#a[@]} && [[ x == x ]] && echo bash")).output).toBe("2\nbash\n");
  });

  it("passes the allow-listed environment only, quiet settings, what was added, and the run's mark", async () => {
    process.env["DONEGATE_TEST_API_KEY"] = "secret";
    process.env["HTTPS_PROXY"] = "http://proxy";
    try {
      const { output } = await run(["env"], { env: { MORE: "1", CI: "0", DONEGATE_RUN: "forged" } });
      const names = new Map(
        output
          .trim()
          .split("\n")
          .map((line) => [line.split("=")[0], line.slice(line.indexOf("=") + 1)]),
      );
      expect(names.get("MORE")).toBe("1");
      expect([names.get("CI"), names.get("NO_COLOR"), names.get("TERM")]).toEqual(["0", "1", "dumb"]);
      expect(names.get("DONEGATE_RUN")).toMatch(/^test-/);
      expect(names.get("PATH")).toBe(process.env["PATH"]);
      expect(names.has("DONEGATE_TEST_API_KEY") || names.has("HTTPS_PROXY")).toBe(false);
    } finally {
      delete process.env["DONEGATE_TEST_API_KEY"];
      delete process.env["HTTPS_PROXY"];
    }
  });

  it("gives no terminal and no input: a question ends at once and shows its text", async () => {
    expect(await run([join(programs, "askName.sh")])).toMatchObject({ exitCode: 7, output: "Your name? " });
    expect(await run("exec 3</dev/tty")).toMatchObject({ ended: "exited", exitCode: 1 });
  });

  it("says why a program did not start", async () => {
    await writeFile(join(cwd, "plain"), "text");
    const missing = await run(["no-such-program"]);
    expect(missing).toMatchObject({
      ended: "not-started",
      exitCode: null,
      error: containing("not found: no-such"),
    });
    expect(await run(["./plain"])).toMatchObject({
      ended: "not-started",
      error: containing("may not be executed"),
    });
    expect(await run(["true"], { cwd: join(cwd, "gone") })).toMatchObject({
      error: containing("folder to run in"),
    });
    for (const command of [[], [""], ["echo", "a\0b"], ["echo", "x".repeat(3_000_000)]]) {
      expect(await run(command)).toMatchObject({ ended: "not-started", exitCode: null });
    }
  });

  it("takes an sh that knows pipefail where bash is missing, and refuses text where none does", async () => {
    const bin = join(cwd, "bin");
    await mkdir(bin);
    const startText = (text: string) => {
      const here = new NodeCommandRunner({ runTag: "other-shell", environment: { PATH: bin } });
      return here.run({ run: text, cwd, timeoutMs: 5_000 }, never);
    };
    expect(await startText("true")).toMatchObject({ ended: "not-started", error: containing("neither bash nor sh") });
    await writeFile(join(bin, "sh"), '#!/bin/bash\n[ "$2" = -o ] && exit 2\n');
    await chmod(join(bin, "sh"), 0o755);
    expect(await startText("true")).toMatchObject({ ended: "not-started", error: containing("pipefail") });
    await writeFile(join(bin, "sh"), '#!/bin/bash\nexec /bin/bash "$@"\n');
    expect(await startText("echo ok; (exit 4) | while read -r line; do :; done")).toMatchObject({
      exitCode: 4,
      output: "ok\n",
    });
  });

  it("reports the process before any output, with a start time that can be found again", async () => {
    const order: string[] = [];
    let startedAt = 0;
    let found: number | null = null;
    await run("echo a; sleep 0.3", {
      onStarted: async (started) => {
        startedAt = started.startedAt;
        found = await readStartTime(started.pid);
        await delay(100);
        order.push("started");
      },
      onOutput: (text) => order.push(text),
    });
    expect(order).toEqual(["started", "a\n"]);
    expect(found).toBe(startedAt);
    expect(Math.abs(startedAt - Date.now())).toBeLessThan(5_000);
  });

  it("ends a process whose start could not be recorded", async () => {
    let pid = 0;
    const exit = await run(["sleep", "300"], {
      onStarted: async (started) => {
        pid = started.pid;
        throw new Error("disk full");
      },
    });
    expect(exit).toMatchObject({ ended: "cancelled", exitCode: null, error: containing("disk full") });
    expect(await isAlive(pid)).toBe(false);
  });
});

describe("how a command ends", () => {
  it("answers at exit though a child keeps the pipe", async () => {
    const exit = await run("sleep 60 & echo hi");
    expect(exit).toMatchObject({ ended: "exited", exitCode: 0, output: "hi\n" });
    // A minute is what waiting for the child would take.
    expect(exit.durationMs).toBeLessThan(30_000);
  });

  it("leaves a server in the background running and printing, until all is ended", async () => {
    const file = join(cwd, "pid");
    const started = await run(`"${process.execPath}" "${join(programs, "server.mjs")}" "${file}" & sleep 0.3; echo up`);
    expect(started).toMatchObject({ ended: "exited", exitCode: 0 });
    const pid = Number(await waitFor(file));
    await delay(300);
    expect(await isAlive(pid)).toBe(true);
    expect(await runner.endAll()).toEqual([]);
    expect(await isAlive(pid)).toBe(false);
  });

  it("ends with all what left its group and closed its streams, and spares a command that still runs", async () => {
    const live = run("sleep 1.2; echo lived");
    await run(`setsid bash -c 'echo $$ >pid; exec sleep 300' >/dev/null 2>&1 & sleep 0.2`);
    const pid = Number(await waitFor(join(cwd, "pid")));
    expect(await isAlive(pid)).toBe(true);
    expect(await runner.endAll()).toEqual([]);
    expect(await isAlive(pid)).toBe(false);
    expect(await live).toMatchObject({ exitCode: 0, output: "lived\n" });
  });

  it.each(["timeout", "cancelled"] as const)(
    "has everything dead within two seconds of a %s, stubborn ones too",
    async (how) => {
      const controller = new AbortController();
      const file = join(cwd, "pids");
      const running = run(
        [join(programs, "stubborn.sh"), file],
        { timeoutMs: how === "timeout" ? 1_000 : 60_000 },
        controller.signal,
      );
      const pids = (await waitFor(file)).trim().split("\n").map(Number);
      expect(pids.length).toBeGreaterThanOrEqual(4);
      const before = performance.now();
      if (how === "cancelled") controller.abort();
      const exit = await running;
      expect(performance.now() - before).toBeLessThan(how === "cancelled" ? 2_000 : 3_000);
      expect(exit).toMatchObject({ ended: how, exitCode: null, survivors: [], output: "ready\n" });
      for (const pid of pids) expect(await isAlive(pid)).toBe(false);
    },
  );

  it("ends a stubborn orphan that can be told by nothing any more once its parent is gone", async () => {
    const script = `trap "" TERM; env -i "$(command -v setsid)" "$(command -v sleep)" 300 >/dev/null & trap - TERM; echo $! >pid; wait`;
    expect(await run(script, { timeoutMs: 500 })).toMatchObject({ ended: "timeout", survivors: [] });
    expect(await isAlive(Number(await waitFor(join(cwd, "pid"))))).toBe(false);
  });

  it("ends a well-behaved group at its first word", async () => {
    let fastestMs = Infinity;
    // A busy machine may make one run late; who waits out the half second before the second word is late in each.
    for (let tries = 0; tries < 10 && fastestMs >= 550; tries += 1) {
      const exit = await run("sleep 300 & sleep 300", { timeoutMs: 100 });
      expect(exit).toMatchObject({ ended: "timeout", signal: "SIGTERM" });
      fastestMs = Math.min(fastestMs, exit.durationMs);
    }
    expect(fastestMs).toBeLessThan(550);
  });

  it("calls no success what exits with zero because it was ended", async () => {
    expect(await run("trap 'exit 0' TERM; sleep 300 & wait", { timeoutMs: 300 })).toMatchObject({
      ended: "timeout",
      exitCode: null,
    });
  });

  it("cancels one command and spares another of the same run", async () => {
    const controller = new AbortController();
    const other = run("sleep 1; echo other");
    const cancelled = run(["sleep", "300"], {}, controller.signal);
    await delay(200);
    controller.abort();
    expect(await cancelled).toMatchObject({ ended: "cancelled" });
    expect(await other).toMatchObject({ exitCode: 0, output: "other\n" });
  });

  it("starts nothing when it is cancelled before", async () => {
    const exit = await run("touch made", {}, AbortSignal.abort());
    expect(exit).toMatchObject({ ended: "cancelled", exitCode: null });
    expect(existsSync(join(cwd, "made"))).toBe(false);
  });

  it("takes a timeout longer than a timer can hold", async () => {
    expect(await run("sleep 0.1; echo a", { timeoutMs: 1e12 })).toMatchObject({ ended: "exited", output: "a\n" });
  });

  it("leaves no file descriptor behind", async () => {
    const count = () => Number(spawnSync("sh", ["-c", `ls /proc/${process.pid}/fd | wc -l`]).stdout);
    await run(["true"]);
    const before = count();
    for (let round = 0; round < 20; round += 1) await run(round % 2 === 0 ? ["true"] : ["no-such-program"]);
    // The system closes them a little after the exit is told; how much later depends on the machine's load.
    await expect.poll(count, { timeout: 5_000 }).toBeLessThanOrEqual(before);
  });
});

describe("endLeftOvers", () => {
  async function startStranger() {
    const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    const pid = child.pid ?? 0;
    return { pid, startedAt: (await readStartTime(pid)) ?? 0, end: () => process.kill(pid, "SIGKILL") };
  }

  it("ends what still runs under the same number with the same start time", async () => {
    const { pid, startedAt } = await startStranger();
    expect(await runner.endLeftOvers([{ pid, startedAt }])).toEqual([]);
    expect(await isAlive(pid)).toBe(false);
  });

  it("spares a stranger that was given the number later", async () => {
    const { pid, startedAt, end } = await startStranger();
    expect(await runner.endLeftOvers([{ pid, startedAt: startedAt - 60_000 }])).toEqual([]);
    expect(await isAlive(pid)).toBe(true);
    end();
  });

  it("spares this process and those that started it, whatever is asked", async () => {
    const own = [process.pid, process.ppid];
    const processes = await Promise.all(own.map(async (pid) => ({ pid, startedAt: (await readStartTime(pid)) ?? 0 })));
    expect(await runner.endLeftOvers(processes)).toEqual([]);
    expect(await isAlive(process.ppid)).toBe(true);
  });

  it("finds also what replaces its program at that very moment", { timeout: 60_000 }, async () => {
    for (let round = 0; round < 100; round += 1) {
      const tag = `round-${round}`;
      const earlier = new NodeCommandRunner({ runTag: tag });
      await earlier.run({ run: "setsid sleep 60 >/dev/null 2>&1 & echo $! >pid", cwd, timeoutMs: 5_000 }, never);
      const pid = Number(await waitFor(join(cwd, "pid")));
      expect(await new NodeCommandRunner({ runTag: tag }).endLeftOvers([])).toEqual([]);
      expect(await isAlive(pid), tag).toBe(false);
    }
  });

  it("finds by the mark what outlived the process that was recorded", async () => {
    const earlier = new NodeCommandRunner({ runTag: "same-run" });
    await earlier.run({ run: "setsid sleep 300 >/dev/null 2>&1 & echo $! >pid", cwd, timeoutMs: 5_000 }, never);
    const pid = Number(await waitFor(join(cwd, "pid")));
    expect(await new NodeCommandRunner({ runTag: "another-run" }).endLeftOvers([])).toEqual([]);
    expect(await isAlive(pid)).toBe(true);
    expect(await new NodeCommandRunner({ runTag: "same-run" }).endLeftOvers([])).toEqual([]);
    expect(await isAlive(pid)).toBe(false);
    await earlier.endAll();
  });
});

describe("which", () => {
  it("answers the real path that running the name would find", async () => {
    await mkdir(join(cwd, "bin"));
    await mkdir(join(cwd, "first", "tool"), { recursive: true });
    await writeFile(join(cwd, "first", "plain"), "not executable");
    await writeFile(join(cwd, "bin", "real"), "#!/bin/sh\necho found\n");
    await chmod(join(cwd, "bin", "real"), 0o755);
    for (const name of ["tool", "plain"]) await symlink("real", join(cwd, "bin", name));
    const environment = { PATH: `first:bin:${process.env["PATH"]}` };
    const here = new NodeCommandRunner({ runTag: "which", environment });
    for (const name of ["tool", "plain"]) {
      expect(await here.which(name, cwd)).toBe(join(cwd, "bin", "real"));
      expect(await here.run({ run: [name], cwd, timeoutMs: 5_000 }, never)).toMatchObject({ output: "found\n" });
    }
    expect(await here.which("./bin/real", cwd)).toBe(join(cwd, "bin", "real"));
    expect(await here.which("no-such-program", cwd)).toBeNull();
    expect(await here.which("./first/plain", cwd)).toBeNull();
    expect(await here.which("", cwd)).toBeNull();
  });
});
