// The denials view: what was refused, by which rule, why, and what the model did about it.
import type { Denial, RunState } from "../../core/journal/runState";
import { toOneLine } from "../escapeForNotification";
import type { RunEntry } from "../runs";
import { toShortArgs } from "./approvalWords";
import { createRow, type Row } from "./row";
import { toTitle } from "./runWords";
import { plainEnglish, type Translate } from "./translate";

export function toDenialRows(entries: readonly RunEntry[], t: Translate = plainEnglish): Row[] {
  return entries
    .filter(({ state }) => state.denials.length > 0)
    .map((entry, at) => {
      const { denials } = entry.state;
      const count = t("{0} denied", denials.length);
      return createRow({
        id: `denials:${entry.id}`,
        run: entry.id,
        label: toTitle(entry),
        description: count,
        accessibilityLabel: t("Run {0}: {1}", toTitle(entry), count),
        icon: "shield",
        collapsible: at === 0 ? "expanded" : "collapsed",
        contextValue: "denialRun",
        opens: "run",
        children: denials.map((denial, number) => toDenialRow(entry, denial, number, t)),
      });
    });
}

function toDenialRow(entry: RunEntry, denial: Denial, number: number, t: Translate): Row {
  const reason = toOneLine(denial.reason);
  const rule = toOneLine(denial.rule);
  const label = `${toOneLine(denial.tool)} ${toShortArgs(denial.args)}`.trim();
  const next = toNextAct(entry.state, denial.callId, t);
  const details: readonly [string, string][] = [
    [t("reason"), toOneLine(denial.reason, 400)],
    [t("rule"), rule],
    ...Object.entries(denial.args).map(([name, value]): [string, string] => [
      toOneLine(name),
      toOneLine(typeof value === "string" ? value : JSON.stringify(value)),
    ]),
    [t("then the model"), next],
  ];
  const id = `denials:${entry.id}:${number}`;
  return createRow({
    id,
    run: entry.id,
    label,
    description: reason,
    tooltip: [label, ...details.map(([name, text]) => `${name}: ${text}`)].join("\n"),
    accessibilityLabel: t("Denied: {0}. Reason: {1}. Rule: {2}. Then the model {3}", label, reason, rule, next),
    icon: "circle-slash",
    color: "testing.iconFailed",
    contextValue: "denial",
    children: details.map(([name, text], at) =>
      createRow({ id: `${id}:${at}`, run: entry.id, label: name, description: text, contextValue: "detail" }),
    ),
  });
}

/** The model's next reply after it was told: what it called, else what it said. */
function toNextAct({ history, end }: RunState, callId: string, t: Translate): string {
  const told = history.findIndex((message) => message.role === "tool" && message.tool_call_id === callId);
  const reply = told < 0 ? undefined : history.slice(told).find((message) => message.role === "assistant");
  if (reply === undefined) return end === null ? t("has not answered yet") : t("was not asked again");
  const calls = reply.tool_calls ?? [];
  const said = toOneLine(reply.content ?? "");
  if (calls.length === 0) return t("said: {0}", said);
  const called = calls.map(({ function: { name } }) => toOneLine(name)).join(", ");
  return said === "" ? t("called {0}", called) : t("called {0} and said: {1}", called, said);
}
