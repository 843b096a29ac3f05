// In which order the calls of one turn run when some of them wait for a person.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Approval, Decision } from "../../../extension/core";
import { runScript } from "../../support/agentBench";
import { recordTool } from "../../support/benchTools";

/** A slow tool with effects that notes when it begins and ends; what `asked` names waits for a person. */
function slowRun(calls: readonly string[], asked: readonly string[], decide: (request: Approval) => Promise<Decision>) {
  const log: string[] = [];
  const { tool } = recordTool("change", {
    tags: ["write"],
    act: async ({ at }) => {
      log.push(`${String(at)} begins`);
      await sleep(30);
      log.push(`${String(at)} ends`);
      return "ok";
    },
  });
  const bench = runScript(
    [
      { kind: "reply", calls: calls.map((at) => ({ name: "change", args: { at } })) },
      { kind: "reply", text: "done" },
    ],
    {
      tools: [tool],
      guardrails: [
        ({ args }) =>
          asked.includes(String(args["at"])) ? { decision: "ask", reason: "sure?" } : { decision: "allow" },
      ],
      approver: { decide },
    },
  );
  return { bench, log };
}

const oneByOne = (...order: readonly string[]) => order.flatMap((at) => [`${at} begins`, `${at} ends`]);
const approve: Decision = { decision: "approve", by: "Ada" };

describe("calls with effects", () => {
  it("an approved one does not run beside an earlier one that is under way", async () => {
    const { bench, log } = slowRun(["a", "b"], ["b"], () => Promise.resolve(approve));
    expect((await bench.end()).end?.status).toBe("done");
    expect(log).toEqual(oneByOne("a", "b"));
  });

  it("an answered one runs at once while an earlier one still waits for its answer", async () => {
    let answerFirst: () => void = () => undefined;
    const later = new Promise<void>((resolve) => (answerFirst = resolve));
    const { bench, log } = slowRun(["a", "b"], ["a", "b"], async ({ args }) => {
      if (args["at"] === "a") await later;
      return approve;
    });
    await expect.poll(() => log).toEqual(oneByOne("b"));
    answerFirst();
    await bench.end();
    expect(log).toEqual(oneByOne("b", "a"));
  });

  it("an earlier one that is answered while a later one runs waits for its end", async () => {
    const { bench, log } = slowRun(["a", "b"], ["a", "b"], async ({ args }) => {
      if (args["at"] === "a") await expect.poll(() => log, { interval: 2 }).toEqual(["b begins"]);
      return approve;
    });
    await bench.end();
    expect(log).toEqual(oneByOne("b", "a"));
  });
});
