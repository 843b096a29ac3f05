// Open items that are cancelled instead of done, and the plan over further messages (gate-attacks, group A).
import { describe, expect, it } from "vitest";
import { todowrite } from "../../extension/core/tools/todowrite";
import { benchPorts, eventsOf, resumeOverWire, runOverWire } from "../support/agentBench";
import { recordTool } from "../support/benchTools";
import { MemoryJournal } from "../support/memoryJournal";
import type { ModelStep } from "../support/modelScript";
import { plan, look, reply, done, paint, lock, opening, lockIsOpen, gated, attack, items } from "../support/todoAttack";

describe("an item that the model wants to cancel instead of doing it", () => {
  const cancel = (reason = "not needed"): ModelStep => reply(plan(lock("cancelled", { id: "T2", reason })));

  it("stays open when there is nobody to ask", async () => {
    for (const onAsk of ["suspend", "deny"] as const) {
      const { bench, state } = await attack([cancel()], { onAsk });
      expect(state.end).toMatchObject({ status: "incomplete", limit: "completion" });
      expect(state.end?.stoppedBy).toContain(lockIsOpen);
      expect(eventsOf(bench, "approval_resolved")).toMatchObject([{ decision: "deny", by: "nobody" }]);
    }
  });

  it("is cancelled only when a person agrees to exactly that list", async () => {
    const { bench, state } = await attack([cancel()], {
      approver: { decide: () => Promise.resolve({ decision: "approve", by: "ana" }) },
    });
    expect(state.end?.status).toBe("done");
    expect(items(state)).toEqual(["T1 paint the door: completed", "T2 fit the lock: cancelled"]);
    expect(eventsOf(bench, "approval_requested")).toMatchObject([
      {
        kind: "cancel-items",
        level: "guarded",
        args: { items: [{ id: "T2", text: "fit the lock", reason: "not needed" }] },
      },
    ]);
  });

  it("stays open when the person says no, and the same wish is not put to the person again", async () => {
    const { bench, state } = await attack([cancel(), done, cancel(" Not  needed")], {
      completion: { verify: "todos", maxAttempts: 3 },
      approver: { decide: () => Promise.resolve({ decision: "deny", by: "ana", reason: "fit it" }) },
    });
    expect(state.end?.stoppedBy).toContain(lockIsOpen);
    expect(eventsOf(bench, "approval_requested")).toHaveLength(1);
  });

  it("stays open when the approval surface fails, without asking again and again", async () => {
    let asked = 0;
    const { bench, state } = await attack([cancel()], {
      approver: {
        decide: () => {
          asked += 1;
          throw new Error("no window");
        },
      },
    });
    expect(state.end?.stoppedBy).toContain(lockIsOpen);
    expect(asked).toBe(1);
    expect(eventsOf(bench, "approval_withdrawn")).toHaveLength(1);
  });

  it("is not carried along by an answer to an earlier, shorter list", async () => {
    const bench = await runOverWire(
      [
        reply(plan(paint, lock("cancelled", { reason: "no lock" })), look()),
        done,
        // A person's message goes between; the model asks for one more while the first question waits.
        reply(plan({ text: "sweep the floor", status: "cancelled", reason: "dull" })),
        done,
      ],
      gated({ completion: { verify: "todos", maxAttempts: 1 } }),
    );
    await expect.poll(() => bench.run.state().approvals.length).toBe(1);
    await bench.run.send({ type: "steer", text: "and sweep the floor", by: "ana" });
    await expect.poll(() => bench.run.state().turns).toBe(4);
    expect(await bench.run.send({ type: "approve", id: "A1", by: "ana" })).toEqual({ ok: true });
    await expect.poll(() => bench.run.state().approvals.length).toBe(2);
    expect(bench.run.state().ledger.items.map((item) => item.status)).toEqual([
      "completed",
      "cancelled",
      "cancel requested",
    ]);
    await bench.run.send({ type: "deny", id: "A2", by: "ana", reason: "sweep" });
    const state = await bench.end();
    expect(state.end?.stoppedBy).toContain("1 item(s) still open: sweep the floor");
  });

  it("is asked about anew when its reason changed while the question waited", async () => {
    const bench = await runOverWire(
      [
        reply(plan(paint, lock("cancelled", { reason: "no lock in the house" })), look()),
        done,
        reply(plan(lock("cancelled", { id: "T2", reason: "too hard" }))),
        done,
      ],
      gated({ completion: { verify: "todos", maxAttempts: 1 } }),
    );
    await expect.poll(() => bench.run.state().approvals.length).toBe(1);
    await bench.run.send({ type: "steer", text: "look again", by: "ana" });
    await expect.poll(() => bench.run.state().turns).toBe(4);
    await bench.run.send({ type: "approve", id: "A1", by: "ana" });
    await expect.poll(() => bench.run.state().approvals.length).toBe(2);
    expect(bench.run.state().approvals[1]?.args).toMatchObject({ items: [{ id: "T2", reason: "too hard" }] });
    await bench.run.send({ type: "deny", id: "A2", by: "ana", reason: "no" });
    const state = await bench.end();
    expect(state.end?.stoppedBy).toContain(lockIsOpen);
  });
});

describe("another message in the same run", () => {
  // A14
  it("finds the plan, the open items and the attempts used as they were", async () => {
    const journal = new MemoryJournal();
    const tools = [todowrite, recordTool("look").tool];
    const first = await runOverWire([...opening, done], gated({ tools, ports: { ...benchPorts(), journal } }));
    expect((await first.end()).end?.status).toBe("incomplete");
    const second = await resumeOverWire(journal, [done], {
      tools,
      commands: [{ type: "steer", text: "are you done?", by: "ana" }],
    });
    const state = await second.end();
    expect(items(state)).toEqual(["T1 paint the door: completed", "T2 fit the lock: pending"]);
    expect(state.end).toMatchObject({
      status: "incomplete",
      limit: "completion",
      stoppedBy: `completion.verify failed 3\u00d7: ${lockIsOpen}`,
    });
    expect(second.requests()[0]?.messages.at(-1)).toEqual({ role: "user", content: "are you done?" });
    expect(second.requests()).toHaveLength(1);
  });

  it("does not start a plan of its own: a first declaration after the resume adds to the old one", async () => {
    const journal = new MemoryJournal();
    const tools = [todowrite, recordTool("look").tool];
    const first = await runOverWire(
      opening,
      gated({ tools, completion: { verify: "todos", maxAttempts: 1 }, ports: { ...benchPorts(), journal } }),
    );
    await first.end();
    const second = await resumeOverWire(journal, [reply(plan({ text: "say hello", status: "completed" })), done], {
      tools,
      commands: [{ type: "steer", text: "say hello", by: "ana" }],
    });
    const state = await second.end();
    expect(items(state)).toEqual([
      "T1 paint the door: completed",
      "T2 fit the lock: pending",
      "T3 say hello: completed",
    ]);
    expect(state.end?.stoppedBy).toContain(lockIsOpen);
  });
});
