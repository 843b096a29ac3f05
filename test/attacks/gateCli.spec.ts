// The same attacks on the command line (gate-attacks, groups A, C, D, E, F, G), as processes over a real model server.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, useCli, type CliResult } from "../support/cliRunner";
import { FakeModelServer } from "../support/fakeModelServer";
import type { ModelScript, ModelStep, ScriptedCall } from "../support/modelScript";
import { temporaryWorkspace } from "../support/temporaryWorkspace";

const cli = useCli();

const deployTool = `  deploy: { description: Deploy, parameters: { to: { type: string } }, run: [sh, -c, 'echo "$0" >> deployed.txt', "\${to}"] }\n`;
const asking = `verify:
  maxAttempts: 2
  checks: [{ name: check, run: "test -f out.txt" }]
  require: [todos]
guardrails:
  - { ask: { tool: deploy }, level: prod, reason: a person decides }
tools:
${deployTool}`;

const write: ScriptedCall = { name: "write_file", args: { path: "out.txt", content: "x\n" } };
const deploy = (to: string, name = "deploy"): ScriptedCall => ({ name, args: { to } });
const todo = (text: string, status: string, more: object = {}): ScriptedCall => ({
  name: "todowrite",
  args: { todos: [{ text, status, ...more }] },
});
const reply = (...calls: ScriptedCall[]): ModelStep => ({ kind: "reply", calls });
const say = (text: string): ModelStep => ({ kind: "reply", text });
const done = say("I am done.");

interface Place {
  root: string;
  journal: string;
  server: FakeModelServer;
  words(...more: string[]): string[];
  run(...more: string[]): Promise<CliResult>;
  resume(...more: string[]): Promise<CliResult>;
  deployed(): string;
}

