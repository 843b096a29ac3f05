// Ways around an open plan item (gate-attacks, group A): shrinking, renaming, hiding, malformed and raced declarations.
import { describe, expect, it } from "vitest";
import { todowrite } from "../../extension/core/tools/todowrite";
import { eventsOf, outcomeOf, runOverWire, toolResults } from "../support/agentBench";
import { recordTool } from "../support/benchTools";
import type { ModelStep } from "../support/modelScript";
import {
  plan,
  look,
  reply,
  done,
  paint,
  lock,
  lockIsOpen,
  gated,
  attack,
  items,
  type Todo,
} from "../support/todoAttack";

describe("an item that was left open stays open, and holds the run, when on the retry the model", () => {
  const shrinking: Record<string, ModelStep[]> = {
    // A1
    "declares a shorter plan without it": [reply(plan(paint))],
    // A2
    "declares an empty list": [reply(plan())],
    // A15
    "declares no plan at all": [],
    "only works on": [reply(look("b"))],
    "declares an empty list, then the other item, in one turn": [reply(plan(), plan({ ...paint, id: "T1" }))],
    "declares the other item many times": [1, 2, 3].map(() => reply(plan({ ...paint, id: "T1" }), look("c"))),
  };
  for (const [name, tries] of Object.entries(shrinking)) {
    it(name, async () => {
      const { bench, state } = await attack(tries);
      expect(state.end).toMatchObject({
        status: "incomplete",
        limit: "completion",
        stoppedBy: `completion.verify failed 2\u00d7: ${lockIsOpen}`,
      });
      expect(items(state)).toEqual(["T1 paint the door: completed", "T2 fit the lock: pending"]);
      expect(outcomeOf(state).plan.map((item) => item.verified)).toEqual([false, false]);
      expect(eventsOf(bench, "verification_end").map((event) => event.reason)).toEqual([lockIsOpen, lockIsOpen]);
    });
  }

  const renaming: Record<string, { todos: Todo[]; added: string[] }> = {
    // A3
    "renames it and ticks the new name": {
      todos: [{ text: "consider the lock", status: "completed" }],
      added: ["T3 consider the lock: completed"],
    },
    "ticks a look-alike in other letters": {
      todos: [{ text: "fit the l\u043eck", status: "completed" }],
      added: ["T3 fit the l\u043eck: completed"],
    },
    "ticks it in other case": {
      todos: [{ text: "Fit the lock", status: "completed" }],
      added: ["T3 Fit the lock: completed"],
    },
    "ticks it with a space behind": {
      todos: [{ text: "fit the lock ", status: "completed" }],
      added: ["T3 fit the lock : completed"],
    },
    "ticks it with an invisible character": {
      todos: [{ text: "fit the\u200b lock", status: "completed" }],
      added: ["T3 fit the\u200b lock: completed"],
    },
    "ticks it in decomposed letters": {
      todos: [{ text: "fit the lock\u0301", status: "completed" }],
      added: ["T3 fit the lock\u0301: completed"],
    },
    "ticks another item under an id nobody gave": {
      todos: [{ id: "T02", text: "lock", status: "completed" }],
      added: ["T3 lock: completed"],
    },
  };
  for (const [name, { todos, added }] of Object.entries(renaming)) {
    it(name, async () => {
      const { state } = await attack([reply(plan(...todos))]);
      expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
      expect(state.end?.stoppedBy).toContain(lockIsOpen);
      expect(items(state)).toEqual(["T1 paint the door: completed", "T2 fit the lock: pending", ...added]);
    });
  }
});

