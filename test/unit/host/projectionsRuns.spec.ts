import { describe, expect, it } from "vitest";
import type { RunState } from "../../../extension/core/journal/runState";
import { toRunRows } from "../../../extension/host/projections/runRows";
import { statusText } from "../../../extension/host/projections/statusText";
import type { RunEntry } from "../../../extension/host/runs";
import { callRequest, entryOf, FoldedRun, replyOf, specOf, stateOf } from "../../support/editorRuns";

const statuses = ["done", "pending", "incomplete", "interrupted", "closed", "timeout", "error"] as const;

const end = (status: (typeof statuses)[number], review = false): RunState["end"] => ({
  ...{ status, limit: null, stoppedBy: "", reasons: [], review, text: "" },
  outcome: status === "done" ? "success" : status,
});

const passed: RunState["lastVerification"] = {
  ...{
    passed: true,
    summary: "",
    attempt: 1,
    charged: true,
    reason: "",
    tree: null,
    treeAfter: null,
    changedDuring: [],
  },
  ...{ unavailable: null, cancelled: false, checks: [] },
};

function tell(state: Partial<RunState>, entry: Partial<RunEntry> = {}): { words: string[]; icon: string } {
  const [row] = toRunRows([entryOf({ mode: "ended", startedAt: "", state: stateOf(state), ...entry })]);
  return { words: (row?.label ?? "").split(" · "), icon: row?.icon ?? "" };
}

describe("a run in the history", () => {
  it.each(statuses)("that ended %s is told with exactly that word first", (status) => {
    expect(tell({ end: end(status) }).words[0]).toBe(status);
  });

  it("is verified only when the gate passed and it is done", () => {
    expect(tell({ end: end("done"), lastVerification: passed }).words).toEqual(["done", "verified"]);
    expect(tell({ end: end("done") }).words).toEqual(["done", "not verified"]);
    expect(tell({ end: end("incomplete"), lastVerification: passed }).words).toEqual(["incomplete"]);
    expect(tell({ end: end("done"), lastVerification: passed }).icon).toBe("verified-filled");
    expect(tell({ end: end("done") }).icon).toBe("pass");
  });

  it("that answered a question is answered, not verified", () => {
    const answered = tell({ end: end("done"), lastVerification: passed, spec: specOf({ kind: "question" }) });
    expect(answered).toEqual({ words: ["done", "answered"], icon: "comment" });
  });

  it("that a person accepted keeps its status and says who accepted it", () => {
    const { words } = tell({ end: end("incomplete"), accepted: { by: "Ada", what: "as it is" } });
    expect(words).toEqual(["incomplete", "accepted by Ada"]);
  });

  it("says what only a person can settle, what is stale and what is not sealed", () => {
    expect(tell({ end: end("incomplete", true) }).words).toContain("[needs-human-review]");
    expect(tell({ end: end("done"), sealed: false }, { stale: true }).words).toEqual([
      ...["done", "not verified", "stale: files changed since the checks", "not sealed"],
    ]);
  });

  it("is told as structural evidence where no command was checked", () => {
    const todos = { name: "todos", verdict: "pass", exitCode: null, durationMs: 0, tests: null } as const;
    const check = { ...todos, evidence: "structural", tree: null, provenance: "built-in", reason: "" } as const;
    const { words } = tell({ end: end("done"), lastVerification: passed, checks: [check] });
    expect(words).toEqual(["done", "verified, by structural checks alone"]);
  });

  it("of the demo model says so", () => {
    expect(tell({ end: end("done"), spec: specOf({ model: "demo" }) }).words).toContain("scripted demo");
  });

  it("says nothing about verification before its journal was read", () => {
    expect(tell({ end: end("done") }, { whole: false })).toEqual({ words: ["done"], icon: "history" });
  });

  it("is paused or in another window where this one does not drive it", () => {
    expect(tell({}, { mode: "paused" })).toEqual({ words: ["paused"], icon: "debug-pause" });
    expect(tell({}, { mode: "watching" }).words).toEqual(["running", "in another window"]);
    expect(tell({ end: end("pending") }, { mode: "paused" }).words).toEqual(["pending", "paused"]);
  });

  it.each(statuses)("spins in nothing once it ended %s", (status) => {
    for (const mode of ["live", "watching", "paused", "ended"] as const) {
      expect(tell({ end: end(status) }, { mode }).icon).not.toContain("spin");
    }
  });
});

describe("the status bar", () => {
  const waiting = (): RunEntry => {
    const run = new FoldedRun();
    run.add(replyOf(1, "", [["c1", "deploy"]]), callRequest());
    return run.find("R1")!;
  };

  it("shows nothing without a run", () => {
    expect(statusText([], null)).toBeNull();
  });

  it("counts what waits and says so first", () => {
    const entry = waiting();
    expect(statusText([entry], entry)).toMatchObject({ text: "$(bell) Donegate: 1 waiting for you", waiting: 1 });
  });

  it.each<[Partial<RunState>, string]>([
    [{}, "$(sync~spin) Donegate: running"],
    [{ verifying: true }, "$(sync~spin) Donegate: verifying"],
    [{ end: end("done"), lastVerification: passed }, "$(verified-filled) Donegate: done, verified"],
    [{ end: end("interrupted") }, "$(debug-stop) Donegate: interrupted"],
  ])("tells the phase, then the status", (state, text) => {
    const entry = entryOf({ state: stateOf(state), mode: state.end === undefined ? "live" : "ended" });
    expect(statusText([entry], entry)?.text).toBe(text);
  });

  it("never shows a model's or a person's text as an icon", () => {
    const entry = entryOf({ state: stateOf({ spec: specOf({ goal: "$(check) done" }) }) });
    expect(statusText([entry], entry)?.text).not.toContain("$(check)");
  });
});
