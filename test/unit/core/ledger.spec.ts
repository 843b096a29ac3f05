import { describe, expect, it } from "vitest";
import { applyTodos } from "../../../extension/core/plan/applyTodos";
import { emptyLedger, openItems } from "../../../extension/core/plan/ledger";
import type { Ledger, LedgerItem } from "../../../extension/core/plan/ledger";
import { renderLedger } from "../../../extension/core/plan/renderLedger";

function apply(ledger: Ledger, todos: unknown): { ledger: Ledger; notes: readonly string[] } {
  const applied = applyTodos(ledger, todos);
  if (!applied.ok) throw new Error(applied.message);
  return applied;
}

function refusal(ledger: Ledger, todos: unknown): string {
  const applied = applyTodos(ledger, todos);
  if (applied.ok) throw new Error("the call was not refused");
  return applied.message;
}

function plan(...items: Partial<LedgerItem>[]): Ledger {
  const full = items.map((item, index) => ({
    id: `T${index + 1}`,
    text: `item ${index + 1}`,
    status: "pending" as const,
    verified: false,
    ...item,
  }));
  return { items: full, nextId: items.length + 1 };
}

const shape =
  '{todos: [{id?: string, text: string, status: "pending" | "in_progress" | "completed" | "cancelled", reason?: string}, …]}';

describe("matching", () => {
  it("gives every item without an id one of its own", () => {
    const { ledger, notes } = apply(emptyLedger, [
      { text: "read", status: "completed" },
      { text: "fix", status: "in_progress" },
      { text: "test", status: "pending" },
    ]);
    expect(ledger.items.map((item) => [item.id, item.text, item.status])).toEqual([
      ["T1", "read", "completed"],
      ["T2", "fix", "in_progress"],
      ["T3", "test", "pending"],
    ]);
    expect(ledger.nextId).toBe(4);
    expect(notes).toEqual([]);
  });

  it("keeps an open item that a shorter plan leaves out (A1)", () => {
    const { ledger } = apply(plan({}, {}), [{ text: "item 1", status: "completed" }]);
    expect(openItems(ledger).map((item) => item.id)).toEqual(["T2"]);
  });

  it("changes nothing for an empty list (A2)", () => {
    const before = plan({}, { status: "completed", verified: true });
    expect(apply(before, []).ledger).toBe(before);
  });

  it("keeps the old item open when a new name is ticked (A3)", () => {
    const { ledger } = apply(plan({}), [{ text: "item one", status: "completed" }]);
    expect(ledger.items.map((item) => [item.id, item.text, item.status])).toEqual([
      ["T1", "item 1", "pending"],
      ["T2", "item one", "completed"],
    ]);
  });

  it("refuses a known id with another text, and names both ways out", () => {
    const before = plan({});
    const message = refusal(before, [{ id: "T1", text: "item one", status: "completed" }]);
    expect(message).toContain('T1 is "item 1"');
    expect(message).toContain("Nothing was changed.");
    expect(before).toEqual(plan({}));
  });

  it("ignores an id it did not give, says so, and matches by text", () => {
    const { ledger, notes } = apply(plan({}), [
      { id: "7", text: "item 1", status: "completed" },
      { id: "8", text: "new", status: "pending" },
    ]);
    expect(ledger.items.map((item) => [item.id, item.status])).toEqual([
      ["T1", "completed"],
      ["T2", "pending"],
    ]);
    expect(notes).toEqual([
      `the id "7" is not one of this plan's and was ignored: the item is T1`,
      `the id "8" is not one of this plan's and was ignored: the item is T2`,
    ]);
  });

  it("does not take an id that this very call brings into being", () => {
    const { ledger } = apply(emptyLedger, [
      { id: "T2", text: "a", status: "pending" },
      { id: "T1", text: "b", status: "completed" },
    ]);
    expect(ledger.items.map((item) => [item.id, item.text])).toEqual([
      ["T1", "a"],
      ["T2", "b"],
    ]);
  });

  it("prefers an open item over a settled one of the same text", () => {
    const twins = plan({ text: "x", status: "completed" }, { text: "x" });
    expect(apply(twins, [{ text: "x", status: "in_progress" }]).ledger.items.map((item) => item.status)).toEqual([
      "completed",
      "in_progress",
    ]);
  });

  it("finds a settled item by its text instead of adding a twin", () => {
    const { ledger } = apply(plan({ status: "completed" }), [{ text: "item 1", status: "completed" }]);
    expect(ledger.items).toHaveLength(1);
  });

  it.each([
    [
      "two equal ids we gave",
      [
        { id: "T1", text: "item 1", status: "pending" },
        { id: "T1", text: "item 1", status: "completed" },
      ],
    ],
    [
      "two equal ids we did not give (A11)",
      [
        { id: "1", text: "a", status: "pending" },
        { id: "1", text: "b", status: "pending" },
      ],
    ],
    [
      "an id and the text of one item",
      [
        { id: "T1", text: "item 1", status: "pending" },
        { text: "item 1", status: "completed" },
      ],
    ],
    [
      "one new text twice",
      [
        { text: "new", status: "pending" },
        { text: "new", status: "completed" },
      ],
    ],
  ])("refuses %s", (_, todos) => {
    expect(refusal(plan({}), todos)).toMatch(/^two entries .* give each item once\. Nothing was changed\.$/);
  });
});

