// What a person refused is refused without asking, until something has happened that the person may have waited for.
import { expect, it } from "vitest";
import type { Approver } from "../../../extension/core";
import { runScript } from "../../support/agentBench";
import { recordTool } from "../../support/benchTools";

const deploy = { kind: "reply" as const, calls: [{ name: "deploy", args: { env: "prod" } }] };

it("refuses the same call at once, and asks again after a judgement", async () => {
  const { tool, executed } = recordTool("deploy", { tags: ["command"] });
  const asked: string[] = [];
  const approver: Approver = {
    decide: (request) => {
      asked.push(request.id);
      const denied = { decision: "deny" as const, by: "test", reason: "run the checks first" };
      return Promise.resolve(asked.length === 1 ? denied : { decision: "approve" as const, by: "test" });
    },
  };
  const answers = [{ ok: false, reason: "row 2 is wrong" }, { ok: true }];
  const bench = runScript(
    [deploy, deploy, { kind: "reply", text: "done" }, deploy, { kind: "reply", text: "deployed" }],
    {
      tools: [tool],
      guardrails: [() => ({ decision: "ask", reason: "prod", level: "prod" })],
      completion: { verify: () => answers.shift() ?? { ok: false }, maxAttempts: 3 },
      approver,
    },
  );
  const state = await bench.end();
  expect(state.end?.status).toBe("done");
  expect(asked).toEqual(["A1", "A2"]);
  expect(executed).toHaveLength(1);
  const denied = bench.events.flatMap((event) => (event.type === "guardrail_denied" ? [event] : []));
  expect(denied).toMatchObject([{ rule: "denied-before", reason: "run the checks first" }]);
});
