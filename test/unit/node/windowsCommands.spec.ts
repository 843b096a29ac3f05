// Windows cannot be run here: what is decided for it is tested as decisions, and taskkill by a stand-in of the same words.
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NodeCommandRunner } from "../../../extension/node/nodeCommandRunner";
import { endTrees, isThere, toTaskkill } from "../../../extension/node/processGroup";
import { explainNoShell, toShellFolders } from "../../../extension/node/shellProgram";

describe("the shell on Windows", () => {
  it("is a bash on the path, else the one beside git, else that of Git's usual places", () => {
    const environment = {
      Path: "C:\\tools;D:\\Apps\\Git\\cmd;relative;C:\\Windows",
      ProgramFiles: "C:\\Program Files",
      LOCALAPPDATA: "C:\\Users\\ada\\AppData\\Local",
    };
    expect(toShellFolders(environment, "win32")).toEqual([
      "C:\\tools",
      "D:\\Apps\\Git\\cmd",
      "C:\\Windows",
      "D:\\Apps\\Git\\bin",
      "C:\\Program Files\\Git\\bin",
      "C:\\Users\\ada\\AppData\\Local\\Programs\\Git\\bin",
    ]);
  });

  it("is never the bash that starts a Linux machine", () => {
    const Path =
      "C:\\Windows\\System32;C:\\WINDOWS\\system32\\;C:\\Users\\ada\\AppData\\Local\\Microsoft\\WindowsApps;C:\\x";
    expect(toShellFolders({ Path }, "win32")).toEqual(["C:\\x"]);
  });

  it("is named as missing, with what to do, instead of PowerShell or cmd", () => {
    const message = explainNoShell(null, "win32");
    expect(message).toMatch(/^no shell to run this text: neither bash nor sh was found/);
    expect(message).toMatch(/Git for Windows.*cmd and PowerShell are not used$/);
    expect(explainNoShell("/bin/sh", "linux")).toBe(
      "no shell to run this text: bash was not found, and /bin/sh does not know `-o pipefail`",
    );
  });

  it("does not come from the workspace on any system", () => {
    expect(toShellFolders({ PATH: ".:bin::/usr/bin" }, "linux")).toEqual(["/usr/bin"]);
    expect(toShellFolders({ PATH: "node_modules/.bin" }, "linux")).toEqual(["/usr/bin", "/bin"]);
  });
});

describe("a text where there is no shell", () => {
  it("is an environment error that names the shell, never a failed command", async () => {
    const empty = realpathSync(mkdtempSync(join(tmpdir(), "no-shell-")));
    try {
      const runner = new NodeCommandRunner({ runTag: "no-shell", environment: { PATH: empty } });
      const spec = { run: "echo a && echo b", cwd: empty, timeoutMs: 5_000 };
      const exit = await runner.run(spec, new AbortController().signal);
      expect(exit).toMatchObject({ ended: "not-started", exitCode: null, output: "" });
      expect(exit.error).toMatch(/neither bash nor sh was found/);
    } finally {
      rmSync(empty, { recursive: true, force: true });
    }
  });
});

describe("taskkill", () => {
  let folder = "";
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "taskkill-")));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function standIn(does: string): string {
    const path = join(folder, "taskkill");
    writeFileSync(path, `#!/bin/sh\necho "$@" >> ${folder}/words\n${does}\n`);
    chmodSync(path, 0o755);
    return path;
  }

  async function sleeping(): Promise<number> {
    const child = spawn("sleep", ["60"], { stdio: "ignore" });
    if (child.pid === undefined) throw new Error("nothing was started");
    return child.pid;
  }

  it("is called by its full path, for the whole tree and by force", async () => {
    const pid = await sleeping();
    expect(await endTrees([pid], standIn('kill -9 "$2"'))).toEqual([]);
    expect(readFileSync(join(folder, "words"), "utf8")).toBe(`/PID ${pid} /T /F\n`);
    expect(toTaskkill({ SystemRoot: "D:\\Windows" })).toBe("D:\\Windows\\System32\\taskkill.exe");
    expect(toTaskkill({})).toBe("C:\\Windows\\System32\\taskkill.exe");
  });

  it.each([
    ["fails", "exit 1"],
    ["does not come back", "exec sleep 60"],
  ])("that %s leaves a named process within two seconds", async (_name, does) => {
    const pid = await sleeping();
    const startedAt = performance.now();
    expect(await endTrees([pid], standIn(does))).toEqual([pid]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    process.kill(pid, "SIGKILL");
    while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(existsSync(join(folder, "words"))).toBe(true);
  });

  it("that is not there leaves the process named", async () => {
    const pid = await sleeping();
    expect(await endTrees([pid], join(folder, "missing"))).toEqual([pid]);
    process.kill(pid, "SIGKILL");
  });
});
