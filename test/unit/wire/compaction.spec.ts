// Design 3.8: a request that does not fit is made shorter once and sent once more; what binds the agent stays word for word.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineTool } from "../../../extension/core";
import { foldAll } from "../../../extension/core/journal/fold";
import { todowrite } from "../../../extension/core/tools/todowrite";
import {
  benchPorts,
  eventsOf,
  outcomeOf,
  resumeOverWire,
  runOverWire,
  type BenchOptions,
} from "../../support/agentBench";
import { MemoryJournal } from "../../support/memoryJournal";
import type { ModelScript, ModelStep, ScriptedRequest } from "../../support/modelScript";

const goal = "Sum the column “Größe” of data.csv, and touch nothing else.";
const denial = "never from here, ask Åsa first";
const unverified = "totals.txt says 41, the column sums up to 42";

const look = defineTool({
  name: "look",
  description: "Looks at a place",
  args: z.strictObject({ path: z.string() }),
  tags: ["read"],
  run: ({ path }) =>
    Promise.resolve(
      path === "gone.csv"
        ? { ok: false, code: "failed", message: "gone.csv: no such file (os error 2)" }
        : { ok: true, output: `${path}: ${"x".repeat(2_000)}` },
    ),
});
const deploy = defineTool({
  name: "deploy",
  description: "Deploys",
  args: z.strictObject({ env: z.string() }),
  tags: ["write"],
  run: () => Promise.resolve({ ok: true, output: "deployed" }),
});
const options: BenchOptions = {
  goal,
  prompt: "You are terse.",
  tools: [look, deploy, todowrite],
  guardrails: [({ tool }) => (tool === "deploy" ? { decision: "deny", reason: denial } : { decision: "allow" })],
};

const call = (name: string, args: Record<string, unknown>, usage?: number): ModelStep => ({
  kind: "reply",
  calls: [{ name, args }],
  ...(usage === undefined ? {} : { usage: { input: usage, output: 5 } }),
});
const say = (text: string): ModelStep => ({ kind: "reply", text });
const overflow = (message = "This model's maximum context length is 8192 tokens."): ModelStep => ({
  kind: "http",
  status: 400,
  body: { error: { code: "context_length_exceeded", message } },
});
const looks = (count: number): ModelStep[] =>
  Array.from({ length: count }, (_, at) => call("look", { path: `part${at}.csv` }));

/** A run with everything in its history that a compaction has to keep. */
const eventful: readonly ModelStep[] = [
  call("todowrite", {
    todos: [
      { text: "Read data.csv", status: "completed" },
      { text: "Write «totals.txt»", status: "in_progress" },
    ],
  }),
  call("deploy", { env: "prod" }),
  call("look", { path: "gone.csv" }),
  say("I am done."),
  ...looks(12),
];

