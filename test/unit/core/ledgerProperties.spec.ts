import { describe, expect, it } from "vitest";
import { applyTodos } from "../../../extension/core/plan/applyTodos";
import { emptyLedger } from "../../../extension/core/plan/ledger";
import type { Ledger, LedgerItem } from "../../../extension/core/plan/ledger";
import { seededRandom } from "../../support/seededRandom";

const statuses = ["pending", "in_progress", "completed", "cancelled", "done", "cancel requested"];
const texts = ["a", "b", "c", "d", "e", "f", ""];
const reasons = [undefined, "no need", "too hard"];

/** Well-formed and malformed calls, over few texts and ids so that they meet often. */
function randomCall(random: ReturnType<typeof seededRandom>): Record<string, unknown>[] {
  return Array.from({ length: random.below(4) }, () => ({
    ...(random.below(2) === 0 ? {} : { id: random.pick(["T1", "T2", "T3", "T9", "1"]) }),
    text: random.pick(texts.slice(0, random.below(20) === 0 ? 7 : 6)),
    status: random.pick(statuses.slice(0, random.below(10) === 0 ? 6 : 4)),
    ...(random.below(4) === 0 ? { reason: random.pick(reasons) } : {}),
  }));
}

/** What gate and person do between calls. */
function settle(ledger: Ledger, random: ReturnType<typeof seededRandom>): Ledger {
  const items = ledger.items.map((item): LedgerItem => {
    if (random.below(6) > 0) return item;
    if (item.status === "completed") return { ...item, verified: true };
    if (item.status !== "cancel requested") return item;
    return random.below(2) === 0
      ? { ...item, status: "cancelled" }
      : { ...item, status: "pending", cancelRefused: true };
  });
  return { ...ledger, items };
}

function check(before: Ledger, after: Ledger, todos: readonly Record<string, unknown>[]): void {
  expect(after.items.length).toBeGreaterThanOrEqual(before.items.length);
  expect(new Set(after.items.map((item) => item.id)).size).toBe(after.items.length);
  expect(after.nextId).toBe(after.items.length + 1);
  for (const [index, old] of before.items.entries()) {
    const now = after.items[index];
    expect([now?.id, now?.text]).toEqual([old.id, old.text]);
    if (!todos.some((todo) => todo["text"] === old.text)) expect(now).toEqual(old);
    if (now?.status === "cancelled") expect(old.status).toBe("cancelled");
    if (now?.status === "completed" && old.status !== "completed") {
      expect(todos).toContainEqual(expect.objectContaining({ text: old.text, status: "completed" }));
    }
    if (now?.verified === true) expect(old.verified && now.status === "completed").toBe(true);
  }
  for (const born of after.items.slice(before.items.length)) {
    expect(born.verified).toBe(false);
    expect(born.status).not.toBe("cancelled");
  }
}

describe("any sequence of calls", () => {
  it("never shrinks the plan, renames, settles or confirms an item by itself", () => {
    let applied = 0;
    let refused = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = seededRandom(seed);
      let ledger = emptyLedger;
      for (let call = 0; call < 12; call += 1) {
        const todos = randomCall(random);
        const frozen = structuredClone(ledger);
        const result = applyTodos(ledger, todos);
        expect(ledger).toEqual(frozen);
        if (result.ok) check(ledger, result.ledger, todos);
        applied += result.ok ? 1 : 0;
        refused += result.ok ? 0 : 1;
        ledger = settle(result.ok ? result.ledger : ledger, random);
      }
    }
    expect(applied).toBeGreaterThan(500);
    expect(refused).toBeGreaterThan(500);
  });
});
