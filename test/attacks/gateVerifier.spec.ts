// Verifiers of an embedding program that misbehave (gate-attacks, group B): only a plain `{ ok: true }` in time passes.
import { describe, expect, it } from "vitest";
import { AgentError, type GateEvidence, type Verifier } from "../../extension/core";
import { benchPorts, eventsOf, outcomeOf, runOverWire, runScript } from "../support/agentBench";
import { recordTool } from "../support/benchTools";
import { FakeClock } from "../support/fakeClock";
import type { ModelStep } from "../support/modelScript";

const done: ModelStep = { kind: "reply", text: "done" };

/** One attempt with this verifier. */
async function judge(verify: unknown, timeoutMs?: number) {
  const bench = await runOverWire([done], {
    completion: { verify: verify as Verifier, maxAttempts: 1, ...(timeoutMs === undefined ? {} : { timeoutMs }) },
  });
  const state = await bench.end();
  return { state, end: state.end, checks: eventsOf(bench, "check_end").map((event) => event.check) };
}

/** Throws anything at all. */
function raise(what: unknown): never {
  throw what;
}

const flipping = (answers: unknown[]) =>
  Object.defineProperty({}, "ok", { enumerable: true, get: () => answers.shift() });

describe("a verifier that does not answer { ok: true } has not verified", () => {
  // B3 and variants
  const answers: Record<string, unknown> = {
    nothing: undefined,
    null: null,
    true: true,
    "a string": "ok",
    "a number": 1,
    "an array": [true],
    "an array that carries ok": Object.assign([], { ok: true }),
    "a function that carries ok": Object.assign(() => true, { ok: true }),
    "a boxed true": { ok: Object(true) as unknown },
    "ok: 1": { ok: 1 },
    'ok: "true"': { ok: "true" },
    "ok: a promise": { ok: Promise.resolve(true) },
    "an empty object": {},
    "another key": { passed: true },
    "another spelling": { OK: true },
    "a getter that says true only to the first look": flipping([false, true, true]),
  };
  for (const [name, answer] of Object.entries(answers)) {
    it(`answers ${name}`, async () => {
      const { state, end, checks } = await judge(() => answer);
      expect(end).toMatchObject({ status: "incomplete", limit: "completion" });
      expect(state.attempts).toBe(1);
      expect(checks).toMatchObject([{ verdict: "fail" }]);
      expect(outcomeOf(state).verdict).toBe("FALSE-COMPLETION");
      if (name.startsWith("a getter")) return;
      expect(end?.stoppedBy).toContain("{ ok: boolean, reason?: string }");
    });
  }
});

describe("a verifier that fails on its own", () => {
  // B1 and variants
  const unprintable: unknown = Object.create(null);
  const hostile: unknown = new Proxy({}, { get: () => raise(new Error("inner")), has: () => true });
  const failures: Record<string, { verify: () => unknown; says: string }> = {
    "throws an error": { verify: () => raise(new Error("db down")), says: "db down" },
    "throws a string": { verify: () => raise("just text"), says: "just text" },
    "throws nothing": { verify: () => raise(undefined), says: "threw" },
    "throws what has no text": { verify: () => raise(unprintable), says: "threw" },
    "throws what fails when it is read": { verify: () => raise(hostile), says: "threw" },
    rejects: { verify: () => Promise.reject(new Error("later")), says: "later" },
    "is a thenable that rejects": {
      verify: () => ({ then: (_: unknown, reject: (why: unknown) => void) => reject("never") }),
      says: "never",
    },
    "answers a proxy that throws": {
      verify: () => new Proxy({}, { get: (_, key) => (key === "then" ? undefined : raise(new Error("trap"))) }),
      says: "trap",
    },
    "answers a getter that throws": {
      verify: () => Object.defineProperty({}, "ok", { get: () => raise("got") }),
      says: "got",
    },
  };
  for (const [name, { verify, says }] of Object.entries(failures)) {
    it(`${name}: not verified, the attempt counts, usage is kept and the run has an outcome`, async () => {
      const { state, end } = await judge(verify);
      expect(end).toMatchObject({ status: "incomplete", limit: "completion" });
      expect(end?.stoppedBy).toContain(says);
      expect(state).toMatchObject({ attempts: 1, usage: { input: 10, output: 5 } });
    });
  }

  it("is told to the model, which can still repair", async () => {
    const verdicts = [() => raise(new Error("row 3")), () => ({ ok: true })];
    const bench = await runOverWire([done, done], {
      completion: { verify: () => (verdicts.shift() ?? (() => ({ ok: false })))(), maxAttempts: 2 },
    });
    const state = await bench.end();
    expect(state.end?.status).toBe("done");
    expect(bench.requests()[1]?.messages.at(-1)).toEqual({
      role: "user",
      content: "Your work did not verify: the verifier threw: row 3. Fix it and finish.",
    });
  });
});