describe("validation", () => {
  it.each([
    [
      "a string for a boolean (A4)",
      [{ text: "a", status: "pending", completed: "false" }],
      'unknown key "completed" in todos[0]',
    ],
    [
      "a status outside the four words (A4)",
      [{ text: "a", status: "done" }],
      'todos[0].status must be one of "pending", "in_progress", "completed", "cancelled", not the string "done"',
    ],
    [
      "cancel requested, which is ours to give",
      [{ text: "a", status: "cancel requested" }],
      "todos[0].status must be one of",
    ],
    ["another tool's shape (A10)", [{ content: "a", status: "pending" }], "missing todos[0].text"],
    ["another tool's shape, by its key", [{ content: "a", status: "pending" }], 'unknown key "content" in todos[0]'],
    [
      "a list given as a JSON string (H50)",
      '[{"text":"a","status":"pending"}]',
      "todos must be an array, not the string",
    ],
    ["an object for the list", { text: "a" }, "todos must be an array, not an object"],
    ["no list", undefined, "missing todos"],
    ["null", null, "todos must be an array, not null"],
    ["an empty text", [{ text: "", status: "pending" }], "todos[0].text must not be empty"],
    ["a blank text", [{ text: " \n", status: "pending" }], "todos[0].text must not be blank"],
    ["a number for an id", [{ id: 1, text: "a", status: "pending" }], "todos[0].id must be a string, not 1"],
    [
      "a text that is too long",
      [{ text: "a".repeat(2001), status: "pending" }],
      "todos[0].text must be at most 2000 characters long",
    ],
    [
      "too many entries",
      Array.from({ length: 201 }, (_, at) => ({ text: `${at}`, status: "pending" })),
      "todos must be at most 200 entries long",
    ],
  ])("refuses %s and shows the expected shape", (_, todos, problem) => {
    const message = refusal(plan({}), todos);
    expect(message).toContain(problem);
    expect(message).toContain(`Expected: ${shape}`);
  });

  it("takes entries up to the bounds", () => {
    const todos = Array.from({ length: 200 }, (_, at) => ({ text: `${at}`.padEnd(2000, "."), status: "pending" }));
    expect(apply(emptyLedger, todos).ledger.items).toHaveLength(200);
  });

  it("refuses more items than a plan holds", () => {
    const many = plan(...Array.from({ length: 500 }, () => ({})));
    expect(refusal(many, [{ text: "one more", status: "pending" }])).toContain("a plan holds at most 500 items");
    expect(apply(many, [{ text: "item 500", status: "completed" }]).ledger.items).toHaveLength(500);
  });
});

