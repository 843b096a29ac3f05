import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CheckResult } from "../../../extension/core/gate/checkResult";
import type { Event } from "../../../extension/core/journal/event";
import { foldAll } from "../../../extension/core/journal/fold";
import type { RunState, Verification } from "../../../extension/core/journal/runState";
import type { LedgerItem } from "../../../extension/core/plan/ledger";
import { toPlanRows } from "../../../extension/host/projections/planRows";
import type { Row } from "../../../extension/host/projections/row";
import type { RunEntry } from "../../../extension/host/runs";
import { callRequest, entryOf, stateOf } from "../../support/editorRuns";
import { journaled } from "../../support/journaled";

const item = (change: Partial<LedgerItem>): LedgerItem => ({
  ...{ id: "T1", text: "Write the script", status: "pending", verified: false },
  ...change,
});

const check = (change: Partial<CheckResult>): CheckResult => ({
  ...{ name: "tests", verdict: "pass", exitCode: 0, durationMs: 1_200, tests: null, evidence: "exit-code" },
  ...{ tree: "tree", provenance: "donegate.yaml:4", reason: "" },
  ...change,
});

const verification = (change: Partial<Verification>): Verification => ({
  ...{
    passed: true,
    summary: "verified",
    attempt: 1,
    charged: true,
    reason: "",
    tree: "tree",
    treeAfter: "tree",
    changedDuring: [],
  },
  ...{ unavailable: null, cancelled: false, checks: [check({})] },
  ...change,
});

const failed = verification({
  passed: false,
  reason: "tests: exit code 1",
  checks: [check({ verdict: "fail", exitCode: 1, reason: "3.0 is not 3" })],
});

const { type: _type, ...request } = callRequest();
const waiting: Partial<RunState> = {
  turn: { number: 1, calls: [] },
  approvals: [{ ...request, status: "pending", answer: "" }],
};

function rowOf(ledgerItem: LedgerItem, state: Partial<RunState> = {}, entry: Partial<RunEntry> = {}): Row {
  const ledger = { items: [ledgerItem], nextId: 2 };
  const [run] = toPlanRows([entryOf({ state: stateOf({ ledger, ...state }), ...entry })]);
  const row = run?.children.find(({ contextValue }) => contextValue === "item");
  if (row === undefined) throw new Error("the plan has no item");
  return row;
}

const gateOf = (state: Partial<RunState>, entry: Partial<RunEntry> = {}): Row | undefined =>
  toPlanRows([entryOf({ state: stateOf(state), ...entry })])[0]?.children.find((row) => row.contextValue === "gate");

const ended: RunState["end"] = {
  ...{ status: "incomplete", limit: "completion", stoppedBy: "gave up", reasons: [], review: false },
  ...{ outcome: "incomplete", text: "" },
};

describe("an item", () => {
  it.each([
    ["declared", item({}), "circle-large-outline", "open"],
    ["claimed", item({ status: "completed" }), "pass", "claimed"],
    ["verified", item({ status: "completed", verified: true }), "verified-filled", "verified"],
    [
      "to be cancelled",
      item({ status: "cancel requested", reason: "not needed" }),
      "question",
      "the agent wants to cancel it: not needed",
    ],
    [
      "kept open by a person",
      item({ status: "cancel requested", reason: "not needed", cancelRefused: true }),
      "circle-large-outline",
      "a person keeps it open: not needed",
    ],
    [
      "cancelled",
      item({ status: "cancelled", reason: "not needed" }),
      "circle-slash",
      "cancelled, a person agreed: not needed",
    ],
  ])("that is %s has its own icon and words", (_, ledgerItem, icon, words) => {
    const row = rowOf(ledgerItem);
    const [word = "", why] = words.split(": ");
    expect([row.icon, row.label]).toEqual([icon, word]);
    expect(row.description).toBe(why === undefined ? "Write the script" : `Write the script · ${why}`);
    expect(row.accessibilityLabel).toBe(`Item T1, ${words}: Write the script`);
  });

  it("looks claimed and verified in another colour as well", () => {
    const colors = [false, true].map((verified) => rowOf(item({ status: "completed", verified })).color);
    expect(new Set(colors).size).toBe(2);
  });

  it("that was claimed and did not verify says why", () => {
    const row = rowOf(item({ status: "completed" }), { lastVerification: failed });
    expect([row.icon, row.label]).toEqual(["error", "claimed, not verified"]);
    expect(row.description).toBe("Write the script · tests: exit code 1");
  });

  it("stays claimed when the gate could not judge", () => {
    expect(rowOf(item({ status: "completed" }), { lastVerification: { ...failed, charged: false } }).icon).toBe("pass");
  });

  it("keeps its row id while its text and status change", () => {
    expect(rowOf(item({ text: "Other", status: "in_progress" })).id).toBe(rowOf(item({})).id);
  });

  it("has unseen characters of its text written out", () => {
    expect(rowOf(item({ text: "a\u202eb" })).description).toBe("a\\u{202e}b");
  });
});

