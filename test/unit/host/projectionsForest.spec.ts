import { afterEach, describe, expect, it, vi } from "vitest";
import { createRow, type Row } from "../../../extension/host/projections/row";
import { toPlanRows } from "../../../extension/host/projections/planRows";
import { createCoalescer } from "../../../extension/host/views/coalesce";
import { isOwnRow, RowForest } from "../../../extension/host/views/rowForest";
import { entryOf, stateOf } from "../../support/editorRuns";

const row = (id: string, children: readonly Row[] = [], label = id): Row =>
  createRow({ id, run: "R1", label, children });

function forestOf(...rows: Row[]): RowForest {
  const forest = new RowForest();
  forest.update(rows);
  return forest;
}

const ids = (changed: ReturnType<RowForest["update"]>): "all" | string[] =>
  changed === "all" ? "all" : changed.map((node) => node.row.id);

describe("rows that change", () => {
  it("draws nothing again when nothing looks different", () => {
    const forest = forestOf(row("a", [row("b")]));
    expect(ids(forest.update([row("a", [row("b")])]))).toEqual([]);
  });

  it("draws the changed row again and no other", () => {
    const forest = forestOf(row("a", [row("b"), row("c")]), row("d"));
    expect(ids(forest.update([row("a", [row("b"), row("c", [], "other")]), row("d")]))).toEqual(["c"]);
  });

  it("draws the parent of a row that came, went or moved", () => {
    const forest = forestOf(row("a", [row("b")]), row("d"));
    expect(ids(forest.update([row("a", [row("b"), row("c")]), row("d")]))).toEqual(["a"]);
    expect(ids(forest.update([row("a", [row("c"), row("b")]), row("d")]))).toEqual(["a"]);
    expect(ids(forest.update([row("a"), row("d")]))).toEqual(["a"]);
    expect(ids(forest.update([row("d")]))).toBe("all");
  });

  it("names no row inside another that is drawn again", () => {
    const forest = forestOf(row("a", [row("b")]));
    expect(ids(forest.update([row("a", [row("b", [], "other")], "other")]))).toEqual(["a"]);
  });

  it("keeps the object of a row, which shows the newest", () => {
    const forest = forestOf(row("a", [row("b")]));
    const [before] = forest.roots;
    forest.update([row("a", [row("b", [], "newer")])]);
    expect(forest.roots[0]).toBe(before);
    expect(before?.children[0]?.row.label).toBe("newer");
  });

  it("takes only its own objects for rows", () => {
    const [own] = forestOf(row("a")).roots;
    expect(isOwnRow(own)).toBe(true);
    expect([{ ...own }, { row: row("a") }, "a", null, undefined].map(isOwnRow)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });

  it("finds the one item of 1,000 that changed", () => {
    const plan = (done: number) => {
      const items = Array.from({ length: 1_000 }, (_, at) => ({
        ...{ id: `T${at}`, text: `Item ${at}`, verified: false },
        status: at === done ? ("completed" as const) : ("pending" as const),
      }));
      return toPlanRows([entryOf({ state: stateOf({ ledger: { items, nextId: 1_001 } }) })]);
    };
    const forest = forestOf(...plan(-1));
    expect(ids(forest.update(plan(500)))).toEqual(["plan:R1:item:T500"]);
  });
});

describe("drawing", () => {
  afterEach(() => vi.useRealTimers());

  it("happens at most ten times a second and always after the last change", () => {
    vi.useFakeTimers();
    const drawnAt: number[] = [];
    const draw = createCoalescer(() => drawnAt.push(Date.now()), 100);
    const start = Date.now();
    for (let ms = 0; ms < 1_000; ms += 10) {
      draw.request();
      vi.advanceTimersByTime(10);
    }
    vi.advanceTimersByTime(200);
    expect(drawnAt.length).toBeGreaterThan(8);
    expect(drawnAt.length).toBeLessThanOrEqual(11);
    expect(drawnAt.at(-1)).toBeGreaterThanOrEqual(start + 990);
    const drawn = drawnAt.length;
    vi.advanceTimersByTime(1_000);
    expect(drawnAt).toHaveLength(drawn);
  });

  it("does not happen any more once it is disposed", () => {
    vi.useFakeTimers();
    let drawn = 0;
    const draw = createCoalescer(() => (drawn += 1), 100);
    draw.request();
    draw.dispose();
    vi.advanceTimersByTime(1_000);
    expect(drawn).toBe(0);
  });
});
