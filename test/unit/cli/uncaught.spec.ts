// A mistake that no code caught: the process says so, ends with an error, and what it has recorded can be resumed.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, useCli } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "donegate-uncaught-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Loaded by the process before its program: `act` happens when USR2 comes. */
function onUsr2(act: string): Record<string, string> {
  const file = join(folder, "preload.cjs");
  writeFileSync(file, `process.on("SIGUSR2", () => { ${act} });\n`);
  return { NODE_OPTIONS: `--require ${file}` };
}

describe("what nobody caught", () => {
  it.each([
    ["a rejection", 'Promise.reject(new Error("provoked\\u001b[2J"))'],
    ["an exception", 'setTimeout(() => { throw new Error("provoked\\u001b[2J"); }, 0)'],
  ])("%s ends a run with code 1 and a journal that can be resumed", async (_name, act) => {
    const root = await temporaryWorkspace({ "donegate.yaml": "verify: off\n" });
    const server = await FakeModelServer.start([{ kind: "stall" }, { kind: "reply", text: "done" }]);
    onTestFinished(() => server.close());
    const journal = join(dirname(root), "journal.jsonl");
    const words = ["run", "--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "m"];
    const live = cli.start([...words, "--trust-config", "--kind", "question", "why?"], { env: onUsr2(act) });
    await live.printed("Goal: why?");
    await expect.poll(() => server.requests.length, { timeout: 10_000 }).toBe(1);
    live.child.kill("SIGUSR2");
    const result = await live.ended;
    expect(result).toMatchObject({ code: 1, signal: null });
    expect(result.err).toMatch(/^unexpected, and not caught: provoked.*\n.*donegate resume --journal FILE\n$/);
    expect(result.err).not.toContain("\u001b");
    expect((await cli(["journal", "verify", journal])).code).toBe(0);
    expect(outcomeOf(await cli(["resume", "--journal", journal, "--json"]))).toMatchObject({ text: "done" });
  });

  it("is not hidden by a command that has no run", async () => {
    const act = 'process.emit("SIGUSR2")';
    const env = onUsr2('Promise.reject("a word")');
    writeFileSync(join(folder, "now.cjs"), `setImmediate(() => ${act});\n`);
    const live = await cli(["check-command", "ls"], {
      env: { NODE_OPTIONS: `${env["NODE_OPTIONS"]} --require ${join(folder, "now.cjs")}` },
    });
    expect(live).toMatchObject({ code: 1 });
    expect(live.err).toContain("not caught");
  });
});