describe("an item in progress", () => {
  const working = item({ status: "in_progress" });

  it("spins while the run works", () => {
    expect(rowOf(working).icon).toBe("sync~spin");
  });

  it.each<[string, Partial<RunState>, Partial<RunEntry>]>([
    ["waits for a person", waiting, {}],
    ["verifies", { verifying: true }, {}],
    ["is paused", {}, { mode: "paused" }],
    ["has ended", { end: ended }, { mode: "ended" }],
    ["cannot be read", {}, { mode: "unreadable" }],
  ])("does not spin while the run %s", (_, state, entry) => {
    expect(rowOf(working, state, entry).icon).toBe("circle-large-filled");
  });
});

it.each(["ended", "paused", "unreadable"] as const)("nothing spins in a run that is %s", (mode) => {
  for (const state of [{ verifying: true }, { end: ended }, waiting, {}]) {
    const ledger = { items: [item({ status: "in_progress" })], nextId: 2 };
    const icons = flatten(toPlanRows([entryOf({ mode, state: stateOf({ ledger, ...state }) })])).map(
      ({ icon }) => icon,
    );
    expect(icons.filter((icon) => icon.includes("spin"))).toEqual([]);
  }
});

const flatten = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flatten(row.children)]);

describe("the gate", () => {
  it("names what will judge before anything was judged", () => {
    const plan = { checks: [], require: ["todos", "diff"] as const, contract: [], warnings: [], digest: "d" };
    const gate = gateOf({ plan: { ...plan, source: "none" } });
    expect([gate?.label, gate?.description]).toEqual(["Checks", "structural checks alone"]);
    expect(gate?.children.map(({ label }) => label)).toEqual(["todos", "diff"]);
  });

  it("shows the attempt that runs, with the checks that have ended", () => {
    const gate = gateOf({ verifying: true, attempts: 1, checks: [check({})] });
    expect([gate?.label, gate?.description, gate?.icon]).toEqual(["Attempt 2 of 3", "verifying", "sync~spin"]);
    expect(gate?.children.map(({ description }) => description)).toEqual(["pass · exit code 0 · 1.2 s"]);
  });

  it("shows the attempt that failed with what each check found", () => {
    const gate = gateOf({ lastVerification: failed, attempts: 1 });
    expect([gate?.label, gate?.description]).toEqual(["Attempt 1 of 3", "not verified: tests: exit code 1"]);
    expect(gate?.children.map(({ icon, description }) => [icon, description])).toEqual([
      ["x", "fail · exit code 1 · 1.2 s · 3.0 is not 3"],
    ]);
  });

  it("says that an attempt which could not judge was not counted", () => {
    expect(gateOf({ lastVerification: { ...failed, charged: false } })?.label).toBe("Attempt 1 of 3, not counted");
  });

  it("says that nothing is verified where verification is off", () => {
    const state = stateOf();
    const spec = state.spec === null ? null : { ...state.spec, completion: null };
    expect(gateOf({ spec })?.label).toBe("Nothing is verified in this run");
  });

  it.each([
    "no-tests",
    "fewer-tests",
    "new-skips",
    "flaky",
    "tampered",
    "unavailable",
    "timeout",
    "not-run",
    "fail",
  ] as const)("does not show %s like a pass", (verdict) => {
    const gate = gateOf({ lastVerification: verification({ passed: false, checks: [check({ verdict }), check({})] }) });
    const [other, pass] = gate?.children ?? [];
    expect(other?.icon).not.toBe(pass?.icon);
    expect(other?.description).toContain(verdict);
  });
});

