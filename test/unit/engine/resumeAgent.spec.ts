import { describe, expect, it } from "vitest";
import { loadJournal, resumeAgent } from "../../../extension/core";
import { NodeHasher } from "../../../extension/node/nodeHasher";
import { benchPorts, resumeOverWire, runOverWire, toolResults } from "../../support/agentBench";
import { recordTool } from "../../support/benchTools";
import { MemoryJournal } from "../../support/memoryJournal";
import type { ModelStep } from "../../support/modelScript";
import { ScriptedModel } from "../../support/scriptedModel";

const deployCall: ModelStep = { kind: "reply", calls: [{ name: "deploy", args: { env: "prod" } }] };
const finished: ModelStep = { kind: "reply", text: "deployed" };
const ask = () => ({ decision: "ask" as const, reason: "sure?" });

/** A run that waits for a person, ended as pending. */
async function suspend() {
  const { tool, executed } = recordTool("deploy", { tags: ["command"] });
  const journal = new MemoryJournal();
  const bench = await runOverWire([deployCall], {
    tools: [tool],
    guardrails: [ask],
    onAsk: "suspend",
    ports: { ...benchPorts(), journal },
  });
  const state = await bench.end();
  expect(state.end?.status).toBe("pending");
  return { journal, tool, executed };
}

describe("a run of an embedding program that was suspended", () => {
  it("goes on with the answer: the approved call runs once and its result reaches the model", async () => {
    const { journal, tool, executed } = await suspend();
    const resumed = await resumeOverWire(journal, [finished], {
      tools: [tool],
      guardrails: [ask],
      commands: [{ type: "approve", id: "A1", by: "ana" }],
    });
    const state = await resumed.end();
    expect(state.end).toMatchObject({ status: "done", text: "deployed" });
    expect(executed).toEqual([{ env: "prod" }]);
    expect(Object.values(toolResults(resumed.requests()[0]))).toEqual(["ok"]);
    expect((await loadJournal(journal, new NodeHasher())).state.end?.status).toBe("done");
  });

  it("waits again when nobody has answered", async () => {
    const { journal, tool, executed } = await suspend();
    const resumed = await resumeOverWire(journal, [], { tools: [tool], guardrails: [ask] });
    const state = await resumed.end();
    expect(state.end?.status).toBe("pending");
    expect(executed).toEqual([]);
  });

  it("does not go on without the guardrails, the tools and the verifier it was started with", async () => {
    const { journal, tool } = await suspend();
    const loaded = await loadJournal(journal, new NodeHasher());
    const options = { by: "ana", model: new ScriptedModel([]), ports: { ...benchPorts(), journal } };
    const before = journal.disk.text;
    const refusals = [
      resumeAgent(loaded, { ...options, tools: [tool] }),
      resumeAgent(loaded, { ...options, guardrails: [ask] }),
      resumeAgent(loaded, { ...options, tools: [tool, recordTool("more").tool], guardrails: [ask] }),
    ];
    expect(refusals).toMatchObject([{ ok: false }, { ok: false }, { ok: false }]);
    const gated = new MemoryJournal();
    const run = await runOverWire([finished], {
      completion: { verify: () => ({ ok: false }), maxAttempts: 1 },
      ports: { ...benchPorts(), journal: gated },
    });
    await run.end();
    const unverified = resumeAgent(await loadJournal(gated, new NodeHasher()), { ...options, ports: options.ports });
    expect(unverified).toMatchObject({ ok: false, message: expect.stringContaining("verifier") as string });
    expect(journal.disk.text).toBe(before);
  });

  it("refuses all answers when one of them cannot count, and journals nothing", async () => {
    const { journal, tool, executed } = await suspend();
    const loaded = await loadJournal(journal, new NodeHasher());
    const before = journal.disk.text;
    const resume = (...ids: string[]) =>
      resumeAgent(loaded, {
        by: "ana",
        model: new ScriptedModel([]),
        ports: { ...benchPorts(), journal },
        tools: [tool],
        guardrails: [ask],
        commands: ids.map((id) => ({ type: "approve", id, by: "ana" })),
      });
    expect(resume("A1", "A7")).toMatchObject({ ok: false, message: expect.stringContaining("A7") as string });
    expect(resume("A1", "A1")).toMatchObject({ ok: false, message: expect.stringContaining("twice") as string });
    expect(journal.disk.text).toBe(before);
    expect(executed).toEqual([]);
  });

  it("judges a call anew when a crash came between its decision and the question", async () => {
    const { journal, tool, executed } = await suspend();
    const lines = journal.disk.text.split("\n");
    const cut = lines.findIndex((line) => line.includes('"type":"model_decision"'));
    journal.disk.bytes = Buffer.from(`${lines.slice(0, cut + 1).join("\n")}\n`);
    const resumed = await resumeOverWire(journal, [finished], {
      tools: [tool],
      guardrails: [() => ({ decision: "allow" })],
    });
    const state = await resumed.end();
    expect(state.end?.status).toBe("done");
    expect(executed).toEqual([{ env: "prod" }]);
  });
});
