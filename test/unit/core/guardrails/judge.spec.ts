import { describe, expect, it } from "vitest";
import { createJudge } from "../../../../extension/core/guardrails/judge";
import type { JudgeOptions } from "../../../../extension/core/guardrails/judge";
import { ask, deny } from "../../../../extension/core/guardrails/verdict";
import type { GuardedCall, Guardrail, GuardrailAnswer, RuleSet } from "../../../../extension/core/guardrails/verdict";
import { SystemClock } from "../../../../extension/node/systemClock";
import { guardedCall } from "../../../support/guardedWorkspace";

const never = new AbortController().signal;
const call = guardedCall({ args: { env: "dev", list: [1, { deep: "x" }] } });

function judgeWith(options: Partial<JudgeOptions>): ReturnType<typeof createJudge> {
  return createJudge({ ruleSets: [], guardrails: [], clock: new SystemClock(), deadlineMs: 80, ...options });
}

function guardrail(judge: (call: GuardedCall, signal: AbortSignal) => unknown, id = "mine"): Guardrail {
  return { id, judge: judge as Guardrail["judge"] };
}

function later<T>(value: T, ms: number): Promise<T> {
  return new Promise((resolve) => setTimeout(() => resolve(value), ms));
}

describe("what a guardrail may answer", () => {
  it.each<[GuardrailAnswer, object]>([
    [{ decision: "allow" }, { decision: "allow", rule: "mine" }],
    [
      { decision: "ask", reason: "why" },
      { decision: "ask", rule: "mine", reason: "why", level: "normal" },
    ],
    [
      { decision: "ask", reason: "why", level: "prod" },
      { decision: "ask", rule: "mine", reason: "why", level: "prod" },
    ],
    [
      { decision: "deny", reason: "no" },
      { decision: "deny", rule: "mine", reason: "no" },
    ],
  ])("%j counts", async (answer, expected) => {
    expect(await judgeWith({ guardrails: [guardrail(() => answer)] })(call, "ask", never)).toEqual(expected);
  });

  it.each([
    [true],
    [false],
    [undefined],
    [null],
    ["allow"],
    [1],
    [{}],
    [[]],
    [[{ decision: "allow" }]],
    [{ ok: true }],
    [{ decision: "ALLOW" }],
    [{ decision: "deny" }],
    [{ decision: "deny", reason: "" }],
    [{ decision: "ask" }],
    [{ decision: "ask", reason: "why", level: "high" }],
    [{ decision: "ask", reason: "why", level: null }],
  ])("%j denies the call and says what is expected", async (answer) => {
    const verdict = await judgeWith({ guardrails: [guardrail(() => answer)] })(call, "allow", never);
    expect(verdict).toMatchObject({ decision: "deny", rule: "mine" });
    expect(verdict.decision === "deny" && verdict.reason).toMatch(
      /guardrail mine answered .*expected \{ decision: "allow" \}/,
    );
  });

  it("an answer after 50 ms is awaited", async () => {
    const judge = judgeWith({ deadlineMs: 2000, guardrails: [guardrail(() => later({ decision: "allow" }, 50))] });
    expect(await judge(call, "ask", never)).toEqual({ decision: "allow", rule: "mine" });
  });
});

describe("a guardrail that fails", () => {
  it.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
    ],
    ["rejects", () => Promise.reject(new Error("boom"))],
  ])("that %s denies this call with its message", async (_, fail) => {
    const verdict = await judgeWith({ guardrails: [guardrail(fail)] })(call, "allow", never);
    expect(verdict).toEqual({ decision: "deny", rule: "mine", reason: "guardrail mine failed: boom" });
  });

  it("that throws no error is denied as well", async () => {
    const verdict = await judgeWith({
      guardrails: [guardrail(() => ({ then: (_: unknown, reject: (why?: unknown) => void) => reject() }))],
    })(call, "allow", never);
    expect(verdict).toMatchObject({
      decision: "deny",
      reason: "guardrail mine failed: it threw something without a message",
    });
  });

  it("for one of three calls leaves the others alone", async () => {
    const judge = judgeWith({
      guardrails: [
        guardrail((each) => {
          if (each.tool === "b") throw new Error("boom");
          return { decision: "allow" };
        }),
      ],
    });
    const verdicts = await Promise.all(["a", "b", "c"].map((tool) => judge(guardedCall({ tool }), "ask", never)));
    expect(verdicts.map((verdict) => verdict.decision)).toEqual(["allow", "deny", "allow"]);
  });

  it("that never answers is denied at its deadline and told to stop", async () => {
    const signals: AbortSignal[] = [];
    const silent = guardrail((_, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const verdict = await judgeWith({ guardrails: [silent] })(call, "allow", never);
    expect(verdict).toMatchObject({
      decision: "deny",
      rule: "mine",
      reason: "guardrail mine gave no answer within 80 ms",
    });
    expect(signals[0]?.aborted).toBe(true);
  });

  it("deadlines run side by side", async () => {
    const waiting: (() => void)[] = [];
    // None answers before all five were asked.
    const meeting = () =>
      new Promise<{ decision: "allow" }>((resolve) => {
        waiting.push(() => resolve({ decision: "allow" }));
        if (waiting.length === 5) for (const answer of waiting) answer();
      });
    const guardrails = Array.from({ length: 5 }, (_, index) => guardrail(meeting, `g${index}`));
    const verdict = await judgeWith({ deadlineMs: 2000, guardrails })(call, "allow", never);
    expect(verdict.decision).toBe("allow");
  });

  it("the first denial in their order is told, not the quickest", async () => {
    const guardrails = [
      guardrail(() => later({ decision: "deny", reason: "slow" }, 40), "first"),
      guardrail(() => ({ decision: "deny", reason: "quick" }), "second"),
    ];
    const verdict = await judgeWith({ deadlineMs: 2000, guardrails })(call, "allow", never);
    expect(verdict).toMatchObject({ rule: "first", reason: "slow" });
  });

  it("a stop ends the wait at once and denies", async () => {
    const stop = new AbortController();
    const judge = judgeWith({ deadlineMs: 60_000, guardrails: [guardrail(() => new Promise(() => undefined))] });
    const verdict = judge(call, "allow", stop.signal);
    stop.abort();
    expect(await verdict).toMatchObject({ decision: "deny", reason: "guardrail mine was stopped before it answered" });
    expect(await judgeWith({})(call, "allow", AbortSignal.abort())).toMatchObject({
      decision: "deny",
      rule: "stopped",
    });
  });
});

