import type { CheckResult } from "../../core/gate/checkResult";
import { toOneLine } from "../escapeForNotification";
import { createRow, type Row } from "./row";
import type { Translate } from "./translate";

/** How one check ended, in the gate's own word. Only `pass` looks like one. `parent`: the id of the row it hangs on. */
export function toCheckRow(run: string, parent: string, check: CheckResult, t: Translate): Row {
  const { name, verdict, reason, provenance } = check;
  const facts = [verdict, ...toFacts(check, t)].join(" · ");
  const label = toOneLine(name);
  return createRow({
    id: `${parent}:check:${name}`,
    run,
    label,
    description: reason === "" ? facts : `${facts} · ${toOneLine(reason, 160)}`,
    tooltip: [label, facts, toOneLine(provenance), toOneLine(reason, 2_000)].filter((line) => line !== "").join("\n"),
    accessibilityLabel: t("Check {0}: {1}. {2}", label, facts, toOneLine(reason)),
    ...toLook(verdict),
    contextValue: "check",
  });
}

function toFacts({ exitCode, tests, durationMs }: CheckResult, t: Translate): string[] {
  return [
    exitCode === null ? null : t("exit code {0}", exitCode),
    tests === null ? null : t("{0} run, {1} failed, {2} skipped", tests.run, tests.failed, tests.skipped),
    durationMs < 100 ? null : t("{0} s", Math.round(durationMs / 100) / 10),
  ].filter((fact) => fact !== null);
}

function toLook(verdict: CheckResult["verdict"]): Pick<Row, "icon" | "color"> {
  switch (verdict) {
    case "pass":
      return { icon: "check", color: "testing.iconPassed" };
    case "not-applicable":
      return { icon: "dash", color: null };
    case "not-run":
      return { icon: "circle-large-outline", color: null };
    case "unavailable":
    case "timeout":
      return { icon: "warning", color: "list.warningForeground" };
    case "tampered":
      return { icon: "shield", color: "testing.iconFailed" };
    default:
      return { icon: "x", color: "testing.iconFailed" };
  }
}
