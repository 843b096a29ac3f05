// Commands as they are, through the real command line: what the model is told, and what is left when the run has ended.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { listProcesses } from "../../extension/node/processTable";
import { CliBench, useKillingCli } from "../support/killingCliBench";
import type { ModelStep } from "../support/modelScript";
import { call, say, WorkspaceBench } from "../support/workspaceBench";

const program = useKillingCli();

const allowed = "verify: off\nguardrails:\n  - { allow: { tool: run_command } }\n";
const server = `node -e "require('node:http').createServer((q, a) => a.end('served')).listen(0, function () {
  require('node:fs').writeFileSync('port', String(this.address().port)); console.log('ready') })"`;

const run = (command: string, timeoutMs = 60_000): ModelStep =>
  call({ name: "run_command", args: { command, timeoutMs } });

async function bench(...steps: readonly ModelStep[]): Promise<CliBench> {
  const cli = new CliBench(program, new WorkspaceBench());
  cli.workspace.put("donegate.yaml", allowed);
  await cli.workspace.serve([...steps, say("Done.")]);
  return cli;
}

async function told(cli: CliBench): Promise<string[]> {
  return (await cli.events()).flatMap((event) => (event.type === "tool_end" ? [event.result] : []));
}

/** One that has ended and waits to be collected does not live. */
async function isAlive(pid: string): Promise<boolean> {
  return (await listProcesses()).some((row) => row.pid === Number(pid) && row.alive);
}

async function waitFor(path: string): Promise<string> {
  while (!existsSync(path) || readFileSync(path, "utf8").trim() === "") await delay(10);
  return readFileSync(path, "utf8").trim();
}

describe("what the model is told about a command", { timeout: 120_000 }, () => {
  it("is its output as a person would see it, and how it ended, never a guess", async () => {
    const spinner = String.raw`for i in $(seq 1 5000); do printf '\r\033[32m| %s\033[0m' $i; done; printf '\ndone\n'`;
    const cli = await bench(
      run("echo a"),
      run("exit 3"),
      run("kill -9 $$"),
      run("printf 'Name? '; read x"),
      run(String.raw`printf '\xc3'; sleep 0.2; printf '\xa9\n'`),
      run(spinner),
      run("seq 1 200000"),
      run('echo "CI=$CI"; test -t 0 || test -t 1 || echo no terminal'),
    );
    expect((await cli.run("Look around.")).signal).toBeNull();
    const results = await told(cli);
    expect(results[0]).toBe("a\nexit code 0");
    expect(results[1]).toMatch(/exit code 3$/);
    expect(results[2]).toMatch(/ended by signal SIGKILL, exit code unknown$/);
    expect(results[3]).toMatch(/^Name\? \nexit code 1$/);
    expect(results[4]).toBe("é\nexit code 0");
    expect(results[5]).toBe("| 5000\ndone\nexit code 0");
    expect(results[6]).toMatch(
      /^1\n2\n[^]*\[\.\.\. \d+ characters \(\d+ lines\) left out \.\.\.\]\n[^]*200000\nexit code 0$/,
    );
    expect(results[6]?.length).toBeLessThan(20_000);
    expect(results[7]).toBe("CI=1\nno terminal\nexit code 0");

    const long = (await cli.events()).flatMap((event) => (event.type === "tool_end" ? [event] : []))[6];
    const store = cli.workspace.store();
    const whole = long === undefined || long.blob === null ? null : await store.getBlob(long.blob);
    await store.close();
    expect(whole?.split("\n")).toHaveLength(200_001);
  });
});

describe("a server that a command starts", { timeout: 60_000 }, () => {
  it("in the foreground is ended at its time limit, and the run goes on", async () => {
    const cli = await bench(run(`echo $$ > pid; ${server}`, 3_000), run("echo next"));
    await cli.run("Start the server.");
    const results = await told(cli);
    expect(results[0]).toMatch(/^ready\ntimed out after 3000 ms and was ended, exit code unknown$/);
    expect(results[1]).toBe("next\nexit code 0");
    expect(await isAlive(cli.workspace.read("pid"))).toBe(false);
  });

  it("in the background serves the commands after it, and ends with the run", async () => {
    const asks = `until [ -s port ]; do sleep 0.05; done
      node -e "fetch('http://127.0.0.1:' + require('node:fs').readFileSync('port')).then((r) => r.text()).then(console.log)"`;
    const cli = await bench(run(`${server} > server.log & echo $! > pid`), run(asks));
    await cli.run("Start the server.");
    const results = await told(cli);
    expect(results[0]).toBe("(no output)\nexit code 0");
    expect(results[1]).toBe("served\nexit code 0");
    expect(await isAlive(cli.workspace.read("pid"))).toBe(false);
  });

  it("is gone with all that it started when the run is stopped", async () => {
    const cli = await bench(run("echo $$ > shell; (trap '' TERM; sleep 300) & echo $! > worker; sleep 300"));
    const started = cli.start([
      ...["run", "--workspace", cli.workspace.root, "--journal", cli.workspace.journal, "--trust-config", "--json"],
      ...["--base-url", cli.workspace.server.baseUrl, "--model", "scripted", "Start the workers."],
    ]);
    const pids = [await waitFor(join(cli.workspace.root, "shell")), await waitFor(join(cli.workspace.root, "worker"))];
    started.interrupt();
    expect((await started.exit).code).toBe(4);
    expect(await Promise.all(pids.map(isAlive))).toEqual([false, false]);
    expect((await cli.state()).end?.status).toBe("interrupted");
  });
});