describe("a history that is too long for the model's context", () => {
  it("is made shorter once and sent once more, with goal, plan, denial and failure word for word", async () => {
    const bench = await runOverWire([...eventful, overflow(), say("The sum is 42.")], {
      ...options,
      completion: { verify: failOnce(), maxAttempts: 2 },
    });
    const state = await bench.end();

    expect(outcomeOf(state)).toMatchObject({ status: "done", text: "The sum is 42.", attempts: 2 });
    const [refused, resent] = bench.requests().slice(-2);
    expect(sizeOf(resent)).toBeLessThan(sizeOf(refused) * 0.7);
    expect(eventsOf(bench, "compaction")).toMatchObject([{ refused: true, window: 8192 }]);
    const text = textOf(resent);
    expect(text).toContain(goal);
    expect(text).toContain("T1 [completed] Read data.csv\nT2 [in_progress] Write «totals.txt»");
    expect(text).toContain(`deploy {"env":"prod"} → denied: ${denial}`);
    expect(text).toContain(`Your work did not verify: ${unverified}. Fix it and finish.`);
    expect(text).toContain("look gone.csv: gone.csv: no such file (os error 2)");
    expect(resent?.tools).toEqual(refused?.tools);
  });

  it("keeps every call together with its one result, and the newest turns as they were", async () => {
    const bench = await runOverWire([...looks(12), overflow(), say("done")], options);
    await bench.end();

    const [refused, resent] = bench.requests().slice(-2);
    expect(pairs(resent).calls).toEqual(pairs(resent).results);
    expect(pairs(resent).calls.length).toBeGreaterThan(0);
    expect(resent?.messages.slice(2)).toEqual(refused?.messages.slice(2 - (resent?.messages.length ?? 0)));
  });

  it("ends the run with the token counts when it does not fit then either", async () => {
    const bench = await runOverWire([...looks(12), overflow(), overflow()], options);
    const state = await bench.end();

    expect(outcomeOf(state).status).toBe("error");
    expect(outcomeOf(state).stoppedBy).toMatch(
      /also after earlier turns were taken out \(about \d+ tokens, the model's context holds 8192\).*maximum context length/,
    );
    expect(eventsOf(bench, "compaction")).toHaveLength(1);
  });

  it("is not sent again at all when nothing can be taken out", async () => {
    const bench = await runOverWire([overflow()], options);

    expect(outcomeOf(await bench.end())).toMatchObject({ status: "error" });
    expect(bench.requests()).toHaveLength(1);
  });

  it("has the results of a single turn cut when that turn alone is too long", async () => {
    const wide: ModelStep = {
      kind: "reply",
      calls: Array.from({ length: 8 }, (_, at) => ({ name: "look", args: { path: `wide${at}.csv` } })),
    };
    const bench = await runOverWire([wide, overflow(), say("done")], options);

    expect(outcomeOf(await bench.end()).status).toBe("done");
    const [refused, resent] = bench.requests().slice(-2);
    expect(pairs(resent).results).toEqual(pairs(refused).results);
    expect(sizeOf(resent)).toBeLessThan(sizeOf(refused) * 0.7);
  });

  it("can be compacted again by a later refusal, and still holds what the first one kept", async () => {
    const bench = await runOverWire(
      [
        ...eventful.filter((step) => step.kind !== "reply" || step.text === undefined),
        overflow(),
        ...looks(12),
        overflow("again"),
        say("done"),
      ],
      { ...options, goal },
    );
    await bench.end();

    expect(eventsOf(bench, "compaction")).toHaveLength(2);
    expect(textOf(bench.requests().at(-1))).toContain(`denied: ${denial}`);
    expect(textOf(bench.requests().at(-1)).split("taken out so that").length).toBe(2);
  });

  it("loses no message that a person adds while it is compacted", async () => {
    const bench = await runOverWire([...looks(12), overflow(), say("done")], options);
    await bench.end();
    const [compaction] = eventsOf(bench, "compaction");
    const at = bench.events.findIndex((event) => event === compaction);
    const spoken = { ...bench.events[0]!, type: "human_message" as const, text: "Use tabs.", by: "ana" };
    const history = foldAll(bench.events.toSpliced(at, 0, spoken).slice(0, at + 2)).history;

    expect(history.at(-1)).toEqual({ role: "user", content: "Use tabs." });
    const kept = history.filter((message) => message.role === "tool").map((message) => message.tool_call_id);
    expect(kept).toEqual(
      history.flatMap((message) => ("tool_calls" in message ? (message.tool_calls ?? []) : [])).map((made) => made.id),
    );
  });

  it("is the same after a resume as before", async () => {
    const journal = new MemoryJournal();
    const bench = await runOverWire(
      [...looks(12), overflow(), call("look", { path: "last.csv" }), overflow(), overflow()],
      {
        ...options,
        ports: { ...benchPorts(), journal },
      },
    );
    const before = await bench.end();
    const resumed = await resumeOverWire(journal, [say("done")], {
      tools: options.tools ?? [],
      guardrails: options.guardrails ?? [],
    });
    const after = await resumed.end();

    expect(outcomeOf(after).status).toBe("done");
    expect(resumed.requests()[0]?.messages).toEqual(bench.requests().at(-1)?.messages);
    expect(foldAll(bench.events).history).toEqual(before.history);
  });
});

describe("a known context window", () => {
  it("is kept free ahead of a refusal, by what the server counted", async () => {
    const counting: ModelScript = (request, index) =>
      index < 8 ? call("look", { path: `p${index}.csv` }, Math.ceil(sizeOf(request) / 3)) : say("done");
    const bench = await runOverWire(counting, { ...options, contextWindow: 5_000 });
    await bench.end();

    expect(eventsOf(bench, "compaction")).toMatchObject([{ refused: false, window: 5_000, turns: 4 }]);
    expect(eventsOf(bench, "model_error")).toEqual([]);
  });

  it("stays below it through a long run against a server that refuses what is longer", async () => {
    const window = 6_000;
    let refusals = 0;
    const strict: ModelScript = (request, index) => {
      const tokens = Math.ceil(sizeOf(request) / 4);
      if (tokens > window) {
        refusals += 1;
        return overflow(`the request exceeds the available context size (${window} tokens)`);
      }
      if (index > 60) return { kind: "reply", text: "done", usage: { input: tokens, output: 1 } };
      return call("look", { path: `p${index}.csv` }, tokens);
    };
    const bench = await runOverWire(strict, options);

    expect(outcomeOf(await bench.end()).status).toBe("done");
    // The first refusal teaches the window; from then on the run is ahead of it.
    expect(refusals).toBe(1);
    expect(eventsOf(bench, "compaction").length).toBeGreaterThan(2);
  });

  it("rewrites nothing between compactions, so that a prompt cache holds", async () => {
    const bench = await runOverWire([...looks(6), say("done")], options);
    await bench.end();
    const bodies = bench.requests().map((request) => request.messages.map((message) => JSON.stringify(message)));

    bodies.slice(1).forEach((messages, at) => expect(messages.slice(0, bodies[at]?.length)).toEqual(bodies[at]));
  });

  it.each([0, -1, 1.5, Number.NaN])("cannot be %s", async (contextWindow) => {
    await expect(runOverWire([], { ...options, contextWindow })).rejects.toThrow("contextWindow has to be");
  });
});

function failOnce(): () => { ok: boolean; reason: string } {
  let judged = 0;
  return () => ({ ok: (judged += 1) > 1, reason: unverified });
}

function sizeOf(request: ScriptedRequest | undefined): number {
  return JSON.stringify(request?.messages).length;
}

function textOf(request: ScriptedRequest | undefined): string {
  return (request?.messages ?? [])
    .map((message) => (typeof message["content"] === "string" ? message["content"] : ""))
    .join("\n");
}

function pairs(request: ScriptedRequest | undefined): { calls: unknown[]; results: unknown[] } {
  const messages = request?.messages ?? [];
  const calls = messages.flatMap((message) => (message["tool_calls"] as { id: string }[] | undefined) ?? []);
  return {
    calls: calls.map((made) => made.id),
    results: messages.filter((message) => message["role"] === "tool").map((message) => message["tool_call_id"]),
  };
}