async function place(config: string, script: ModelScript): Promise<Place> {
  const root = await temporaryWorkspace({ "donegate.yaml": config });
  const journal = join(dirname(root), "journal.jsonl");
  const server = await FakeModelServer.start(script);
  onTestFinished(() => server.close());
  const words = (...more: string[]): string[] => {
    const fixed = ["--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "m", "--json"];
    return ["run", ...fixed, "--trust-config", ...more, "do it"];
  };
  return {
    ...{ root, journal, server, words },
    run: (...more) => cli(words(...more)),
    resume: (...more) => cli(["resume", "--journal", journal, "--json", ...more]),
    deployed: () => (existsSync(join(root, "deployed.txt")) ? readFileSync(join(root, "deployed.txt"), "utf8") : ""),
  };
}

describe("an answer on the command line that names the wrong approval", () => {
  // E2
  const wrong: Record<string, string[]> = {
    "an id that none of three has": ["--approve", "A9"],
    "a right one beside a wrong one": ["--approve", "A1", "--approve", "A9"],
    "a wrong one to deny": ["--approve", "A2", "--deny", "B1", "--reason", "no"],
    "the call's id instead": ["--approve", "call_0_0"],
    "one in small letters": ["--approve", "a1"],
    "one twice": ["--approve", "A1", "--approve", "A1"],
    "one to approve and to deny": ["--approve", "A1", "--deny", "A1", "--reason", "no"],
    "text for a call that wants yes or no": ["--answer", "A1", "yes"],
  };
  for (const [name, words] of Object.entries(wrong)) {
    it(`${name}: nothing runs, exit 64, all three still wait`, async () => {
      const at = await place(asking, [reply(deploy("a"), deploy("b"), deploy("c"))]);
      expect((await at.run()).code).toBe(3);
      const before = readFileSync(at.journal, "utf8");
      expect((await at.resume(...words)).code).toBe(64);
      expect(readFileSync(at.journal, "utf8")).toBe(before);
      expect(at.deployed()).toBe("");
      const shown = await at.resume();
      expect(shown.code).toBe(3);
      expect(outcomeOf(shown).pendingApprovals.map(({ id }) => id)).toEqual(["A1", "A2", "A3"]);
    });
  }
});

describe("a limit on the command line", () => {
  const limited = `verify: { maxAttempts: 2, checks: [{ name: check, run: "true" }], require: [] }\nbudget: { maxTurns: 1 }\n`;

  // G2 and C6
  it("is incomplete for a run and for its resumes, never completed, and the check that would pass never ran", async () => {
    const at = await place(limited, [{ kind: "reply", text: "Everything is done and verified.", calls: [write] }]);
    for (const result of [await at.run(), await at.resume(), await at.resume("--message", "you are done, right?")]) {
      expect(result.code).toBe(2);
      expect(outcomeOf(result)).toMatchObject({
        status: "incomplete",
        limit: "maxTurns",
        verdict: "none",
        attempts: 0,
        checks: [],
      });
    }
    const shown = await cli(["journal", "show", at.journal]);
    expect(shown.out).toContain("maxTurns");
    expect(shown.out).not.toMatch(/\bsuccess\b|status["\s:]+done/);
    expect(at.server.requests).toHaveLength(1);
  });

  it("during a repair names the limit and what the check found", async () => {
    const config = `verify: { maxAttempts: 3, checks: [{ name: check, run: "echo row 2 is wrong; exit 1" }], require: [] }\nbudget: { maxTurns: 2 }\n`;
    const at = await place(config, [reply(write), done]);
    const outcome = outcomeOf(await at.run());
    expect(outcome).toMatchObject({
      status: "incomplete",
      limit: "maxTurns",
      verdict: "FALSE-COMPLETION",
      attempts: 1,
    });
    expect(outcome.reasons[0]).toContain("maxTurns");
    expect(outcome.reasons[1]).toMatch(/^completion\.verify failed 1\u00d7: [^]*row 2 is wrong/);
  });
});

describe("attempts and plan over a suspension", () => {
  // E4 and A14
  it("one attempt of two is left after one was used, and the open item is still there", async () => {
    const at = await place(asking, [reply(todo("deploy it", "pending"), write), done, reply(deploy("prod")), done]);
    const waits = await at.run();
    expect(waits.code).toBe(3);
    expect(outcomeOf(waits)).toMatchObject({ status: "pending", attempts: 1 });
    const ended = await at.resume("--approve", "A1");
    expect(ended.code).toBe(2);
    expect(outcomeOf(ended)).toMatchObject({
      status: "incomplete",
      limit: "completion",
      attempts: 2,
      plan: [{ id: "T1", text: "deploy it", status: "pending", verified: false }],
    });
    expect(outcomeOf(ended).stoppedBy).toContain("completion.verify failed 2\u00d7: 1 item(s) still open: deploy it");
    expect(at.deployed()).toBe("prod\n");
  });

  it("a further message finds plan and attempts as they were, and a shorter plan does not help", async () => {
    const config = asking.replace("maxAttempts: 2", "maxAttempts: 1");
    const at = await place(config, [
      reply(todo("paint", "pending"), write),
      done,
      reply(todo("hello", "completed")),
      done,
    ]);
    expect((await at.run()).code).toBe(2);
    const outcome = outcomeOf(await at.resume("--message", "and say hello"));
    expect(outcome).toMatchObject({ status: "incomplete", limit: "completion", attempts: 2 });
    expect(outcome.plan.map(({ text, status }) => [text, status])).toEqual([
      ["paint", "pending"],
      ["hello", "completed"],
    ]);
  });

  it("an item that is cancelled instead of done stays open when nobody is there", async () => {
    const at = await place(asking, [reply(todo("paint", "cancelled", { reason: "no paint" }), write), done, done]);
    const outcome = outcomeOf(await at.run());
    expect(outcome).toMatchObject({ status: "incomplete", limit: "completion", pendingApprovals: [] });
    expect(outcome.stoppedBy).toContain("1 item(s) still open: paint");
  });
});

describe("an agent gated by todos without the tool", () => {
  // D1
  it("is a configuration error at start: no request, no journal", async () => {
    const config = `agents:\n  shipper: { does: ships, completion: { verify: todos, maxAttempts: 2 }, tools: [read_file] }\n`;
    const at = await place(config, []);
    const result = await at.run("--agent", "shipper");
    expect(result.code).toBe(1);
    expect(result.out + result.err).toContain("todowrite");
    expect(at.server.requests).toEqual([]);
    expect(existsSync(at.journal)).toBe(false);
  });
});

describe("a denied deploy", () => {
  const denying = (rule: string): string => `verify: { maxAttempts: 1, checks: [], require: [receipts] }
guardrails:
  - { deny: ${rule}, reason: never from here }
tools:
${deployTool}${deployTool.replace("deploy:", "ops_deploy:")}`;

  // F12
  it("that the model claims as done is not done where receipts are required, and the denial is shown", async () => {
    const at = await place(denying("{ tool: deploy }"), [
      reply(deploy("prod")),
      say("I deployed the service to prod."),
    ]);
    const result = await at.run();
    const outcome = outcomeOf(result);
    expect(result.code).toBe(2);
    expect(outcome).toMatchObject({
      status: "incomplete",
      denials: [{ tool: "deploy", args: { to: "prod" }, reason: "never from here" }],
    });
    expect(outcome.receipts).toMatchObject([{ verdict: "UNBACKED" }]);
    expect(at.deployed()).toBe("");
  });

  it("is shown also where the model is honest about it", async () => {
    const at = await place(denying("{ tool: deploy }"), [
      reply(deploy("prod")),
      say("I could not deploy: it was denied."),
    ]);
    const outcome = outcomeOf(await at.run());
    expect(outcome).toMatchObject({ status: "done", denials: [{ tool: "deploy" }] });
    expect(at.deployed()).toBe("");
  });

  // F9
  it("is denied under its other name and to the same place in other letters", async () => {
    const at = await place(denying('{ tool: "*deploy", args: { to: prod } }'), [
      reply(deploy("prod", "ops_deploy"), deploy("PROD"), deploy("\uff50rod"), deploy("staging")),
      say("Three calls were denied."),
    ]);
    const outcome = outcomeOf(await at.run("--on-ask", "deny"));
    expect(outcome.denials.map(({ reason }) => reason).slice(0, 3)).toEqual(Array(3).fill("never from here"));
    expect(at.deployed()).not.toMatch(/prod/i);
  });
});

/** One that has ended but was not collected by its new parent is not running. */
function isRunning(pid: string): boolean {
  const state = spawnSync("ps", ["-o", "stat=", "-p", pid], { encoding: "utf8" }).stdout.trim();
  return state !== "" && !state.startsWith("Z");
}

describe("Stop while a custom tool runs", () => {
  // G3
  it("ends its processes within two seconds, and the run as interrupted", async () => {
    const config = `verify: { maxAttempts: 1, checks: [], require: [] }
guardrails:
  - { allow: { tool: slow } }
tools:
  slow: { description: Slow, parameters: {}, run: [sh, -c, "trap '' TERM; sleep 61 & echo $! > pid; wait"] }
`;
    const at = await place(config, [reply({ name: "slow", args: {} })]);
    const live = cli.start(at.words());
    const file = join(at.root, "pid");
    while (!existsSync(file) || readFileSync(file, "utf8").trim() === "") await sleep(20);
    const sentAt = performance.now();
    live.child.kill("SIGINT");
    const result = await live.ended;
    expect(performance.now() - sentAt).toBeLessThan(2_500);
    expect(result.code).toBe(4);
    expect(outcomeOf(result)).toMatchObject({ status: "interrupted", limit: null });
    expect(isRunning(readFileSync(file, "utf8").trim())).toBe(false);
  });
});
