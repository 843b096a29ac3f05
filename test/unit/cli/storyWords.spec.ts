// What the story says and how often: a person reads it on a terminal or in a log.
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { useCli, type CliResult } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelScript, ScriptedCall } from "../../support/modelScript";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();

const config = `verify: { maxAttempts: 1, checks: [{ name: check, run: "sh check.sh" }] }
tools:
  deploy: { description: Deploy, parameters: { to: { type: string } }, run: ["true", "\${to}"] }
`;
const write: ScriptedCall = { name: "write_file", args: { path: "out.txt", content: "x\n" } };
const deploy = (to: string): ScriptedCall => ({ name: "deploy", args: { to } });
const reply = (...calls: ScriptedCall[]) => ({ kind: "reply", calls }) as const;
const done = { kind: "reply", text: "I wrote out.txt." } as const;

async function place(script: ModelScript, { check = "test -f out.txt", more = "" } = {}) {
  const root = await temporaryWorkspace({ "donegate.yaml": `${config}${more}`, "check.sh": `${check}\n` });
  const server = await FakeModelServer.start(script);
  onTestFinished(() => server.close());
  const journal = join(dirname(root), "journal.jsonl");
  const model = ["--base-url", server.baseUrl, "--model", "m", "--trust-config"];
  return {
    ...{ root, journal },
    run: (...words: string[]) => cli(["run", "--workspace", root, "--journal", journal, ...model, ...words, "do it"]),
    resume: (...words: string[]) => cli(["resume", "--journal", journal, ...words]),
  };
}

const count = ({ out }: CliResult, text: string): number => out.split(text).length - 1;

describe("the story", () => {
  it("has a heading for every turn, one without words too", async () => {
    const { out } = await (await place([reply(write), done])).run();
    expect(out).toMatch(/^Turn 1\n {2}> write_file/m);
    expect(out).toMatch(/^Turn 2\n {2}I wrote out.txt.$/m);
  });

  it("names the journal once when a process starts and once when it ends", async () => {
    const at = await place([reply(deploy("a"), deploy("b")), reply(write), done]);
    const waiting = await at.run();
    expect(waiting.code).toBe(3);
    expect(count(waiting, at.journal)).toBe(2);
    const finished = await at.resume("--approve", "A1", "--approve", "A2");
    expect(finished.code).toBe(0);
    expect(count(finished, at.journal)).toBe(2);
  });

  it("shows what waits once, and again in a process that only left it waiting", async () => {
    const at = await place([reply(deploy("a"), deploy("b"))]);
    const waiting = await at.run();
    expect([count(waiting, "WAITING A1"), count(waiting, "WAITING A2"), count(waiting, 'to: "a"')]).toEqual([1, 1, 1]);
    expect(waiting.out).toContain(`To go on: donegate resume --journal ${at.journal} --approve A1\n`);
    expect(waiting.out).toContain('  or instead: --deny A1 --reason "why not"\n');
    expect(waiting.out).toContain(
      '  in the same command, if you like: --approve A2, or --deny A2 --reason "why not"\n',
    );
    const left = await at.resume("--approve", "A1");
    expect([left.code, count(left, "WAITING A1"), count(left, "WAITING A2")]).toEqual([3, 0, 1]);
    expect(left.out).toContain(`--journal ${at.journal} --approve A2\n`);
  });

  it("cuts a long reason to its first lines and says where the rest is", async () => {
    const at = await place([reply(write), done], { check: "seq 1 30; exit 1" });
    const { code, out } = await at.run();
    expect(code).toBe(2);
    const end = out.slice(out.indexOf("Status: incomplete"));
    expect(end.split("\n")[4]).toMatch(/^ {2}\(\d+ more lines: donegate journal show FILE --json has all of them\)$/);
    expect(end).not.toContain("\n  30\n");
    const shown = await cli(["journal", "show", at.journal, "--json"]);
    expect(shown.out).toContain("29\\n30");
  });

  it("says that a run was done already when it is resumed with nothing to say", async () => {
    const at = await place([reply(write), done]);
    expect((await at.run()).out).not.toContain("done already");
    const again = await at.resume();
    expect(again.code).toBe(0);
    expect(again.out).toContain("This run was done already: nothing was run. With --message TEXT it goes on.");
  });

  it("names a limit once", async () => {
    const at = await place([reply(write)], { more: "budget: { maxTurns: 1 }\n" });
    const result = await at.run();
    expect(result.code).toBe(2);
    expect(result.out).toContain("Status: incomplete: limit maxTurns reached: 1 turns used");
    expect(count(result, "maxTurns")).toBe(1);
    // The budget belongs to the run: a resume meets the same limit.
    expect((await at.resume("--message", "go on")).out).toContain("Status: incomplete: limit maxTurns reached");
  });
});

describe("--allow-contract-change", () => {
  const warning = (path: string): string =>
    `Warning: --allow-contract-change ${path} allows nothing: it is no part of the contract`;

  it("is warned of where the path is no part of the frozen contract", async () => {
    const at = await place([reply(write), done]);
    const { out } = await at.run("--allow-contract-change", "chekc.sh", "--allow-contract-change", "./check.sh");
    expect(out).toContain(warning("chekc.sh"));
    expect(out).not.toContain(warning("check.sh"));
    expect(out.indexOf(warning("chekc.sh"))).toBeLessThan(out.indexOf("Turn 1"));
  });
});
