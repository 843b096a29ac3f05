// Stop from outside: a signal ends a run within two seconds, whatever it is doing, and leaves nothing running.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, outcomeOf, useCli } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelScript } from "../../support/modelScript";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();

/** Writes its own number, does not mind TERM, and would pass in the end. */
const stubborn =
  "verify: { maxAttempts: 2, require: [], checks: [{ name: slow, run: \"trap '' TERM; echo $$ > pid; sleep 60\" }] }\n";

async function start(script: ModelScript, config: string) {
  const root = await temporaryWorkspace({ "donegate.yaml": config });
  const server = await FakeModelServer.start(script);
  onTestFinished(() => server.close());
  const journal = join(dirname(root), "journal.jsonl");
  const words = ["run", "--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "m"];
  return { root, journal, live: cli.start([...words, "--trust-config", "--json", "do it"]) };
}

/** The number that the check's shell wrote. */
async function pidOf(root: string): Promise<number> {
  const file = join(root, "pid");
  while (!existsSync(file) || readFileSync(file, "utf8").trim() === "") await sleep(20);
  return Number(readFileSync(file, "utf8"));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const says = (text: string) => [{ kind: "reply", text }] as const;

describe("the first signal", () => {
  it.each([["SIGINT"], ["SIGTERM"]] as const)(
    "%s ends a run in the middle of a check, its processes too",
    async (signal) => {
      const { root, journal, live } = await start(says("done"), stubborn);
      const pid = await pidOf(root);
      const sentAt = performance.now();
      live.child.kill(signal);
      const result = await live.ended;
      expect(performance.now() - sentAt).toBeLessThan(2_000);
      expect(result.code).toBe(4);
      expect(outcomeOf(result)).toMatchObject({ status: "interrupted", verdict: "none", attempts: 0, limit: null });
      expect(isAlive(pid)).toBe(false);
      expect((await cli(["journal", "verify", journal])).code).toBe(0);
    },
  );

  it("ends a run that waits for the model", async () => {
    const { live } = await start([{ kind: "stall" }], "verify: off\n");
    await live.printed("Goal: do it");
    live.child.kill("SIGINT");
    expect((await live.ended).code).toBe(4);
  });

  it("ends a run that waits for its next try", async () => {
    const limited = {
      kind: "http",
      status: 429,
      headers: { "retry-after": "30" },
      body: { error: { message: "slow" } },
    } as const;
    const { live } = await start([limited], "verify: off\n");
    await live.printed("the next try is in 30 s");
    const sentAt = performance.now();
    live.child.kill("SIGINT");
    expect((await live.ended).code).toBe(4);
    expect(performance.now() - sentAt).toBeLessThan(2_000);
  });

  it("ends `verify`, which has judged nothing then", async () => {
    const root = await temporaryWorkspace({ "donegate.yaml": stubborn });
    const live = cli.start(["verify", "--workspace", root, "--trust-config", "--json"]);
    const pid = await pidOf(root);
    live.child.kill("SIGTERM");
    const result = await live.ended;
    expect(result.code).toBe(4);
    expect(jsonOf(result)).toMatchObject({ verdict: "none" });
    expect(isAlive(pid)).toBe(false);
  });
});

describe("the second signal", () => {
  it("ends the process at once, and a resume ends what was left running", async () => {
    const { root, journal, live } = await start(says("done"), stubborn);
    const pid = await pidOf(root);
    live.child.kill("SIGINT");
    await live.printed("a second signal ends the process at once");
    live.child.kill("SIGINT");
    expect((await live.ended).code).toBe(130);
    const resumed = cli.start(["resume", "--journal", journal]);
    await resumed.printed("running the check slow");
    while (isAlive(pid)) await sleep(20);
    resumed.child.kill("SIGINT");
    expect((await resumed.ended).code).toBe(4);
  });
});
