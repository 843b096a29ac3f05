// A context window that a person gives: kept with the run, and kept free by a process that resumes it.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, useCli } from "../../support/cliRunner";
import { FakeModelServer } from "../../support/fakeModelServer";
import type { ModelScript, ModelStep } from "../../support/modelScript";
import { temporaryWorkspace } from "../../support/temporaryWorkspace";

const cli = useCli();

const config = `verify: off
guardrails:
  - { ask: { tool: deploy }, reason: a person decides }
tools:
  deploy: { description: Deploy, parameters: {}, run: [echo, deployed] }
`;

function reply(name: string, args: Record<string, string>, tokens: number): ModelStep {
  return { kind: "reply", calls: [{ name, args }], usage: { input: tokens, output: 1 } };
}

const script: ModelScript = [
  ...[1_000, 2_000, 3_000].map((tokens, at) => reply("read_file", { path: `${at}.txt` }, tokens)),
  reply("deploy", {}, 4_900),
  { kind: "reply", text: "deployed" },
];

/** Runs to the question, answers it in another process, and gives what the journal holds. */
async function runAndApprove(...words: string[]): Promise<Record<string, unknown>[]> {
  const texts = [0, 1, 2].map((at) => [`${at}.txt`, `line ${at}\n`.repeat(400)] as const);
  const root = await temporaryWorkspace({ "donegate.yaml": config, ...Object.fromEntries(texts) });
  const server = await FakeModelServer.start(script);
  onTestFinished(() => server.close());
  const journal = join(dirname(root), "journal.jsonl");
  const place = ["--workspace", root, "--journal", journal, "--base-url", server.baseUrl, "--model", "m"];
  expect((await cli(["run", ...place, ...words, "--trust-config", "deploy it"])).code).toBe(3);
  const resumed = await cli(["resume", "--journal", journal, "--approve", "A1", "--json"]);
  expect(outcomeOf(resumed)).toMatchObject({ text: "deployed" });
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const ofType = (events: Record<string, unknown>[], type: string) => events.filter((event) => event["type"] === type);

describe("--context-window", () => {
  it("is frozen with the run, and a resume takes old turns out before the conversation exceeds it", async () => {
    const events = await runAndApprove("--context-window", "5000");
    expect(ofType(events, "agent_start")).toMatchObject([{ contextWindow: 5_000 }]);
    expect(ofType(events, "compaction")).toMatchObject([{ refused: false, window: 5_000 }]);
    expect(events.findIndex(({ type }) => type === "compaction")).toBeGreaterThan(
      events.findIndex(({ type }) => type === "agent_resume"),
    );
  });

  it("is unknown where nobody gives it: nothing is taken out unasked", async () => {
    const events = await runAndApprove();
    expect(ofType(events, "agent_start")[0]).not.toHaveProperty("contextWindow");
    expect(ofType(events, "compaction")).toEqual([]);
  });
});
