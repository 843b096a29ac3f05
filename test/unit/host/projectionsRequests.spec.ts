import { describe, expect, it } from "vitest";
import { toApprovalRows } from "../../../extension/host/projections/approvalRows";
import { toDenialRows } from "../../../extension/host/projections/denialRows";
import type { Row } from "../../../extension/host/projections/row";
import { callRequest, FoldedRun, replyOf } from "../../support/editorRuns";

function runWithCalls(): FoldedRun {
  const run = new FoldedRun();
  run.add(
    replyOf(1, "I try.", [
      ["c1", "deploy"],
      ["c2", "edit_file"],
    ]),
  );
  return run;
}

const details = (row: Row | undefined): string[] =>
  (row?.children ?? []).map(({ label, description }) => `${label}: ${description}`);

describe("the approvals view", () => {
  it.each([
    ["a normal call", callRequest({ level: "normal" }), "approval.direct"],
    ["a guarded call", callRequest({ level: "guarded" }), "approval.review"],
    ["a prod call", callRequest(), "approval.review"],
    [
      "a question",
      callRequest({ kind: "question", level: "normal", args: { question: "Which?" } }),
      "approval.question",
    ],
    [
      "giving up items",
      callRequest({ kind: "cancel-items", callId: null, level: "guarded", args: { items: [] } }),
      "approval.review",
    ],
  ])("offers for %s what a person may do at once", (_, request, contextValue) => {
    const run = runWithCalls();
    run.add(request);
    expect(toApprovalRows(run.entries()).map((row) => row.contextValue)).toEqual([contextValue]);
  });

  it("shows every argument, reason and rule, and binds the row to what it shows", () => {
    const run = runWithCalls();
    run.add(callRequest({ args: { env: "prod", note: "go\u200b" } }));
    const [row] = toApprovalRows(run.entries());
    expect(row?.label).toBe('A1 (prod) deploy env=prod note="go\\u{200b}"');
    expect(details(row)).toEqual([
      "env: prod",
      "note: go\\u{200b}",
      "reason: prod needs human approval",
      "rule: workspace:2",
    ]);
    expect(row?.request).toEqual({ run: "R1", id: "A1", digest: "digest-of-A1" });
  });

  it("lists every item of a cancellation with its reason", () => {
    const run = runWithCalls();
    const items = [
      { id: "T1", text: "Docs", reason: "not needed" },
      { id: "T2", text: "Tests", reason: "" },
    ];
    run.add(callRequest({ kind: "cancel-items", callId: null, level: "guarded", args: { items } }));
    expect(details(toApprovalRows(run.entries())[0])).toEqual([
      "cancel: T1 Docs: not needed",
      "cancel: T2 Tests: no reason given",
    ]);
  });

  it("keeps several requests as rows of their own and drops the one that ended", () => {
    const run = runWithCalls();
    run.add(callRequest(), callRequest({ id: "A2", callId: "c2", digest: "d2" }));
    expect(toApprovalRows(run.entries()).map(({ id }) => id)).toEqual([
      "approval:R1:A1:digest-of-A1",
      "approval:R1:A2:d2",
    ]);
    run.add({ type: "approval_resolved", id: "A1", decision: "deny", reason: "", by: "tester" });
    expect(toApprovalRows(run.entries()).map(({ request }) => request?.id)).toEqual(["A2"]);
  });

  it("offers nothing in a run that another window holds, and nothing of one that is over", () => {
    const run = runWithCalls();
    run.add(callRequest());
    run.change({ mode: "watching" });
    expect(toApprovalRows(run.entries()).map((row) => row.contextValue)).toEqual(["approval.review.watched"]);
    run.change({ mode: "ended" });
    expect(toApprovalRows(run.entries())).toEqual([]);
  });
});

describe("the denials view", () => {
  const denied = (run: FoldedRun): Row | undefined => toDenialRows(run.entries())[0]?.children[0];

  function runWithDenial(): FoldedRun {
    const run = new FoldedRun();
    run.add(replyOf(1, "I edit the grader.", [["c1", "edit_file"]]), {
      ...{ type: "guardrail_denied", callId: "c1", tool: "edit_file", args: { path: "../grader/grade.js" } },
      ...{ rule: "hidden-folder", reason: "the grader is hidden", key: "k" },
    });
    return run;
  }

  it("tells call, reason and rule", () => {
    const row = denied(runWithDenial());
    expect([row?.label, row?.description]).toEqual(["edit_file path=../grader/grade.js", "the grader is hidden"]);
    expect(row?.accessibilityLabel).toBe(
      "Denied: edit_file path=../grader/grade.js. Reason: the grader is hidden. Rule: hidden-folder. Then the model has not answered yet",
    );
  });

  it("tells what the model did next", () => {
    const run = runWithDenial();
    run.add(replyOf(2, "Denied, so I write the script.", [["c2", "write_file"]]));
    expect(details(denied(run)).at(-1)).toBe(
      "then the model: called write_file and said: Denied, so I write the script.",
    );
  });

  it("tells that the model gave up with words alone", () => {
    const run = runWithDenial();
    run.add(replyOf(2, "I stop here.", []));
    expect(details(denied(run)).at(-1)).toBe("then the model: said: I stop here.");
  });

  it("shows the denial of a person with the reason given", () => {
    const run = runWithCalls();
    run.add(callRequest(), { type: "approval_resolved", id: "A1", decision: "deny", reason: "not today", by: "Ada" });
    expect(details(denied(run)).slice(0, 2)).toEqual(["reason: not today", "rule: person:Ada"]);
  });

  it("shows no row for a request that got no answer", () => {
    const run = runWithCalls();
    run.add(callRequest(), { type: "approval_withdrawn", id: "A1", why: "nobody answered" });
    expect(toDenialRows(run.entries())).toEqual([]);
  });
});
