// `run` and `resume` as a script meets them: statuses, exit codes, the object of --json, and what stays untouched.
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonOf, outcomeOf, useCli, type CliResult } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelScript, ModelStep, ScriptedCall } from "../../support/modelScript";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();

const config = `verify:
  maxAttempts: 2
  checks: [{ name: check, run: "test -f out.txt" }]
guardrails:
  - { ask: { tool: deploy }, level: prod, reason: a person decides }
tools:
  deploy: { description: Deploy, parameters: { to: { type: string } }, run: [sh, -c, 'echo "$0" >> deployed.txt', "\${to}"] }
`;

const outcomeKeys =
  "accepted amendments attempts checks children cost denials evidence isolation journal limit looksAfterSettled pendingApprovals phase plan reasons receipts review runId sealed stale status stoppedBy text tokens toolCalls turns verdict";

const write: ScriptedCall = { name: "write_file", args: { path: "out.txt", content: "x\n" } };
const deploy = (to: string): ScriptedCall => ({ name: "deploy", args: { to } });
const reply = (...calls: ScriptedCall[]): ModelStep => ({ kind: "reply", calls });
const done: ModelStep = { kind: "reply", text: "I wrote out.txt." };

interface Place {
  root: string;
  journal: string;
  server: FakeModelServer;
  run(...words: string[]): Promise<CliResult>;
  resume(...words: string[]): Promise<CliResult>;
  lines(): string[];
  deployed(): string[];
}

async function place(script: ModelScript, files: Record<string, string> = { "donegate.yaml": config }): Promise<Place> {
  const root = await temporaryWorkspace(files);
  const journal = join(dirname(root), "journal.jsonl");
  const server = await FakeModelServer.start(script);
  onTestFinished(() => server.close());
  const model = ["--base-url", server.baseUrl, "--model", "m"];
  return {
    ...{ root, journal, server },
    run: (...words) => cli(["run", "--workspace", root, "--journal", journal, ...model, "--json", ...words, "do it"]),
    resume: (...words) => cli(["resume", "--journal", journal, "--json", ...words]),
    lines: () => readFileSync(journal, "utf8").trimEnd().split("\n"),
    deployed: () => {
      const file = join(root, "deployed.txt");
      return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
    },
  };
}