describe("earlier attempts", () => {
  const attempt = (number: number, result: CheckResult, end: Partial<Verification>): Event[] => [
    { type: "verification_start", attempt: number, tree: "tree" },
    { type: "check_end", check: result, attempt: number, callId: null },
    toEnd({ ...failed, attempt: number, ...end }),
  ];
  const toEnd = ({ checks: _checks, ...end }: Verification): Event => ({ type: "verification_end", ...end });
  const red = check({ verdict: "fail", exitCode: 1, reason: "3.0 is not 3" });
  const rowsAfter = (...events: Event[]): readonly Row[] => {
    const lines = journaled(...events);
    return toPlanRows([entryOf({ state: foldAll(lines) })], () => lines)[0]?.children ?? [];
  };
  const pass = { passed: true, reason: "" };

  it("stay beside the newest one, each with what its checks found", () => {
    const rows = rowsAfter(...attempt(1, red, {}), ...attempt(2, check({}), pass));
    expect(rows.map(({ label, description }) => [label, description])).toEqual([
      ["Attempt 1 of 3", "not verified: tests: exit code 1"],
      ["Attempt 2 of 3", "verified"],
    ]);
    expect(rows.map(({ children }) => children.map(({ icon }) => icon))).toEqual([["x"], ["check"]]);
    expect(rows.map(({ collapsible }) => collapsible)).toEqual(["collapsed", "collapsed"]);
    const ids = flatten(rows).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("stay while the next one runs, and only that one spins", () => {
    const rows = rowsAfter(...attempt(1, red, {}), { type: "verification_start", attempt: 2, tree: "tree" });
    expect(rows.map(({ label, icon }) => [label, icon])).toEqual([
      ["Attempt 1 of 3", "error"],
      ["Attempt 2 of 3", "sync~spin"],
    ]);
  });

  it("keep one that was not counted and one that was cut off apart from those that judged", () => {
    const rows = rowsAfter(
      ...attempt(1, red, { charged: false }),
      ...attempt(1, red, { cancelled: true, charged: false }),
      ...attempt(1, check({}), pass),
    );
    expect(rows.map(({ label, description, icon }) => [label, description, icon])).toEqual([
      ["Attempt 1 of 3, not counted", "not verified: tests: exit code 1", "error"],
      ["Attempt 1 of 3", "verification was cut off", "debug-pause"],
      ["Attempt 1 of 3", "verified", "verified-filled"],
    ]);
  });

  it("are left out of checks that the agent ran by itself", () => {
    const own: Event = { type: "check_end", check: red, attempt: null, callId: "c1" };
    const [row] = rowsAfter(...attempt(1, check({}), pass), own);
    expect(row?.children.map(({ icon }) => icon)).toEqual(["check"]);
  });

  it("say in words what they show", () => {
    for (const row of flatten(rowsAfter(...attempt(1, red, {}), ...attempt(2, red, {})))) {
      expect(row.accessibilityLabel).toContain(row.label);
      expect(row.accessibilityLabel.length).toBeGreaterThan(row.label.length);
    }
  });
});

describe("a run", () => {
  it("is left out until its journal was read", () => {
    expect(toPlanRows([entryOf({ whole: false, mode: "ended" })])).toEqual([]);
  });

  it("is offered to be resumed until it is done, and takes a message after that", () => {
    const file = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
    const { contributes } = JSON.parse(file) as {
      contributes: { menus: { "view/item/context": { command: string; when: string }[] } };
    };
    const offered = (status: "done" | "incomplete"): string[] => {
      const end = ended === null ? null : { ...ended, status };
      const [row] = toPlanRows([entryOf({ mode: "ended", state: stateOf({ end }) })]);
      return contributes.menus["view/item/context"]
        .filter(({ when }) => new RegExp(/viewItem =~ \/(.*)\/$/.exec(when)?.[1] ?? "^$").test(row?.contextValue ?? ""))
        .map(({ command }) => command);
    };
    expect(offered("incomplete")).toEqual(expect.arrayContaining(["donegate.resume", "donegate.steer"]));
    expect(offered("done")).not.toContain("donegate.resume");
    expect(offered("done")).toContain("donegate.steer");
  });

  it("says in words what every row shows", () => {
    const ledger = { items: [item({ status: "completed" })], nextId: 2 };
    for (const row of flatten(toPlanRows([entryOf({ state: stateOf({ ledger, lastVerification: failed }) })]))) {
      expect(row.accessibilityLabel).toContain(row.label);
      expect(row.accessibilityLabel.length).toBeGreaterThan(row.label.length);
    }
  });

  it("is open when it is the first, folded otherwise", () => {
    const rows = toPlanRows([entryOf({ id: "R2" }), entryOf()]);
    expect(rows.map(({ collapsible }) => collapsible)).toEqual(["expanded", "collapsed"]);
  });
});
