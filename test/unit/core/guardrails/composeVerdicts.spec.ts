import { describe, expect, it } from "vitest";
import { composeVerdicts } from "../../../../extension/core/guardrails/composeVerdicts";
import type { ToolDefault } from "../../../../extension/core/guardrails/composeVerdicts";
import { ask, deny } from "../../../../extension/core/guardrails/verdict";
import type { Verdict } from "../../../../extension/core/guardrails/verdict";

const allow: Verdict = { decision: "allow", rule: "a" };
const byDefault: Verdict = { decision: "allow", rule: "b", byDefault: true };
const normal = ask("n", "normal reason", "normal");
const guarded = ask("g", "guarded reason", "guarded");
const prod = ask("p", "prod reason", "prod");
const denied = deny("d", "first");

describe("composeVerdicts", () => {
  it.each<[string, Verdict[], ToolDefault, Verdict["decision"], string]>([
    ["a deny wins over everything", [allow, prod, denied], "allow", "deny", "d"],
    ["the first of two denials is told", [denied, deny("d2", "second")], "allow", "deny", "d"],
    ["prod comes before guarded", [guarded, prod], "allow", "ask", "p"],
    ["the first of the strongest level is told", [guarded, ask("g2", "x", "guarded")], "allow", "ask", "g"],
    ["no allow lifts prod", [allow, prod], "allow", "ask", "p"],
    ["no allow lifts guarded", [guarded, allow], "allow", "ask", "g"],
    ["an explicit allow lifts a normal ask", [normal, allow], "ask", "allow", "a"],
    ["a person's ask comes before an allow by default", [byDefault, normal], "ask", "ask", "n"],
    ["an allow by default settles what asks only by default", [byDefault], "ask", "allow", "b"],
    ["an ask stands without an allow", [normal], "allow", "ask", "n"],
    ["no verdict: the default allows", [], "allow", "allow", "tool-default"],
    ["no verdict: the default asks", [], "ask", "ask", "tool-default"],
    ["no allow lifts a default of prod", [allow], "prod", "ask", "tool-default"],
    ["a default of prod is stronger than guarded", [guarded], "prod", "ask", "tool-default"],
    ["an explicit allow lifts a default ask", [allow], "ask", "allow", "a"],
  ])("%s", (_, verdicts, toolDefault, decision, rule) => {
    expect(composeVerdicts(verdicts, toolDefault)).toMatchObject({ decision, rule });
  });

  it("a default of prod asks at level prod", () => {
    expect(composeVerdicts([], "prod")).toMatchObject({
      decision: "ask",
      level: "prod",
      reason: "prod needs human approval",
    });
  });

  it("no added verdict softens a deny, a guarded or a prod ask, at any place in any list of up to three", () => {
    const all = [allow, normal, guarded, prod, denied];
    const lists: Verdict[][] = [[], ...all.map((a) => [a]), ...all.flatMap((a) => all.map((b) => [a, b]))];
    lists.push(...all.flatMap((a) => all.flatMap((b) => all.map((c) => [a, b, c]))));
    const defaults: ToolDefault[] = ["allow", "ask", "prod"];
    let compared = 0;
    for (const list of lists) {
      for (const toolDefault of defaults) {
        const before = composeVerdicts(list, toolDefault);
        for (const added of all) {
          for (let at = 0; at <= list.length; at++) {
            const after = composeVerdicts(list.toSpliced(at, 0, added), toolDefault);
            compared++;
            if (firmness(before) > 1) expect(firmness(after)).toBeGreaterThanOrEqual(firmness(before));
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(5000);
  });
});

/** 0 allow, 1 normal ask, 2 guarded, 3 prod, 4 deny. */
function firmness(verdict: Verdict): number {
  if (verdict.decision === "deny") return 4;
  return verdict.decision === "allow" ? 0 : { normal: 1, guarded: 2, prod: 3 }[verdict.level];
}
