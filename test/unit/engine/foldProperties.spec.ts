// State is a fold over the journal: random runs, folded again, cut anywhere, resumed anywhere.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  fold,
  foldAll,
  initialState,
  loadJournal,
  next,
  type Approver,
  type JournaledEvent,
  type RunState,
  type Verifier,
} from "../../../extension/core";
import type { Effect } from "../../../extension/core/loop/effect";
import { todowrite } from "../../../extension/core/tools/todowrite";
import { NodeHasher } from "../../../extension/node/nodeHasher";
import { benchPorts, runScript, type BenchOptions } from "../../support/agentBench";
import { recordTool } from "../../support/benchTools";
import { MemoryJournal } from "../../support/memoryJournal";
import type { ModelStep, ScriptedCall } from "../../support/modelScript";
import { seededRandom } from "../../support/seededRandom";

type Random = ReturnType<typeof seededRandom>;
const chance = (random: Random, percent: number): boolean => random.below(100) < percent;

function randomCall(random: Random): ScriptedCall {
  const todo = {
    text: random.pick(["a", "b", "c"]),
    status: random.pick(["pending", "in_progress", "completed", "completed", "cancelled", "done"]),
    reason: "dull",
  };
  return random.pick<ScriptedCall>([
    { name: "look", args: { at: random.pick(["x", "y"]) } },
    { name: "change", args: { at: random.pick(["x", "y"]) } },
    { name: "deploy", args: { env: random.pick(["dev", "prod"]) } },
    { name: "todowrite", args: { todos: [todo] } },
    { name: "todowrite", args: { todos: [todo, { text: "d", status: "completed" }] } },
    { name: "fail", args: {} },
    { name: "denied", args: { n: random.below(3) } },
    { name: "nothing_known", args: {} },
    { name: "look", args: '{"at": "x' },
  ]);
}

function randomStep(random: Random): ModelStep {
  if (chance(random, 4)) return { kind: "http", status: 400, body: { error: { message: "no" } } };
  if (chance(random, 35)) return { kind: "reply", text: random.pick(["done", "all finished", ""]) };
  const calls = Array.from({ length: 1 + random.below(3) }, () => randomCall(random));
  return { kind: "reply", calls, ...(chance(random, 40) ? { text: "on it" } : {}) };
}

function randomVerifier(random: Random): Verifier {
  return async () => {
    if (chance(random, 30)) await sleep(1);
    const answer = random.pick<unknown>([
      { ok: true },
      { ok: false, reason: "not yet" },
      { ok: false },
      undefined,
      null,
    ]);
    if (answer === null) throw new Error("verifier is down");
    return answer as { ok: boolean };
  };
}

function randomApprover(random: Random): Approver {
  return {
    decide: async () => {
      if (chance(random, 50)) await sleep(1);
      const kind = random.below(4);
      if (kind === 0) throw new Error("no window");
      return kind === 1 ? { decision: "deny", by: "ana", reason: "no" } : { decision: "approve", by: "ana" };
    },
  };
}

function randomOptions(random: Random): BenchOptions {
  const completion = random.pick<BenchOptions>([
    {},
    { completion: { verify: "todos", maxAttempts: 1 + random.below(3) } },
    { completion: { verify: randomVerifier(random), maxAttempts: 1 + random.below(3) } },
    { completion: { verify: randomVerifier(random), maxAttempts: 1 + random.below(3) } },
  ]);
  return {
    ...completion,
    tools: [
      todowrite,
      recordTool("look").tool,
      recordTool("change", { tags: ["command"] }).tool,
      recordTool("deploy", { tags: ["command"] }).tool,
      recordTool("fail", { act: () => Promise.reject(new Error("broken")) }).tool,
      recordTool("denied").tool,
    ],
    guardrails: [
      ({ tool }) => {
        if (tool === "denied") return { decision: "deny", reason: "never" };
        return tool === "deploy" ? { decision: "ask", reason: "sure?" } : { decision: "allow" };
      },
    ],
    budget: { maxTurns: 3 + random.below(7), ...(chance(random, 20) ? { maxToolCalls: random.below(6) } : {}) },
    retry: { maxAttempts: 1, firstWaitMs: 1, maxWaitMs: 1 },
    ...(chance(random, 70)
      ? { approver: randomApprover(random) }
      : { onAsk: random.pick(["suspend", "deny"] as const) }),
  };
}

async function randomRun(seed: number) {
  const random = seededRandom(seed);
  const journal = new MemoryJournal();
  const options = randomOptions(random);
  // Some models do the same over and over.
  const rut = chance(random, 12) ? randomCall(random) : null;
  const step = (): ModelStep => (rut === null ? randomStep(random) : { kind: "reply", calls: [rut] });
  const bench = runScript(step, { ...options, ports: { ...benchPorts(), journal } });
  const meddleAt = chance(random, 35) ? 3 + random.below(25) : -1;
  const meddle = random.pick(["stop", "close", "steer"] as const);
  bench.run.subscribe({
    onEvent: ({ seq }) => {
      if (seq === meddleAt)
        void bench.run.send(meddle === "steer" ? { type: "steer", text: "go on", by: "ana" } : { type: meddle });
    },
  });
  const state = await bench.end();
  return { journal, state, events: bench.events };
}