describe("status", () => {
  it("turns a cancellation into a request that is still open", () => {
    const { ledger, notes } = apply(plan({}), [
      { id: "T1", text: "item 1", status: "cancelled", reason: "not needed" },
    ]);
    expect(ledger.items).toEqual([
      { id: "T1", text: "item 1", status: "cancel requested", reason: "not needed", verified: false },
    ]);
    expect(openItems(ledger)).toHaveLength(1);
    expect(notes).toEqual(["T1 stays open until a person agrees to cancel it"]);
  });

  it("does so for an item that is born cancelled", () => {
    const { ledger } = apply(emptyLedger, [{ text: "a", status: "cancelled" }]);
    expect(ledger.items.map((item) => item.status)).toEqual(["cancel requested"]);
  });

  it("leaves an item alone that a person cancelled already", () => {
    const before = plan({ status: "cancelled", reason: "agreed" });
    expect(apply(before, [{ text: "item 1", status: "cancelled", reason: "other" }]).ledger).toEqual(before);
  });

  it("keeps a refused cancellation open when the same reason comes again", () => {
    const before = plan({ status: "cancel requested", reason: "Too hard", cancelRefused: true });
    const { ledger, notes } = apply(before, [{ text: "item 1", status: "cancelled", reason: " too  HARD" }]);
    expect(ledger).toEqual(before);
    expect(notes[0]).toContain("T1 stays open: a person refused this cancellation");
  });

  it("remembers the refusal through a change of status", () => {
    const refused = plan({ status: "cancel requested", reason: "too hard", cancelRefused: true });
    const started = apply(refused, [{ text: "item 1", status: "in_progress" }]).ledger;
    const { ledger, notes } = apply(started, [{ text: "item 1", status: "cancelled", reason: "too hard" }]);
    expect(ledger.items[0]).toMatchObject({ status: "in_progress", cancelRefused: true });
    expect(notes[0]).toContain("stays open");
  });

  it("does not let a refused cancellation ride on a tick", () => {
    const ticked = plan({ status: "completed", reason: "too hard", cancelRefused: true, verified: true });
    const { ledger } = apply(ticked, [{ text: "item 1", status: "cancelled" }]);
    expect(openItems(ledger)).toHaveLength(1);
    expect(ledger.items[0]?.verified).toBe(false);
  });

  it("asks again for a refused cancellation with another reason", () => {
    const before = plan({ status: "pending", reason: "too hard", cancelRefused: true });
    const { ledger } = apply(before, [{ text: "item 1", status: "cancelled", reason: "the file is gone" }]);
    expect(ledger.items[0]).toEqual({
      id: "T1",
      text: "item 1",
      status: "cancel requested",
      reason: "the file is gone",
      verified: false,
    });
  });

  it("takes the confirmation from a completed item that is opened again", () => {
    const before = plan({ status: "completed", verified: true });
    expect(apply(before, [{ text: "item 1", status: "completed" }]).ledger).toEqual(before);
    expect(apply(before, [{ text: "item 1", status: "pending" }]).ledger.items[0]?.verified).toBe(false);
    expect(apply(before, [{ text: "item 1", status: "cancelled" }]).ledger.items[0]?.verified).toBe(false);
  });

  it("drops the reason of a cancellation that is taken back", () => {
    const before = plan({ status: "cancel requested", reason: "why" });
    expect(apply(before, [{ text: "item 1", status: "pending" }]).ledger).toEqual(plan({}));
  });
});

describe("rendering", () => {
  it("shows one line an item", () => {
    const ledger = plan(
      { text: "a\nb", status: "in_progress" },
      { status: "cancel requested", reason: "not\nneeded" },
      { status: "pending", cancelRefused: true },
    );
    expect(renderLedger(ledger).split("\n")).toEqual([
      "T1 [in_progress] a b",
      "T2 [cancel requested: not needed] item 2",
      "T3 [pending, cancellation refused] item 3",
    ]);
    expect(renderLedger(emptyLedger)).toBe("The plan is empty.");
  });

  it("shows every item of the largest plan within the bound", () => {
    const ledger = plan(...Array.from({ length: 500 }, () => ({ text: "x".repeat(2000) })));
    const lines = renderLedger(ledger).split("\n");
    expect(lines).toHaveLength(500);
    expect(lines[499]).toMatch(/^T500 \[pending\] /);
    expect(lines.join("\n").length).toBeLessThanOrEqual(14_000);
  });
});
