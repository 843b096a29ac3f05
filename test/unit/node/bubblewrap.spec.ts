import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandSpec } from "../../../extension/core/ports/commandRunner";
import type { CommandView } from "../../../extension/core/ports/isolation";
import { Bubblewrap } from "../../../extension/node/bubblewrap";
import { NodeCommandRunner } from "../../../extension/node/nodeCommandRunner";
import { listProcesses } from "../../../extension/node/processTable";

const never = new AbortController().signal;
const containing = (text: string): unknown => expect.stringContaining(text);

let base = "";
let root = "";
let runner: NodeCommandRunner;

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "donegate-viewed-")));
  root = join(base, "a 'strange': root, with \"all\" $IFS");
  await mkdir(root);
  const runTag = `test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  runner = new NodeCommandRunner({ runTag, views: new Bubblewrap() });
});

afterEach(async () => {
  expect(await runner.endAll()).toEqual([]);
  await rm(base, { recursive: true, force: true });
});

const put = (path: string, text: string): Promise<void> => writeFile(join(root, path), text);

function run(
  command: CommandSpec["run"],
  view: Partial<CommandView> = {},
  options: Partial<CommandSpec> = {},
  signal = never,
) {
  const whole: CommandView = { root, writes: "dropped", absent: [], readOnly: [], empty: [], out: null, ...view };
  return runner.run({ run: command, cwd: root, timeoutMs: 10_000, view: whole, ...options }, signal);
}

describe("a machine that allows a private view", () => {
  it("says so after it has tried one", async () => {
    expect(await new Bubblewrap().probe()).toEqual({ level: "view", why: null });
  });
});

describe("a view whose writes are dropped", () => {
  it("shows the workspace under its own path and throws away what is written", async () => {
    await put("text", "before");
    const exit = await run("pwd; cat text; echo after > text; rm -f gone; echo new > made; cat text");
    expect(exit).toMatchObject({ ended: "exited", exitCode: 0, output: `${root}\nbeforeafter\n` });
    expect(readFileSync(join(root, "text"), "utf8")).toBe("before");
    expect(await readdir(root)).toEqual(["text"]);
  });

  it("leaves out what has to be absent, without a trace in the workspace", async () => {
    await put("conftest.py", "planted");
    await mkdir(join(root, "-rf folder"));
    const absent = [join(root, "conftest.py"), join(root, "-rf folder"), join(root, "never was")];
    expect(await run("ls -A | wc -l", { absent })).toMatchObject({ output: "0\n" });
    expect((await readdir(root)).sort()).toEqual(["-rf folder", "conftest.py"]);
  });

  it("deletes nothing through a link that leads out of the workspace", async () => {
    const outside = join(base, "outside");
    await mkdir(outside);
    await writeFile(join(outside, "conftest.py"), "mine");
    await symlink(outside, join(root, "link"));
    await run("true", { absent: [join(root, "link/conftest.py")] });
    expect(await readdir(outside)).toEqual(["conftest.py"]);
  });

  it.each(["", "/../outside"])(
    "refuses to make %j of the root absent, and anything where writes are kept",
    async (path) => {
      const refused = { ended: "not-started", error: containing("cannot be made absent") };
      expect(await run("true", { absent: [`${root}${path}`] })).toMatchObject(refused);
      expect(await run("true", { writes: "kept", absent: [join(root, "x")] })).toMatchObject(refused);
    },
  );

  it("keeps what goes into the folder for reports, and nothing else outside", async () => {
    const out = join(base, "out");
    const outside = join(base, "outside");
    await mkdir(out);
    await mkdir(outside);
    const exit = await run(["sh", "-c", 'echo report > "$1/r"; echo x > "$2/x"', "sh", out, outside], { out });
    expect(exit.exitCode).not.toBe(0);
    expect(readFileSync(join(out, "r"), "utf8")).toBe("report\n");
    expect(await readdir(outside)).toEqual([]);
  });

  it("gives the check a home whose changes are gone afterwards", async () => {
    const name = join(homedir(), `.donegate-test-${process.pid}`);
    expect(await run(["sh", "-c", 'echo x > "$1" && cat "$1"', "sh", name])).toMatchObject({ output: "x\n" });
    expect(existsSync(name)).toBe(false);
  });

  it("gives the check a fresh folder for temporary files", async () => {
    await writeFile(join(base, "planted"), "x");
    const exit = await run([
      "sh",
      "-c",
      'test ! -e "$1" && echo hi > /tmp/mine && cat /tmp/mine',
      "sh",
      join(base, "planted"),
    ]);
    expect(exit).toMatchObject({ exitCode: 0, output: "hi\n" });
    expect(existsSync("/tmp/mine")).toBe(false);
  });

  it("ends what the check left running, wherever it has gone", async () => {
    const stay = `sleep 3${process.pid}`;
    const exit = await run(`setsid nohup env -i ${stay} >/dev/null 2>&1 & sleep 0.1; echo done`);
    expect(exit).toMatchObject({ exitCode: 0, output: "done\n" });
    const alive = (await listProcesses()).filter(
      (row) => row.alive && commandLine(row.pid).includes(stay.replace(" ", "\0")),
    );
    expect(alive).toEqual([]);
  });
});

describe("a view whose writes are kept", () => {
  it("lets the workspace be written, and not what is read-only", async () => {
    await put("donegate.yaml", "before");
    await mkdir(join(root, "node_modules"));
    const readOnly = [join(root, "donegate.yaml"), join(root, "node_modules"), join(root, "never was")];
    const command =
      "echo made > made; echo x > donegate.yaml || true; rm -f donegate.yaml || true; echo x > node_modules/x || true";
    expect(await run(`{ ${command}; } 2>/dev/null`, { writes: "kept", readOnly })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, "donegate.yaml"), "utf8")).toBe("before");
    expect((await readdir(root)).sort()).toEqual(["donegate.yaml", "made", "node_modules"]);
    expect(await readdir(join(root, "node_modules"))).toEqual([]);
  });

  it("lets a server in the background live on until the run ends", async () => {
    const ready = join(root, "ready");
    const exit = await run(
      `(sh -c 'echo $$ > ready; exec sleep 60' &) ; while [ ! -s ready ]; do sleep 0.01; done; echo up`,
      { writes: "kept" },
    );
    expect(exit).toMatchObject({ ended: "exited", exitCode: 0, output: "up\n" });
    const pid = Number(readFileSync(ready, "utf8"));
    expect((await listProcesses()).some((row) => row.pid === pid && row.alive)).toBe(true);
  });
});

describe("what is hidden in a view", () => {
  it("shows a hidden folder and a secret file empty, by every path to them", async () => {
    await mkdir(join(root, "grader"));
    await put("grader/answers", "42");
    await put(".env", "KEY=1");
    await symlink("grader", join(root, "alias"));
    const empty = [join(root, "grader"), join(root, ".env"), join(root, "never was")];
    const command =
      "ls grader alias /proc/self/root/$PWD/grader 2>/dev/null | grep answers || true; cat .env; echo end";
    for (const writes of ["dropped", "kept"] as const) {
      expect(await run(command, { writes, empty })).toMatchObject({ exitCode: 0, output: "end\n" });
    }
    expect(readFileSync(join(root, ".env"), "utf8")).toBe("KEY=1");
    expect(await readdir(root)).not.toContain("never was");
  });
});

describe("how a command in a view ends", () => {
  it("hands on the exit code, the environment and the folder", async () => {
    await mkdir(join(root, "sub"));
    const exit = await run("pwd; echo $MINE; exit 7", {}, { cwd: join(root, "sub"), env: { MINE: "yes" } });
    expect(exit).toMatchObject({ ended: "exited", exitCode: 7, output: `${join(root, "sub")}\nyes\n` });
  });

  it("is not started when its program is missing, as without a view", async () => {
    expect(await run(["no-such-program", "x"])).toMatchObject({
      ended: "not-started",
      exitCode: null,
      error: containing("no-such-program"),
    });
  });

  it("is not started when the view cannot be made", async () => {
    const exit = await run(["true"], { out: join(base, "missing") });
    expect(exit).toMatchObject({ ended: "not-started", exitCode: null, error: containing("missing") });
  });

  it("is not started without anything that makes views", async () => {
    const bare = new NodeCommandRunner({ runTag: "bare" });
    const view: CommandView = { root, writes: "dropped", absent: [], readOnly: [], empty: [], out: null };
    const exit = await bare.run({ run: ["true"], cwd: root, timeoutMs: 1_000, view }, never);
    expect(exit).toMatchObject({ ended: "not-started", error: containing("no private view") });
  });

  it("is stopped with all its processes, also those that ignore TERM and have gone their own way", async () => {
    const stop = new AbortController();
    const stay = `sleep 4${process.pid}`;
    const running = run(
      `trap '' TERM; setsid nohup env -i ${stay} >/dev/null 2>&1 & sleep 0.2; echo up; sleep 60; sleep 60`,
      {},
      { onOutput: () => stop.abort() },
      stop.signal,
    );
    expect(await running).toMatchObject({ ended: "cancelled", survivors: [] });
    const gone = async (): Promise<boolean> =>
      !(await listProcesses()).some((row) => row.alive && commandLine(row.pid).includes(stay.replace(" ", "\0")));
    for (let round = 0; round < 40 && !(await gone()); round += 1) await delay(25);
    expect(await gone()).toBe(true);
  });

  it("leaves no folder of its own behind", async () => {
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith("donegate-view-"));
    await run("true");
    const after = (await readdir(tmpdir())).filter((name) => name.startsWith("donegate-view-"));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });
});

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
