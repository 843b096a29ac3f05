// Arguments that change between judgement and act (gate-attacks, F8): what was judged is what runs.
import * as z from "zod";
import { describe, expect, it } from "vitest";
import { defineTool, type BeforeTool, type GuardedCall } from "../../extension/core";
import { outcomeOf, runOverWire } from "../support/agentBench";
import { recordTool } from "../support/benchTools";
import { call, reply, done, denyProd, raise, deploy } from "../support/guardedDeploy";

describe("arguments that change on the way", () => {
  const hooks: Record<string, { beforeTool: BeforeTool; args: Record<string, unknown> }> = {
    // F8
    "a hook rewrites them to something denied": { beforeTool: () => ({ args: { env: "prod" } }), args: { env: "dev" } },
    "a hook hides it deep inside": {
      beforeTool: () => ({ args: { env: "dev", more: [{ target: "prod" }] } }),
      args: { env: "dev" },
    },
  };
  for (const [name, { beforeTool, args }] of Object.entries(hooks)) {
    it(`${name}: judged again and denied`, async () => {
      const { executed, told } = await deploy(args, { guardrails: [denyProd], beforeTool });
      expect(executed).toEqual([]);
      expect(told).toBe("denied: never to prod");
    });
  }

  it("a hook rewrites them to something asked: the person sees the final ones", async () => {
    const asked: unknown[] = [];
    const { executed } = await deploy(
      { env: "dev" },
      {
        guardrails: [({ args }) => (args["env"] === "prod" ? { decision: "ask", reason: "?" } : { decision: "allow" })],
        beforeTool: () => ({ args: { env: "prod" } }),
        approver: {
          decide: ({ args }) => (asked.push(args), Promise.resolve({ decision: "deny", by: "ana", reason: "no" })),
        },
      },
    );
    expect(asked).toEqual([{ env: "prod" }]);
    expect(executed).toEqual([]);
  });

  it("a hook changes the call it was shown in place: what runs is what was judged", async () => {
    const { executed } = await deploy(
      { env: "dev", more: { target: "dev" } },
      {
        guardrails: [denyProd],
        beforeTool: ({ args }) => {
          Reflect.set(args, "env", "prod");
          Reflect.set(args["more"] as object, "target", "prod");
        },
      },
    );
    expect(executed).toEqual([{ env: "dev", more: { target: "dev" } }]);
  });

  it("a hook changes what it answered after it was judged: what runs is what was judged", async () => {
    const answered = { env: "dev", more: { target: "dev" } };
    const { executed } = await deploy(
      { env: "x" },
      {
        guardrails: [
          async (judged: GuardedCall) => {
            const verdict = await denyProd(judged, new AbortController().signal);
            if (judged.args["env"] === "dev")
              Object.assign(answered, { env: "prod" }, { more: Object.assign(answered.more, { target: "prod" }) });
            return verdict;
          },
        ],
        beforeTool: () => ({ args: answered }),
      },
    );
    expect(executed).toEqual([{ env: "dev", more: { target: "dev" } }]);
  });

  it("a guardrail changes them: neither the next guardrail nor the tool sees it", async () => {
    const seen: unknown[] = [];
    const { executed } = await deploy(
      { env: "prod", list: ["prod"] },
      {
        guardrails: [
          (judged) => {
            Reflect.set(judged.args, "env", "dev");
            Reflect.set(judged.args["list"] as object, "0", "dev");
            Reflect.set(judged, "args", {});
            Reflect.set(judged, "tool", "look");
            return { decision: "allow" };
          },
          ({ tool, args }) => (seen.push({ tool, args }), { decision: "allow" }),
        ],
      },
    );
    const truth = { env: "prod", list: ["prod"] };
    expect(seen).toEqual([{ tool: "deploy", args: truth }]);
    expect(executed).toEqual([truth]);
  });

  it("a tool whose schema rewrites its arguments runs with those that were judged", async () => {
    const judged: unknown[] = [];
    const executed: unknown[] = [];
    const tool = defineTool({
      name: "deploy",
      description: "Deploys",
      args: z.object({ path: z.string().overwrite((path) => `sub/${path}`) }),
      tags: ["read"],
      run: async ({ path }) => (executed.push(path), { ok: true, output: "ok" }),
    });
    const bench = await runOverWire([reply(call("deploy", { path: "a" })), done], {
      tools: [tool],
      guardrails: [({ args }) => (judged.push(args["path"]), { decision: "allow" })],
    });
    await bench.end();
    expect(judged).toEqual(["sub/a"]);
    expect(executed).toEqual(judged);
  });

  const odd: Record<string, unknown> = {
    false: false,
    true: true,
    "a text": "deny",
    "a list": [],
    "an empty object": {},
    "args that are no object": { args: "prod" },
    "args that are null": { args: null },
    "args that are missing": { args: undefined },
    "args that are a list": { args: ["prod"] },
    "args that cannot be copied": { args: { env: () => "prod" } },
    "a deny that is no text": { deny: true },
    "an empty deny": { deny: "" },
    "a deny beside args": { deny: "no", args: { env: "dev" } },
    "an object that throws": Object.defineProperty({}, "args", {
      enumerable: true,
      get: () => raise(new Error("get")),
    }),
  };
  for (const [name, answer] of Object.entries(odd)) {
    it(`a hook answers ${name}: that call is denied, the run goes on`, async () => {
      const { executed, told, state } = await deploy({ env: "dev" }, { beforeTool: (() => answer) as BeforeTool });
      expect(executed).toEqual([]);
      expect(told).toMatch(/^denied: /);
      expect(state.end?.status).toBe("done");
      expect(outcomeOf(state).denials).toMatchObject([{ rule: "beforeTool" }]);
    });
  }

  it("a hook throws: that call is denied", async () => {
    for (const error of [new Error("hook is down"), "hook is down", Object.create(null) as unknown]) {
      const { executed, told } = await deploy({ env: "dev" }, { beforeTool: () => raise(error) });
      expect(executed).toEqual([]);
      expect(told).toMatch(/^denied: beforeTool threw/);
    }
  });

  it("a hook is not asked about a call that a guardrail denies", async () => {
    let hooked = 0;
    await deploy({ env: "prod" }, { guardrails: [denyProd], beforeTool: () => void (hooked += 1) });
    expect(hooked).toBe(0);
  });

  it("a hook hangs while Stop comes: the run ends at once, nothing runs", async () => {
    const recorded = recordTool("deploy", { tags: ["command"] });
    let asked = false;
    const bench = await runOverWire([reply(call("deploy"))], {
      tools: [recorded.tool],
      beforeTool: () => ((asked = true), new Promise(() => undefined)),
    });
    await expect.poll(() => asked).toBe(true);
    const startedAt = Date.now();
    await bench.run.send({ type: "stop" });
    expect(Date.now() - startedAt).toBeLessThan(2_000);
    await bench.end();
    expect(recorded.executed).toEqual([]);
  });
});