/** Every state that a crash could leave, each as it was and as a resume finds it, with what has happened before it. */
function* cuts(events: readonly JournaledEvent[]) {
  let state = initialState;
  for (const [index, event] of events.entries()) {
    state = fold(state, event);
    const past = events.slice(0, index + 1);
    yield { state, past, resumed: false };
    const resume = { type: "agent_resume", by: "ana", model: "scripted", endpoint: "scripted", sealed: true } as const;
    const { v, ts, run, prev } = event;
    yield { state: fold(state, { v, ts, run, prev, seq: event.seq + 1, ...resume }), past, resumed: true };
  }
}

function isVerified(past: readonly JournaledEvent[]): boolean {
  const lastReply = past.findLastIndex((event) => event.type === "model_reply");
  const after = past.slice(lastReply + 1);
  const judged = after.filter((event) => event.type === "verification_end");
  return judged.at(-1)?.passed === true && !after.some((event) => event.type === "human_message");
}

function check(state: RunState, past: readonly JournaledEvent[], effects: readonly Effect[]): void {
  const last = past.findLast((event) => event.type === "model_reply");
  const started = new Set(past.flatMap((event) => (event.type === "tool_start" ? [event.callId] : [])));
  const ended = new Set(
    past.flatMap((event) => (event.type === "tool_end" || event.type === "guardrail_denied" ? [event.callId] : [])),
  );
  const denied = new Set(past.flatMap((event) => (event.type === "guardrail_denied" ? [event.callId] : [])));
  for (const effect of effects) {
    if (effect.kind === "runTool") {
      expect(started).not.toContain(effect.callId);
      expect(ended).not.toContain(effect.callId);
      expect(denied).not.toContain(effect.callId);
    }
    if (effect.kind === "settle") expect(started).toContain(effect.callId);
    if (effect.kind === "callModel") expect(state.turn).toBeNull();
    // An end that names a mistake of ours: none of these states has one.
    if (effect.kind === "end") expect(effect.ending.kind).not.toBe("error");
    if (effect.kind === "end" && effect.ending.kind === "done") {
      expect(last?.calls).toEqual([]);
      if (state.spec?.completion !== null) expect(isVerified(past)).toBe(true);
    }
  }
  // Each key once: an effect that is in flight is known by it.
  expect(new Set(effects.map((effect) => effect.key)).size).toBe(effects.length);
}

/** Every call that was sent back to the model has exactly one result, right behind it. */
function checkHistory({ history, turn }: RunState): void {
  const calls = history.flatMap((message) => (message.role === "assistant" ? (message.tool_calls ?? []) : []));
  const results = history.filter((message) => message.role === "tool");
  const open = turn?.calls.length ?? 0;
  expect(results.map((message) => message.tool_call_id)).toEqual(
    calls.slice(0, calls.length - open).map((call) => call.id),
  );
}

describe("the fold over a run's events", () => {
  const seeds = Array.from({ length: 200 }, (_, index) => index + 1);

  it(
    "gives the live state again, also from the journal's bytes, and every cut of it can go on",
    { timeout: 60_000 },
    async () => {
      const seen = { gatedDone: 0, doneEffects: 0, verified: 0, settles: 0, cuts: 0 };
      const statuses = new Map<string, number>();
      for (const seed of seeds) {
        const { journal, state, events } = await randomRun(seed);
        const which = `seed ${seed}`;
        expect(foldAll(events), which).toEqual(state);
        const loaded = await loadJournal(journal, new NodeHasher());
        expect(loaded.blocked, which).toBeNull();
        expect(loaded.state, which).toEqual(state);
        for (const { state: cut, past } of cuts(events)) {
          const effects = next(cut, cut.lastTs);
          check(cut, past, effects);
          checkHistory(cut);
          seen.cuts += 1;
          seen.settles += effects.filter((effect) => effect.kind === "settle").length;
          seen.doneEffects += effects.filter((effect) => effect.kind === "end" && effect.ending.kind === "done").length;
        }
        const status = state.end?.limit ?? state.end?.status ?? "none";
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (state.end?.status === "done" && state.spec?.completion !== null) {
          seen.gatedDone += 1;
          expect(isVerified(events), which).toBe(true);
        }
      }
      // The runs are worth something only if they end in all these ways.
      const wanted = [
        "done",
        "completion",
        "maxTurns",
        "maxToolCalls",
        "stuck",
        "pending",
        "interrupted",
        "closed",
        "error",
      ];
      expect([...statuses.keys()]).toEqual(expect.arrayContaining(wanted));
      expect(seen.gatedDone).toBeGreaterThan(10);
      expect(seen.doneEffects).toBeGreaterThan(50);
      expect(seen.settles).toBeGreaterThan(50);
    },
  );
});