describe("a verifier that is late", () => {
  // B2
  it("ends at the deadline, is told so through its signal, and has not verified", async () => {
    let told: AbortSignal | null = null;
    const { end, checks } = await judge((_: GateEvidence, signal: AbortSignal) => {
      told = signal;
      return new Promise(() => undefined);
    }, 200);
    expect(end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect(checks).toMatchObject([{ verdict: "timeout" }]);
    expect((told as AbortSignal | null)?.aborted).toBe(true);
  });

  it("answers ok after its deadline: that answer changes nothing", async () => {
    const clock = new FakeClock();
    let answer: (value: { ok: boolean }) => void = () => undefined;
    const bench = runScript([done], {
      ports: benchPorts(clock),
      completion: { verify: () => new Promise((resolve) => (answer = resolve)), maxAttempts: 1, timeoutMs: 200 },
    });
    await expect.poll(() => bench.run.state().verifying).toBe(true);
    await clock.advance(200);
    answer({ ok: true });
    const state = await bench.end();
    expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
    expect(eventsOf(bench, "verification_end")).toMatchObject([{ passed: false }]);
  });

  it("blocks the process over its deadline and then answers ok: too late", async () => {
    const { end, checks } = await judge(() => {
      const until = Date.now() + 150;
      while (Date.now() < until);
      return { ok: true };
    }, 50);
    expect(end?.status).toBe("incomplete");
    expect(checks).toMatchObject([{ verdict: "timeout" }]);
  });

  it("is a thenable that never calls back", async () => {
    const { end } = await judge(() => ({ then: () => undefined }), 50);
    expect(end).toMatchObject({ status: "incomplete", limit: "completion" });
  });

  it("calls back twice: the first answer counts", async () => {
    const { end } = await judge(() => ({
      then: (resolve: (value: unknown) => void) => {
        resolve({ ok: false, reason: "first" });
        resolve({ ok: true });
      },
    }));
    expect(end?.stoppedBy).toBe("completion.verify failed 1\u00d7: first");
  });
});

describe("a verifier that changes what it was shown", () => {
  // B7
  it("changes nothing: it has a frozen copy, at every depth and in every attempt", async () => {
    const { tool, executed } = recordTool("look");
    const seen: GateEvidence[] = [];
    let changed = 0;
    const attack = (target: object, key: string, value: unknown) => {
      if (Reflect.set(target, key, value) || Reflect.deleteProperty(target, key)) changed += 1;
    };
    const bench = await runOverWire(
      [
        { kind: "reply", calls: [{ name: "look", args: { at: { deep: ["a"] } } }] },
        { kind: "reply", text: "one" },
        { kind: "reply", text: "two" },
      ],
      {
        tools: [tool],
        completion: {
          maxAttempts: 2,
          verify: (evidence) => {
            seen.push(structuredClone(evidence));
            attack(evidence, "text", "all tests pass");
            attack(evidence, "attempts", -9);
            attack(evidence.tokens, "input", 0);
            const call = evidence.calls[0];
            if (call === undefined) throw new Error("no call in the evidence");
            attack(call, "result", "forged");
            attack(call.args, "at", "forged");
            attack((call.args["at"] as { deep: string[] }).deep, "0", "forged");
            attack(evidence.calls, "length", 0);
            return { ok: false, reason: "no" };
          },
        },
      },
    );
    const state = await bench.end();
    expect(changed).toBe(0);
    expect(executed).toEqual([{ at: { deep: ["a"] } }]);
    expect(state).toMatchObject({
      attempts: 2,
      end: { status: "incomplete", text: "two" },
      usage: { input: 30, output: 15 },
    });
    expect(seen.map((evidence) => [evidence.text, evidence.attempts])).toEqual([
      ["one", 0],
      ["two", 1],
    ]);
    expect(seen[1]?.calls).toEqual([{ tool: "look", args: { at: { deep: ["a"] } }, result: "ok" }]);
  });

  it("sees the arguments that ran, not those that a hook replaced", async () => {
    const { tool, executed } = recordTool("look");
    let seen: unknown = null;
    const bench = await runOverWire([{ kind: "reply", calls: [{ name: "look", args: { at: "a" } }] }, done], {
      tools: [tool],
      beforeTool: () => ({ args: { at: "b" } }),
      completion: { maxAttempts: 1, verify: (evidence) => ((seen = evidence.calls[0]?.args), { ok: true }) },
    });
    await bench.end();
    expect(executed).toEqual([{ at: "b" }]);
    expect(seen).toEqual({ at: "b" });
  });
});

describe("a completion that cannot work is refused before any request", () => {
  // B8 and variants
  const verify: Verifier = () => ({ ok: true });
  const completions: Record<string, unknown> = {
    "no maxAttempts": { verify },
    ...Object.fromEntries(
      [0, -1, 1.5, NaN, Infinity, "3", null, true, [3], 3n].map((maxAttempts) => [
        `maxAttempts ${typeof maxAttempts} ${String(maxAttempts)}`,
        { verify, maxAttempts },
      ]),
    ),
    "no verifier": { maxAttempts: 3 },
    "an unknown verifier": { verify: "tests", maxAttempts: 3 },
    null: null,
    ...Object.fromEntries(
      [0, -5, NaN, Infinity, "200"].map((timeoutMs) => [
        `timeoutMs ${typeof timeoutMs} ${String(timeoutMs)}`,
        { verify, maxAttempts: 1, timeoutMs },
      ]),
    ),
  };
  for (const [name, completion] of Object.entries(completions)) {
    it(`has ${name}`, () => {
      let error: unknown = null;
      let bench: ReturnType<typeof runScript> | null = null;
      try {
        bench = runScript([], { completion: completion as never });
      } catch (thrown: unknown) {
        error = thrown;
      }
      expect(bench).toBeNull();
      expect(AgentError.is(error, "configuration")).toBe(true);
    });
  }

  // D1
  it("is gated by todos without the tool todowrite", () => {
    const { tool } = recordTool("look");
    expect(() => runScript([], { tools: [tool], completion: { verify: "todos", maxAttempts: 1 } })).toThrow(
      "todowrite",
    );
  });

  it("is gated by todos with a todowrite of another name", () => {
    const { tool } = recordTool("todo_write");
    expect(() => runScript([], { tools: [tool], completion: { verify: "todos", maxAttempts: 1 } })).toThrow(
      "todowrite",
    );
  });
});

describe("sums over all attempts", () => {
  // B9
  it("adds up turns, tool calls and tokens of three attempts with two turns each", async () => {
    const { tool } = recordTool("look");
    const work = (at: number): ModelStep => ({
      kind: "reply",
      calls: [{ name: "look", args: { at } }],
      usage: { input: 100, output: 7 },
    });
    const bench = await runOverWire(
      [1, 2, 3].flatMap((at) => [work(at), done]),
      {
        tools: [tool],
        completion: { verify: () => ({ ok: false, reason: "no" }), maxAttempts: 3 },
        budget: { prices: { input: 1_000_000, output: 2_000_000 } },
      },
    );
    const outcome = outcomeOf(await bench.end());
    expect(outcome).toMatchObject({
      status: "incomplete",
      stoppedBy: "completion.verify failed 3\u00d7: no",
      attempts: 3,
      turns: 6,
      toolCalls: 3,
      tokens: { input: 330, output: 36 },
      cost: 330 + 72,
    });
    expect(bench.requests()).toHaveLength(6);
  });
});
