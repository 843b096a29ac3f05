import { describe, expect, it } from "vitest";
import type { CheckResult, CheckVerdict } from "../../../extension/core/gate/checkResult";
import { cutReason } from "../../../extension/core/gate/checks/cutReason";
import { diffCheck, type DiffEvidence } from "../../../extension/core/gate/checks/diffCheck";
import { structuralResult } from "../../../extension/core/gate/checks/structuralResult";
import { todosCheck } from "../../../extension/core/gate/checks/todosCheck";
import { usefulOutput } from "../../../extension/core/gate/checks/usefulOutput";
import type { ItemStatus, Ledger } from "../../../extension/core/plan/ledger";

function ledger(...items: [text: string, status: ItemStatus][]): Ledger {
  return {
    items: items.map(([text, status], index) => ({ id: `T${index + 1}`, text, status, verified: false })),
    nextId: items.length + 1,
  };
}

describe("todos", () => {
  it.each<[string, Ledger, number, CheckVerdict, string]>([
    ["no plan", ledger(), 0, "pass", ""],
    ["one open item", ledger(["a", "completed"], ["b", "pending"]), 5, "fail", "1 item(s) still open: b"],
    ["two open items", ledger(["a", "in_progress"], ["b", "pending"]), 5, "fail", "2 item(s) still open: a; b"],
    ["a cancellation nobody agreed to", ledger(["a", "cancel requested"]), 5, "fail", "1 item(s) still open: a"],
    ["a cancellation a person agreed to", ledger(["a", "cancelled"]), 0, "pass", ""],
    [
      "every box ticked without work",
      ledger(["a", "completed"], ["b", "completed"]),
      0,
      "fail",
      "no work behind: a; b",
    ],
    ["every box ticked after work", ledger(["a", "completed"]), 1, "pass", ""],
  ])("%s", (_name, plan, work, verdict, reason) => {
    expect(todosCheck(plan, work)).toMatchObject({ name: "todos", verdict, reason, evidence: "structural" });
  });
});

const nothing: DiffEvidence = { kind: "edit", changes: [], effects: [], texts: [], tree: "t" };
// Assembled here, so that the file itself holds no secret.
const key = ["AKIA", "IOSFODNN7", "QWERTYU"].join("");

describe("diff", () => {
  it("wants a net change or a backed effect", () => {
    expect(diffCheck(nothing)).toMatchObject({ verdict: "fail", tree: "t" });
    expect(diffCheck({ ...nothing, changes: [{ path: "a", kind: "deleted" }] }).verdict).toBe("pass");
    expect(diffCheck({ ...nothing, effects: [{ tool: "deploy", backed: true }] }).verdict).toBe("pass");
    const unbacked = diffCheck({ ...nothing, effects: [{ tool: "deploy", backed: false }] });
    expect(unbacked.reason).toBe(
      "nothing in the workspace has changed, and the effect of deploy could not be read back",
    );
  });

  it("takes a backed answer in an auto run only, and does not judge a question", () => {
    expect(diffCheck({ ...nothing, kind: "auto", backedAnswer: true }).verdict).toBe("pass");
    expect(diffCheck({ ...nothing, kind: "auto" }).verdict).toBe("fail");
    expect(diffCheck({ ...nothing, kind: "edit", backedAnswer: true }).verdict).toBe("fail");
    expect(diffCheck({ ...nothing, kind: "question" }).verdict).toBe("not-applicable");
  });

  it("fails on a secret in added content, with file and line and without the value", () => {
    const changes = [{ path: "config.js", kind: "modified" as const }];
    const texts = [{ path: "config.js", before: "a\n", after: `a\nconst key = "${key}";\n` }];
    const result = diffCheck({ ...nothing, changes, texts });
    expect(result.verdict).toBe("fail");
    expect(result.reason).toMatch(/^added content holds a secret: config\.js:2 \(/);
    expect(result.reason).not.toContain(key);
  });

  it("leaves a secret alone that was there before", () => {
    const line = `const key = "${key}";`;
    const texts = [{ path: "config.js", before: `${line}\n`, after: `// moved\n${line}\n` }];
    expect(diffCheck({ ...nothing, changes: [{ path: "config.js", kind: "modified" }], texts }).verdict).toBe("pass");
  });
});

function failing(name: string, reason: string, verdict: CheckVerdict = "fail"): CheckResult {
  return structuralResult(name, verdict, reason);
}

describe("one reason for all failures", () => {
  it("is the reason itself when there is one", () => {
    expect(cutReason([failing("todos", "1 item(s) still open: a"), failing("x", "", "pass")])).toBe(
      "1 item(s) still open: a",
    );
    expect(cutReason([])).toBe("");
  });

  it("names what was not run and what could not", () => {
    const results = [
      failing("todos", "1 item(s) still open: a"),
      failing("tests", "", "not-run"),
      failing("lint", "no eslint", "unavailable"),
    ];
    expect(cutReason(results)).toBe("1 item(s) still open: a\nlint could not run: no eslint\nnot run: tests");
  });

  it("names a result without words by its verdict", () => {
    expect(cutReason([failing("tests", "", "flaky")])).toBe("tests: flaky");
  });

  it("keeps short reasons whole, and head and tail of long ones, within the budget", () => {
    const long = `HEAD ${"x".repeat(9_000)} TAIL`;
    const cut = cutReason([failing("a", long), failing("todos", "short"), failing("b", long)], 1_000);
    expect(cut.length).toBeLessThanOrEqual(1_000);
    expect(cut.length).toBeGreaterThan(950);
    expect(cut.match(/HEAD/g)).toHaveLength(2);
    expect(cut.match(/TAIL/g)).toHaveLength(2);
    expect(cut).toContain("short");
  });

  it("stays within the budget even with very many failures", () => {
    const many = Array.from({ length: 200 }, (_, index) => failing(`c${index}`, "y".repeat(500)));
    expect(cutReason(many, 1_000).length).toBeLessThanOrEqual(1_000);
  });
});

describe("the useful part of an output", () => {
  it("is all of it when it fits", () => {
    expect(usefulOutput("\n a\nb \n", 100)).toBe("a\nb");
  });

  it("starts with the failing lines and ends with the end", () => {
    const noise = Array.from({ length: 400 }, (_, index) => `step ${index}`);
    const output = [
      ...noise.slice(0, 200),
      "FAILED test_sum: expected foo34",
      "0 failed so far",
      ...noise.slice(200),
      "last line",
    ].join("\n");
    const useful = usefulOutput(output, 500);
    expect(useful.length).toBeLessThanOrEqual(500);
    expect(useful.split("\n")[0]).toBe("FAILED test_sum: expected foo34");
    expect(useful.split("\n").at(-1)).toBe("last line");
  });

  it("cuts endless lines", () => {
    expect(usefulOutput(`${"z".repeat(10_000)}\nend`, 500)).toMatch(/z{300}…\nend$/);
  });
});