describe("a declaration that cannot be read for certain is refused whole, says what is expected, and changes nothing", () => {
  const shape =
    '{todos: [{id?: string, text: string, status: "pending" | "in_progress" | "completed" | "cancelled", reason?: string}, …]}';
  const ticked = lock("completed", { id: "T2" });
  const refused: Record<string, unknown> = {
    // A4
    'completed: "false"': [ticked, { ...paint, completed: "false" }],
    "completed: true": [{ text: "fit the lock", completed: true }],
    "a status outside the four words": [lock("done")],
    "a status in capitals": [lock("COMPLETED")],
    "a status with a space": [lock("completed ")],
    "a status that is a list": [{ text: "fit the lock", status: ["completed"] }],
    "the harness's own word for a cancellation": [lock("cancel requested")],
    "verified, claimed by the model": [{ ...ticked, verified: true }],
    // A10
    "another tool's shape": [{ content: "fit the lock", status: "completed", activeForm: "Fitting" }],
    "an item that is a text": ["fit the lock"],
    "a list in the list": [[ticked]],
    "a list in an object": { items: [ticked] },
    "todos as text that holds no list": "fit the lock",
    null: null,
    "an item that is null": [ticked, null],
    "an id that is a number": [{ ...ticked, id: 2 }],
    "a blank text": [{ text: "   ", status: "completed" }],
    "a thousand items": Array.from({ length: 1_000 }, (_, at) => ({ text: `step ${at}`, status: "completed" })),
  };
  for (const [name, todos] of Object.entries(refused)) {
    it(name, async () => {
      const { bench, state } = await attack([reply({ name: "todowrite", args: { todos } })]);
      expect(items(state)).toEqual(["T1 paint the door: completed", "T2 fit the lock: pending"]);
      expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
      const [answer] = Object.values(toolResults(bench.requests().at(-1))).slice(-1);
      expect(answer).toContain(shape);
      expect(eventsOf(bench, "todos_updated")).toHaveLength(1);
    });
  }

  const doubtful: Record<string, { todos: Todo[]; says: string }> = {
    // A11
    "two items with one id": { todos: [ticked, { id: "T2", text: "paint the door", status: "completed" }], says: "T2" },
    "two items with one id nobody gave": {
      todos: [
        { id: "x", text: "one", status: "completed" },
        { id: "x", text: "two", status: "completed" },
      ],
      says: "x",
    },
    "one item by its id and again by its text": {
      todos: [lock("pending", { id: "T2" }), lock("completed")],
      says: "T2",
    },
    "one new text twice": {
      todos: [
        { text: "new", status: "completed" },
        { text: "new", status: "pending" },
      ],
      says: "new",
    },
    "the ids of two items swapped": {
      todos: [{ ...paint, id: "T2" }, lock("pending", { id: "T1" })],
      says: "cannot become another item",
    },
    "a known id under another text": {
      todos: [{ id: "T2", text: "think about the lock", status: "completed" }],
      says: "cannot become another item",
    },
  };
  for (const [name, { todos, says }] of Object.entries(doubtful)) {
    it(name, async () => {
      const { bench, state } = await attack([reply(plan(...todos))]);
      expect(items(state)).toEqual(["T1 paint the door: completed", "T2 fit the lock: pending"]);
      expect(state.end?.stoppedBy).toContain(lockIsOpen);
      const [answer] = Object.values(toolResults(bench.requests().at(-1))).slice(-1);
      expect(answer).toContain(says);
      expect(answer).toContain("Nothing was changed");
    });
  }
});

describe("ticks without work", () => {
  // A12
  it("are not done when the run made no other call", async () => {
    const ticks = reply(plan(paint, lock("completed")));
    const bench = await runOverWire([ticks, done, ticks, done], gated());
    const state = await bench.end();
    expect(state.end?.stoppedBy).toBe("completion.verify failed 2\u00d7: no work behind: paint the door; fit the lock");
    expect(outcomeOf(state).plan.some((item) => item.verified)).toBe(false);
  });

  it("are not done when every other call failed, was denied or never existed", async () => {
    const failing = recordTool("fail", { act: () => Promise.reject(new Error("no")) });
    const denied = recordTool("denied");
    const bench = await runOverWire(
      [
        reply(
          plan(paint),
          { name: "fail", args: {} },
          { name: "denied", args: {} },
          { name: "no_such_tool", args: {} },
        ),
        done,
      ],
      gated({
        tools: [todowrite, failing.tool, denied.tool],
        guardrails: [(call) => (call.tool === "denied" ? { decision: "deny", reason: "no" } : { decision: "allow" })],
        completion: { verify: "todos", maxAttempts: 1 },
      }),
    );
    const state = await bench.end();
    expect(denied.executed).toEqual([]);
    expect(state.end?.stoppedBy).toContain("no work behind: paint the door");
  });

  it("are not done when a settled item is declared again as open", async () => {
    const bench = await runOverWire(
      [
        reply(plan(paint), look()),
        reply(plan({ ...paint, status: "pending" })),
        done,
        reply(plan({ ...paint, id: "T1" })),
        done,
      ],
      gated(),
    );
    const state = await bench.end();
    expect(items(state)).toEqual(["T1 paint the door: completed"]);
    expect(eventsOf(bench, "verification_end").map((event) => [event.passed, event.reason])).toEqual([
      [false, "1 item(s) still open: paint the door"],
      [true, ""],
    ]);
  });

  // A13
  it("are not asked for when no plan was declared", async () => {
    const bench = await runOverWire([reply(look()), done], gated());
    const state = await bench.end();
    expect(state.end?.status).toBe("done");
    expect(eventsOf(bench, "check_end").map((event) => event.check)).toMatchObject([
      { name: "todos", verdict: "pass" },
    ]);
  });
});

