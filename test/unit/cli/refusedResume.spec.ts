// A resume that is refused: nothing runs, nothing is written, and the object of --json says in the closed words how the run stands.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, useCli } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();

const config = `verify: { maxAttempts: 1, checks: [{ name: check, run: "test -f out.txt" }] }
tools:
  deploy: { description: Deploy, parameters: { to: { type: string } }, run: [sh, -c, 'echo "$0" >> deployed.txt', "\${to}"] }
`;

/** The journal of a run in which A1 waits; `cut` lines are taken from its end. */
async function waitingRun(cut = 0) {
  const root = await temporaryWorkspace({ "donegate.yaml": config });
  const server = await FakeModelServer.start([{ kind: "reply", calls: [{ name: "deploy", args: { to: "shop" } }] }]);
  onTestFinished(() => server.close());
  const journal = join(dirname(root), "journal.jsonl");
  const words = ["run", "--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "m"];
  const { code } = await cli([...words, "--trust-config", "do it"]);
  if (code !== 3) throw new Error(`the run ended with ${code}`);
  const lines = (): string[] => readFileSync(journal, "utf8").trimEnd().split("\n");
  const write = (texts: string[]): void => writeFileSync(journal, texts.map((line) => `${line}\n`).join(""));
  if (cut > 0) write(lines().slice(0, -cut));
  const resume = async (id: string) => {
    const before = readFileSync(journal, "utf8");
    const result = await cli(["resume", "--journal", journal, "--json", "--approve", id]);
    expect(readFileSync(journal, "utf8")).toBe(before);
    expect(existsSync(join(root, "deployed.txt"))).toBe(false);
    return { ...result, outcome: outcomeOf(result) };
  };
  return { journal, lines, write, resume };
}

describe("a refused resume says", () => {
  it("pending where the run has ended so", async () => {
    const at = await waitingRun();
    const { code, outcome } = await at.resume("A9");
    expect(code).toBe(64);
    expect(outcome).toMatchObject({ status: "pending", phase: "ended", sealed: true, journal: at.journal });
    expect(outcome.stoppedBy).toContain("there is no approval A9");
  });

  it("pending, and not sealed, where the end was cut off and an approval waits", async () => {
    const at = await waitingRun(1);
    expect(at.lines().at(-1)).toContain("approval_requested");
    const { code, outcome } = await at.resume("A9");
    expect(code).toBe(64);
    expect(outcome).toMatchObject({ status: "pending", phase: "ended", sealed: false, limit: null });
    expect(outcome.pendingApprovals.map(({ id }) => id)).toEqual(["A1"]);
  });

  it("interrupted where no end is journaled and nothing waits", async () => {
    const { code, outcome } = await (await waitingRun(2)).resume("A1");
    expect(code).toBe(64);
    expect(outcome).toMatchObject({ status: "interrupted", phase: "ended", verdict: "none", pendingApprovals: [] });
  });

  it("error, and not sealed, where the chain is broken", async () => {
    const at = await waitingRun();
    at.write(at.lines().filter((_line, index) => index !== 2));
    const { code, outcome } = await at.resume("A1");
    expect(code).toBe(1);
    expect(outcome).toMatchObject({ status: "error", phase: "ended", sealed: false, verdict: "none" });
    expect(outcome.stoppedBy).toContain("the journal's chain is broken");
  });

  it("not sealed where the key is gone, though the chain holds", async () => {
    const at = await waitingRun();
    rmSync(join(dirname(at.journal), "journal.d", "key"));
    const { code, outcome } = await at.resume("A9");
    expect(code).toBe(64);
    expect(outcome).toMatchObject({ status: "pending", sealed: false });
  });

  it("error where the journal is empty, for which nothing vouches", async () => {
    const at = await waitingRun();
    at.write([]);
    const { code, outcome } = await at.resume("A1");
    expect(code).toBe(1);
    expect(outcome).toMatchObject({ status: "error", phase: "ended", sealed: false, runId: null });
    expect(outcome.stoppedBy).toContain("the journal is empty");
  });
});
