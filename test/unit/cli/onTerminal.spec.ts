// The command line on a real terminal, with somebody at the keyboard.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { useCli, type CliResult } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelScript } from "../../support/modelScript";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();

const config = `verify: { maxAttempts: 2, checks: [{ name: check, run: "test -f out.txt" }] }
tools:
  deploy: { description: Deploy, parameters: { env: { type: string } }, run: [sh, -c, 'echo "$0" >> deployed.txt', "\${env}"] }
`;
const acceptance = "anything else is no: ";
const decides = "Enter decides nothing: ";
const accept = [acceptance, "yes\n"] as const;

const deploy = (env: string) => ({ kind: "reply", calls: [{ name: "deploy", args: { env } }] }) as const;
const finish = [
  { kind: "reply", calls: [{ name: "write_file", args: { path: "out.txt", content: "x\n" } }] },
  { kind: "reply", text: "I wrote out.txt." },
] as const;

async function place(script: ModelScript) {
  const root = await temporaryWorkspace({ "donegate.yaml": config });
  const server = await FakeModelServer.start(script);
  onTestFinished(() => server.close());
  const journal = join(dirname(root), "journal.jsonl");
  const deployed = join(root, "deployed.txt");
  return {
    ...{ root, journal, server },
    words: ["run", "--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "m", "do it"],
    deployed: (): string => (existsSync(deployed) ? readFileSync(deployed, "utf8") : ""),
  };
}

/** Without colours. */
const plainOf = ({ out }: CliResult): string => out.replace(/\u001b\[\d+m/g, "");

describe("acceptance of donegate.yaml", () => {
  it("is no when Enter is pressed, and nothing runs", async () => {
    const at = await place([]);
    const result = await cli.type([[acceptance, "\n"]], at.words);
    expect(result.code).toBe(1);
    expect(plainOf(result)).toContain("check check: test -f out.txt");
    expect(plainOf(result)).toContain("tool deploy: sh -c ");
    expect(plainOf(result)).toContain("was not accepted: nothing was run");
    expect(existsSync(at.journal)).toBe(false);
  });

  it("is yes by the word, and the journal says who it was", async () => {
    const at = await place(finish);
    const result = await cli.type([accept], at.words);
    expect(result.code).toBe(0);
    const [start = ""] = readFileSync(at.journal, "utf8").split("\n");
    expect(JSON.parse(start)).toMatchObject({ config: { acceptedBy: "person at the terminal" }, onAsk: "wait" });
  });

  it("is interrupted by Ctrl-C", async () => {
    const at = await place([]);
    expect((await cli.type([[acceptance, "\u0003"]], at.words)).code).toBe(130);
    expect(existsSync(at.journal)).toBe(false);
  });
});

describe("an approval", () => {
  it("is decided by nothing but a whole answer", async () => {
    const at = await place([deploy("prod"), ...finish]);
    const result = await cli.type([accept, [decides, "\n"], [decides, "y\n"], [decides, "approve\n"]], at.words);
    expect(result.code).toBe(0);
    expect(plainOf(result)).toContain('env: "prod"\nA1: type the word approve to approve');
    expect(plainOf(result)).toContain("A1 is approved by person at the terminal");
    expect(at.deployed()).toBe("prod\n");
  });

  it("can be denied with a reason, which the model reads", async () => {
    const at = await place([deploy("prod"), ...finish]);
    const result = await cli.type([accept, [decides, "d\n"], ["The agent is told: ", "not on a Friday\n"]], at.words);
    expect(result.code).toBe(0);
    expect(at.server.requests[1]?.json.messages.at(-1)).toMatchObject({ content: "denied: not on a Friday" });
    expect(at.deployed()).toBe("");
  });

  it("is not given by what was typed before the question", async () => {
    const at = await place([deploy("prod"), ...finish]);
    const result = await cli.type(
      [
        [acceptance, "yes\napprove\napprove\n"],
        [decides, "d no\n"],
      ],
      at.words,
    );
    expect(result.code).toBe(0);
    expect(at.deployed()).toBe("");
  });

  it("is withdrawn by Ctrl-C, which ends the run", async () => {
    const at = await place([deploy("prod")]);
    const result = await cli.type([accept, [decides, "\u0003"]], at.words);
    expect(result.code).toBe(4);
    expect(plainOf(result)).toContain("Status: interrupted");
    expect((await cli(["resume", "--journal", at.journal, "--approve", "A1"])).code).toBe(64);
    expect(at.deployed()).toBe("");
  });

  it("goes on waiting when the terminal is closed, and the run ends as pending", async () => {
    const at = await place([deploy("prod"), ...finish]);
    const result = await cli.type([accept, [decides, "\u0004"]], at.words);
    expect(result.code).toBe(3);
    const shown = plainOf(result);
    expect(shown).toContain("A1: no answer, since the terminal is closed. It goes on waiting.");
    expect(shown).toContain("Status: pending: waiting for a person: A1 (deploy)");
    expect(shown).toContain(`donegate resume --journal ${at.journal} --approve A1`);
    expect(shown.match(/WAITING A1/g)).toHaveLength(1);
    expect(at.server.requests).toHaveLength(1);
    expect((await cli(["resume", "--journal", at.journal, "--approve", "A1"])).code).toBe(0);
    expect(at.deployed()).toBe("prod\n");
  });

  it("is kept with all others that wait when the terminal is closed, and a call that was answered has run", async () => {
    const calls = ["a", "b", "c"].map((env) => ({ name: "deploy", args: { env } }));
    const at = await place([{ kind: "reply", calls }, ...finish]);
    const result = await cli.type([accept, ["A1: type y", "y\n"], ["A2: type y", "\u0004"]], at.words);
    expect(result.code).toBe(3);
    expect(at.deployed()).toBe("a\n");
    expect(plainOf(result).match(/WAITING A3/g)).toHaveLength(1);
    const words = ["resume", "--journal", at.journal, "--approve", "A2", "--deny", "A3", "--reason", "no"];
    expect((await cli(words)).code).toBe(0);
    expect(at.deployed()).toBe("a\nb\n");
  });

  it("of a run without a terminal is shown whole when it is resumed on one", async () => {
    const at = await place([deploy("prod"), ...finish]);
    expect((await cli([...at.words.slice(0, -1), "--trust-config", "do it"])).code).toBe(3);
    const result = await cli.type([[decides, "approve\n"]], ["resume", "--journal", at.journal]);
    expect(result.code).toBe(0);
    expect(plainOf(result)).toContain('env: "prod"\nA1: type the word approve');
    expect(at.deployed()).toBe("prod\n");
  });

  it("of a run with a terminal waits for a resume where there is none any more", async () => {
    const at = await place([deploy("prod"), deploy("prod"), ...finish]);
    await cli.type([accept, [decides, "\u0003"]], at.words);
    const resumed = await cli(["resume", "--journal", at.journal]);
    expect(resumed.code).toBe(3);
    expect((await cli(["resume", "--journal", at.journal, "--approve", "A2"])).code).toBe(0);
    expect(at.deployed()).toBe("prod\n");
  });

  it("is asked on the terminal with --json too, whose object stays on the last line", async () => {
    const at = await place([deploy("prod"), ...finish]);
    const words = [...at.words.slice(0, -1), "--trust-config", "--json", "do it"];
    const result = await cli.type([[decides, "approve\n"]], words);
    expect(result.code).toBe(0);
    const last = result.out.trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({ status: "done", verdict: "VERIFIED" });
  });
});