describe("a denied, failed or raced declaration", () => {
  // A7
  it("never touches the ledger when a guardrail denies it", async () => {
    const { bench, state } = await attack([reply(plan(lock("completed", { id: "T2" })))], {
      guardrails: [
        ({ tool, args }) =>
          tool === "todowrite" && JSON.stringify(args).includes("T2")
            ? { decision: "deny", reason: "show your work first" }
            : { decision: "allow" },
      ],
    });
    expect(items(state)).toEqual(["T1 paint the door: completed", "T2 fit the lock: pending"]);
    expect(state.end?.stoppedBy).toContain(lockIsOpen);
    expect(Object.values(toolResults(bench.requests().at(-1))).at(-1)).toBe("denied: show your work first");
    expect(outcomeOf(state).denials).toMatchObject([{ tool: "todowrite", reason: "show your work first" }]);
  });

  it("never touches the ledger when a person denies it or gives no answer", async () => {
    for (const decision of [{ decision: "deny", by: "ana", reason: "not yet" } as const, "throw"]) {
      const { state } = await attack([reply(plan(lock("completed", { id: "T2" })))], {
        guardrails: [
          ({ args }) =>
            JSON.stringify(args).includes("T2") ? { decision: "ask", reason: "really?" } : { decision: "allow" },
        ],
        approver: {
          decide: () =>
            typeof decision === "string" ? Promise.reject(new Error("closed")) : Promise.resolve(decision),
        },
      });
      expect(items(state)).toEqual(["T1 paint the door: completed", "T2 fit the lock: pending"]);
      expect(state.end?.stoppedBy).toContain(lockIsOpen);
    }
  });

  it("applies in the order of the calls when several come in one turn", async () => {
    const bench = await runOverWire(
      [reply(plan(lock("completed")), plan(lock("pending")), plan(paint), plan(lock("in_progress")), look()), done],
      gated({ completion: { verify: "todos", maxAttempts: 1 } }),
    );
    const state = await bench.end();
    expect(items(state)).toEqual(["T1 fit the lock: in_progress", "T2 paint the door: completed"]);
    expect(state.end?.stoppedBy).toContain(lockIsOpen);
  });

  it("loses nothing when several wait for a person and are approved together, last first", async () => {
    const bench = await runOverWire(
      [reply(plan(lock("pending")), plan(paint), look()), done],
      gated({
        completion: { verify: "todos", maxAttempts: 1 },
        guardrails: [
          ({ tool }) => (tool === "todowrite" ? { decision: "ask", reason: "plan?" } : { decision: "allow" }),
        ],
      }),
    );
    await expect.poll(() => bench.run.state().approvals.length).toBe(2);
    const answers = await Promise.all(["A2", "A1"].map((id) => bench.run.send({ type: "approve", id, by: "ana" })));
    expect(answers).toEqual([{ ok: true }, { ok: true }]);
    const state = await bench.end();
    expect(
      items(state)
        .map((item) => item.slice(3))
        .sort(),
    ).toEqual(["fit the lock: pending", "paint the door: completed"]);
    expect(state.end?.stoppedBy).toContain(lockIsOpen);
  });
});