describe("the call that is judged", () => {
  it("is a frozen copy at every depth: rewriting it denies and changes nothing", async () => {
    const rewrite = guardrail((each) => {
      (each.args as { env: string }).env = "prod";
      return { decision: "allow" };
    });
    const deep = guardrail((each) => {
      (each.args["list"] as { deep: string }[])[1]!.deep = "y";
      return { decision: "allow" };
    });
    for (const each of [rewrite, deep]) {
      expect(await judgeWith({ guardrails: [each] })(call, "allow", never)).toMatchObject({
        decision: "deny",
        rule: "mine",
      });
    }
    expect(call.args).toEqual({ env: "dev", list: [1, { deep: "x" }] });
  });

  it("that cannot be copied is denied", async () => {
    const odd = guardedCall({ args: { run: () => 1 } });
    expect(await judgeWith({})(odd, "allow", never)).toMatchObject({ decision: "deny", rule: "call" });
  });
});

describe("rule sets", () => {
  const rules = (verdicts: RuleSet["verdicts"], mustStop?: RuleSet["mustStop"]): RuleSet =>
    mustStop === undefined ? { id: "set", verdicts } : { id: "set", verdicts, mustStop };

  it("come before guardrails and compose with them", async () => {
    const judge = judgeWith({
      ruleSets: [rules(() => [ask("r", "ask", "guarded")])],
      guardrails: [guardrail(() => ({ decision: "allow" }))],
    });
    expect(await judge(call, "allow", never)).toMatchObject({ decision: "ask", rule: "r", level: "guarded" });
  });

  it("that throw or answer another shape deny", async () => {
    const throwing = rules(() => {
      throw new Error("bug");
    });
    const odd = rules(() => [{ decision: "perhaps" } as never]);
    for (const set of [throwing, odd]) {
      expect(await judgeWith({ ruleSets: [set] })(call, "allow", never)).toMatchObject({
        decision: "deny",
        rule: "set",
      });
    }
  });

  it("that let a known bad call through are not believed: everything is denied", async () => {
    const bad = { what: "a bad call", call: guardedCall({ tool: "bad" }), least: "deny" as const };
    const lenient = rules(() => [], [bad]);
    const asking = rules(() => [ask("r", "x", "guarded")], [bad]);
    const failing = rules(() => {
      throw new Error("bug");
    }, [bad]);
    for (const set of [lenient, asking, failing]) {
      const verdict = await judgeWith({ ruleSets: [set] })(call, "allow", never);
      expect(verdict).toMatchObject({ decision: "deny", rule: "self-proof" });
    }
    const sound = rules((each) => (each.tool === "bad" ? [deny("r", "no")] : []), [bad]);
    expect(await judgeWith({ ruleSets: [sound] })(call, "allow", never)).toMatchObject({ decision: "allow" });
  });

  it("an ask proves itself only at a level that no rule lifts", async () => {
    const bad = { what: "a bad call", call: guardedCall({ tool: "bad" }), least: "ask" as const };
    const levels = (["normal", "guarded", "prod"] as const).map((level) =>
      judgeWith({ ruleSets: [rules((each) => (each.tool === "bad" ? [ask("r", "x", level)] : []), [bad])] })(
        call,
        "allow",
        never,
      ),
    );
    expect((await Promise.all(levels)).map((verdict) => verdict.decision)).toEqual(["deny", "allow", "allow"]);
  });
});