describe("run", () => {
  it("ends verified with 0, and prints one object with exactly the agreed fields", async () => {
    const at = await place([reply(write), done]);
    const result = await at.run("--trust-config");
    expect(result.code).toBe(0);
    expect(result.out.trimEnd().split("\n")).toHaveLength(1);
    expect(Object.keys(jsonOf(result)).sort().join(" ")).toBe(outcomeKeys);
    expect(outcomeOf(result)).toMatchObject({
      ...{ status: "done", phase: "ended", limit: null, verdict: "VERIFIED", evidence: "exit-code", attempts: 1 },
      ...{ turns: 2, toolCalls: 1, tokens: { input: 20, output: 10 }, cost: null, sealed: true, stale: false },
      ...{ review: false, pendingApprovals: [], journal: at.journal, text: "I wrote out.txt." },
    });
    expect(Object.keys(outcomeOf(result).checks.at(-1) ?? {})).toEqual(
      expect.arrayContaining("name verdict exitCode durationMs tests evidence tree provenance".split(" ")),
    );
    at.server.assertDone();
  });

  it("tells the story on standard output without --json", async () => {
    const at = await place([reply(write), done]);
    const words = ["run", "--workspace", at.root, "--journal", at.journal, "--base-url", at.server.baseUrl];
    const { code, out, err } = await cli([...words, "--model", "m", "--trust-config", "do it"]);
    expect([code, err]).toEqual([0, ""]);
    for (const part of [
      ...["Goal: do it", "accepted by --trust-config", "check: test -f out.txt (donegate.yaml:3)"],
      ...["> write_file path=out.txt", "Attempt 1: verified", "Status: done", `Journal: ${at.journal}`],
    ]) {
      expect(out).toContain(part);
    }
    expect(out).not.toContain("\u001b");
  });

  it("keeps its journal outside the workspace when nobody names a place", async () => {
    const at = await place([reply(write), done]);
    const words = ["run", "--workspace", at.root, "--base-url", at.server.baseUrl, "--model", "m"];
    const result = await cli([...words, "--trust-config", "--json", "do it"]);
    expect(result.code).toBe(0);
    expect(outcomeOf(result).journal).toContain(`${cli.state()}/`);
    expect(readFileSync(outcomeOf(result).journal ?? "", "utf8")).toContain("agent_end");
  });

  it("says FALSE-COMPLETION and 2 when the attempts are used up", async () => {
    const at = await place([reply({ ...write, args: { path: "no.txt", content: "x" } }), done, done]);
    const result = await at.run("--trust-config");
    expect(result.code).toBe(2);
    expect(outcomeOf(result)).toMatchObject({
      ...{ status: "incomplete", limit: "completion", verdict: "FALSE-COMPLETION", attempts: 2, stale: null },
    });
    expect(outcomeOf(result).stoppedBy).toContain("completion.verify failed 2\u00d7: ");
    expect(result.err).toContain("Attempt 1: not verified: ");
  });

  it("takes --max-attempts where no configuration says it", async () => {
    const at = await place([done], {});
    const result = await at.run("--max-attempts", "1");
    expect(result.code).toBe(2);
    expect(outcomeOf(result)).toMatchObject({ limit: "completion", attempts: 1 });
    expect(result.err).toContain("Gate: at most 1 attempt(s)");
  });

  it("waits with 3 for a person, and says how to answer", async () => {
    const at = await place([reply(deploy("shop"))]);
    const result = await at.run("--trust-config");
    expect(result.code).toBe(3);
    expect(outcomeOf(result)).toMatchObject({ status: "pending", verdict: "none" });
    expect(outcomeOf(result).pendingApprovals).toEqual([
      {
        ...{ id: "A1", callId: "call_0_0", tool: "deploy", args: { to: "shop" }, reason: "a person decides" },
        ...{ level: "prod", digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      },
    ]);
    expect(result.err).toContain("WAITING A1 (prod) deploy: a person decides");
    expect(result.err).toContain(`donegate resume --journal ${at.journal} --approve A1`);
    expect(at.deployed()).toEqual([]);
  });

  it("refuses what it would ask with --on-ask deny", async () => {
    const at = await place([reply(deploy("shop")), reply(write), done]);
    const result = await at.run("--trust-config", "--on-ask", "deny");
    expect(result.code).toBe(0);
    expect(outcomeOf(result).denials).toEqual([
      expect.objectContaining({ tool: "deploy", reason: "a person decides (nobody to ask)" }),
    ]);
    expect(result.err).toContain("DENIED deploy to=shop: a person decides (nobody to ask)");
    expect(at.deployed()).toEqual([]);
  });

  it("asks nothing and changes nothing as a question run", async () => {
    const at = await place([reply(write), { kind: "reply", text: "The answer is 4." }]);
    const result = await at.run("--trust-config", "--kind", "question");
    expect(outcomeOf(result).denials).toEqual([expect.objectContaining({ tool: "write_file", rule: "question" })]);
    expect(existsSync(join(at.root, "out.txt"))).toBe(false);
  });

  it("uses a configuration without accepting it when the file only restricts", async () => {
    const restricting = "guardrails:\n  - { deny: { tool: write_file }, reason: read only here }\n";
    const at = await place([reply(write), done, done, done], { "donegate.yaml": restricting });
    const result = await at.run();
    expect(outcomeOf(result).denials).toEqual([expect.objectContaining({ reason: "read only here" })]);
    expect(JSON.parse(at.lines()[0] ?? "")).toMatchObject({ type: "agent_start", config: { acceptedBy: null } });
  });

  it("takes model and server from variables", async () => {
    const at = await place([reply(write), done]);
    const env = {
      DONEGATE_MODEL: "from-variable",
      OPENAI_BASE_URL: at.server.baseUrl,
      OPENAI_API_KEY: "key-in-variable",
    };
    const words = ["run", "--workspace", at.root, "--journal", at.journal, "--trust-config", "do it"];
    expect((await cli(words, { env })).code).toBe(0);
    expect(at.server.requests[0]?.json.model).toBe("from-variable");
    expect(at.server.requests[0]?.headers.authorization).toBe("Bearer key-in-variable");
    expect(readFileSync(at.journal, "utf8")).not.toContain("key-in-variable");
  });

  it("ends with an error when the journal cannot be written any more", async () => {
    const at = await place([reply(write), done]);
    const words = ["run", "--workspace", at.root, "--journal", at.journal, "--base-url", at.server.baseUrl];
    // Blocks of 512 bytes: enough for the start, not for the story.
    const through = ["sh", "-c", 'ulimit -f 10; exec "$@"', "sh"];
    const result = await cli([...words, "--model", "m", "--trust-config", "--json", "do it"], { through });
    expect(result.code).toBe(1);
    expect(outcomeOf(result)).toMatchObject({ status: "error", verdict: "none" });
    expect(outcomeOf(result).stoppedBy).toContain(`the journal ${at.journal} cannot be written`);
    expect(readFileSync(at.journal, "utf8")).not.toContain("agent_end");
  });

  it("does not let a second process write the same journal", async () => {
    const at = await place([{ kind: "stall" }]);
    const words = ["run", "--workspace", at.root, "--journal", at.journal, "--base-url", at.server.baseUrl];
    const first = cli.start([...words, "--model", "m", "--trust-config", "do it"]);
    await first.printed("Checks, frozen as");
    const second = await at.resume();
    expect(second.code).toBe(1);
    expect(second.err).toMatch(new RegExp(`another process holds .*: pid ${first.child.pid}, since 2`));
    first.child.kill("SIGTERM");
    expect((await first.ended).code).toBe(4);
  });
});

describe("resume", () => {
  const threeDeploys = reply(deploy("a"), deploy("b"), deploy("c"));

  it("runs an approved call once and goes on to the end", async () => {
    const at = await place([reply(deploy("prod")), reply(write), done]);
    await at.run("--trust-config");
    const result = await at.resume("--approve", "A1");
    expect(result.code).toBe(0);
    expect(outcomeOf(result)).toMatchObject({ status: "done", verdict: "VERIFIED", stale: false });
    expect(at.deployed()).toEqual(["prod"]);
    at.server.assertDone();
  });

  it("tells the model a denial with its reason, and runs nothing", async () => {
    const at = await place([reply(deploy("prod")), reply(write), done]);
    await at.run("--trust-config");
    const result = await at.resume("--deny", "A1", "--reason", "not on a Friday");
    expect(result.code).toBe(0);
    const told = at.server.requests[1]?.json.messages.at(-1);
    expect(told).toMatchObject({ role: "tool", content: "denied: not on a Friday" });
    expect(at.deployed()).toEqual([]);
  });

  it("answers several in one go, each for itself", async () => {
    const at = await place([threeDeploys, reply(write), done]);
    await at.run("--trust-config");
    const result = await at.resume("--approve", "A3", "--deny", "A2", "--reason", "no", "--approve", "A1");
    expect(result.code).toBe(0);
    expect(at.deployed().sort()).toEqual(["a", "c"]);
  });

  it("runs what is answered and leaves the rest waiting", async () => {
    const at = await place([threeDeploys]);
    await at.run("--trust-config");
    const result = await at.resume("--approve", "A2");
    expect(result.code).toBe(3);
    expect(outcomeOf(result).pendingApprovals.map(({ id }) => id)).toEqual(["A1", "A3"]);
    expect(at.deployed()).toEqual(["b"]);
  });

  it.each([
    [
      "one wrong id among good ones",
      ["--approve", "A1", "--approve", "A9", "--approve", "A3"],
      "there is no approval A9",
    ],
    ["an answer to what is no question", ["--approve", "A1", "--answer", "A2", "yes"], "A2 is not a question"],
  ])("runs nothing and writes nothing for %s", async (_what, words, message) => {
    const at = await place([threeDeploys]);
    await at.run("--trust-config");
    const before = readFileSync(at.journal, "utf8");
    const result = await at.resume(...words);
    expect(result.code).toBe(64);
    expect(result.err).toContain(message);
    expect(readFileSync(at.journal, "utf8")).toBe(before);
    expect(at.deployed()).toEqual([]);
    expect(outcomeOf(result)).toMatchObject({ status: "pending" });
    expect(outcomeOf(result).pendingApprovals.map(({ id }) => id)).toEqual(["A1", "A2", "A3"]);
    at.server.assertDone();
  });

  it("does not take an answer twice", async () => {
    const at = await place([threeDeploys]);
    await at.run("--trust-config");
    await at.resume("--approve", "A1");
    const again = await at.resume("--approve", "A1");
    expect(again.code).toBe(64);
    expect(again.err).toContain("A1 has ended: it was approved");
    expect(at.deployed()).toEqual(["a"]);
  });

  it("passes a person's answer to a question on as the result", async () => {
    const at = await place([reply({ name: "ask_human", args: { question: "Which colour?" } }), reply(write), done]);
    const asked = await at.run("--trust-config");
    expect(asked.code).toBe(3);
    expect(asked.err).toContain(`--answer A1 "your answer"`);
    expect((await at.resume("--approve", "A1")).code).toBe(64);
    expect((await at.resume("--answer", "A1", "dark blue")).code).toBe(0);
    expect(at.server.requests[1]?.json.messages.at(-1)).toMatchObject({ role: "tool", content: "dark blue" });
  });

  it("prints the outcome of a finished run again and writes nothing", async () => {
    const at = await place([reply(write), done]);
    const first = await at.run("--trust-config");
    const before = readFileSync(at.journal, "utf8");
    const again = await at.resume();
    expect(again.code).toBe(0);
    expect(outcomeOf(again)).toEqual(outcomeOf(first));
    expect(readFileSync(at.journal, "utf8")).toBe(before);
  });

  it("says so when the files have changed since a finished run was judged", async () => {
    const at = await place([reply(write), done]);
    await at.run("--trust-config");
    writeFileSync(join(at.root, "out.txt"), "changed\n");
    expect(outcomeOf(await at.resume())).toMatchObject({ status: "done", stale: true });
  });

  it("goes on with a finished run when the person has something to say", async () => {
    const at = await place([reply(write), done, reply(deploy("x"))]);
    await at.run("--trust-config");
    const result = await at.resume("--message", "now deploy it to x");
    expect(result.code).toBe(3);
    expect(at.server.requests[2]?.json.messages.at(-1)).toMatchObject({ role: "user", content: "now deploy it to x" });
  });

  it("stays with the workspace and the configuration of the run", async () => {
    const at = await place([threeDeploys]);
    await at.run("--trust-config");
    const before = readFileSync(at.journal, "utf8");
    const elsewhere = await at.resume("--workspace", await temporaryWorkspace());
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.err).toContain(`this run belongs to the workspace ${at.root}`);
    writeFileSync(join(dirname(at.root), "other.yaml"), "verify: off\n");
    const other = await at.resume("--config", join(dirname(at.root), "other.yaml"));
    expect(other.code).toBe(1);
    expect(other.err).toContain("started with another configuration");
    expect(readFileSync(at.journal, "utf8")).toBe(before);
    expect((await at.resume("--workspace", at.root, "--config", join(at.root, "donegate.yaml"))).code).toBe(3);
  });

  it("talks to another server when it is told so", async () => {
    const at = await place([reply(deploy("prod"))]);
    await at.run("--trust-config");
    const other = await FakeModelServer.start([reply(write), done]);
    onTestFinished(() => other.close());
    const result = await at.resume("--approve", "A1", "--base-url", other.baseUrl, "--model", "m2");
    expect(result.code).toBe(0);
    expect(other.requests[0]?.json.model).toBe("m2");
  });

  it("sets a torn end aside, says so once, and goes on", async () => {
    const at = await place([threeDeploys]);
    await at.run("--trust-config");
    appendFileSync(at.journal, '{"v":1,"seq":99,"half');
    const result = await at.resume("--approve", "A1");
    expect(result.code).toBe(3);
    expect(result.err).toContain("21 bytes are set aside in ");
    expect((await cli(["journal", "verify", at.journal])).code).toBe(0);
    expect((await at.resume("--approve", "A2")).err).not.toContain("set aside");
  });

  it("does not go on from a broken chain", async () => {
    const at = await place([threeDeploys]);
    await at.run("--trust-config");
    const lines = at.lines();
    lines[2] = (lines[2] ?? "").replace('"type":', '"type" :');
    writeFileSync(at.journal, `${lines.join("\n")}\n`);
    const result = await at.resume("--approve", "A1");
    expect(result.code).toBe(1);
    expect(result.err).toContain("cannot be resumed: the journal's chain is broken: line 4");
    expect(at.deployed()).toEqual([]);
  });

  it("never runs a call twice, also when the key of the seals is gone", async () => {
    const at = await place([threeDeploys]);
    await at.run("--trust-config");
    await at.resume("--approve", "A1");
    rmSync(join(dirname(at.journal), "journal.d", "key"));
    const result = await at.resume();
    expect(outcomeOf(result)).toMatchObject({ status: "pending", sealed: false });
    expect(result.err).toContain("cannot be vouched for");
    expect((await at.resume("--approve", "A1")).code).toBe(64);
    expect(at.deployed()).toEqual(["a"]);
  });

  it("closes a turn whose denial cannot be believed any more before it goes on", async () => {
    const at = await place([reply(deploy("a")), reply(deploy("b")), reply(write), done]);
    await at.run("--trust-config");
    await at.resume("--deny", "A1", "--reason", "no");
    rmSync(join(dirname(at.journal), "journal.d", "key"));
    expect((await at.resume("--approve", "A1")).code).toBe(64);
    expect(outcomeOf(await at.resume("--approve", "A2"))).toMatchObject({ status: "done", sealed: false });
    const calls = at.server.requests[2]?.json.messages.map(({ role, content }) => [role, content]);
    expect(calls?.slice(-4)).toEqual([
      ["assistant", null],
      ["tool", "the record of how this call ended cannot be vouched for"],
      ["assistant", null],
      ["tool", expect.stringContaining("exit code 0")],
    ]);
    expect(at.deployed()).toEqual(["b"]);
  });

  it("does not go on from a journal that the run could have written itself", async () => {
    const at = await place([threeDeploys]);
    await at.run("--trust-config");
    const inside = join(at.root, "journal.jsonl");
    renameSync(at.journal, inside);
    const result = await cli(["resume", "--journal", inside, "--approve", "A1"]);
    expect(result.code).toBe(1);
    expect(result.err).toContain("move it out");
  });
});
