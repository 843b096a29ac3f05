// The gate in the plan view: every attempt with what its checks found.
import type { CheckResult } from "../../core/gate/checkResult";
import type { JournaledEvent } from "../../core/journal/event";
import type { RunState, Verification } from "../../core/journal/runState";
import { toOneLine } from "../escapeForNotification";
import type { RunEntry } from "../runs";
import { toCheckRow } from "./checkRow";
import { toPassages } from "./passages";
import { createRow, type Row } from "./row";
import { isMoving, verifiedIcon } from "./runWords";
import type { Translate } from "./translate";

/** The earlier attempts, oldest first, then what will judge the run, what judges it now, or what judged it last. */
export function toGateRows(entry: RunEntry, events: readonly JournaledEvent[], t: Translate): Row[] {
  const { state } = entry;
  const last = state.lastVerification;
  if (state.spec?.completion === null) return [toUngatedRow(entry, t)];
  const earlier = toEarlierRows(entry, events, t);
  if (state.verifying) return [...earlier, toVerifyingRow(entry, t)];
  if (last !== null) return [...earlier, toAttemptRow(entry, last, `plan:${entry.id}:gate`, t)];
  return state.plan === null ? earlier : [...earlier, toFrozenRow(entry, t)];
}

function toEarlierRows(entry: RunEntry, events: readonly JournaledEvent[], t: Translate): Row[] {
  const passages = toPassages(events);
  // The state shows that one.
  const newest = entry.state.verifying ? passages.length - 1 : passages.findLastIndex(({ end }) => end !== null);
  return passages.flatMap(({ attempt, checks, end }, at) => {
    if (at === newest) return [];
    const id = `plan:${entry.id}:passage:${at}`;
    if (end === null) return [toCutOffRow(entry, { id, attempt, checks }, t)];
    return [{ ...toAttemptRow(entry, { ...end, checks }, id, t), collapsible: "collapsed" as const }];
  });
}

function toCutOffRow(
  { id: run, state }: RunEntry,
  { id, attempt, checks }: { id: string; attempt: number; checks: readonly CheckResult[] },
  t: Translate,
): Row {
  return createRow({
    ...{ id, run, label: t("Attempt {0} of {1}", attempt, toMost(state)) },
    description: t("verification was cut off"),
    ...{ icon: "debug-pause", contextValue: "gate" },
    children: toCheckRows(run, id, checks, t),
  });
}

function toUngatedRow(entry: RunEntry, t: Translate): Row {
  return createRow({
    id: `plan:${entry.id}:gate`,
    run: entry.id,
    label: t("Nothing is verified in this run"),
    description: t("verify: off"),
    icon: "circle-slash",
    contextValue: "gate",
  });
}

function toFrozenRow(entry: RunEntry, t: Translate): Row {
  const { id, state } = entry;
  const checks = state.plan?.checks ?? [];
  const names = [...(state.plan?.require ?? []), ...checks.map(({ name }) => name)];
  const description = checks.length === 0 ? t("structural checks alone") : t("{0} frozen", checks.length);
  return createRow({
    id: `plan:${id}:gate`,
    run: id,
    label: t("Checks"),
    description,
    accessibilityLabel: t("Checks of this run: {0}. {1}", names.map((name) => toOneLine(name)).join(", "), description),
    icon: "law",
    contextValue: "gate",
    children: names.map((name) =>
      createRow({
        ...{ id: `plan:${id}:gate:check:${name}`, run: id, label: toOneLine(name), description: t("not judged yet") },
        ...{ icon: "circle-large-outline", contextValue: "check" },
      }),
    ),
  });
}

function toVerifyingRow(entry: RunEntry, t: Translate): Row {
  const { id, state } = entry;
  return createRow({
    id: `plan:${id}:gate`,
    run: id,
    label: t("Attempt {0} of {1}", state.attempts + 1, toMost(state)),
    description: isMoving(entry) ? t("verifying") : t("verification was cut off"),
    icon: isMoving(entry) ? "sync~spin" : "debug-pause",
    collapsible: "expanded",
    contextValue: "gate",
    children: toCheckRows(id, `plan:${id}:gate`, state.checks, t),
  });
}

function toAttemptRow({ id: run, state }: RunEntry, last: Verification, id: string, t: Translate): Row {
  const label = last.charged
    ? t("Attempt {0} of {1}", last.attempt, toMost(state))
    : t("Attempt {0} of {1}, not counted", last.attempt, toMost(state));
  const look = last.passed
    ? { word: t("verified"), ...verifiedIcon }
    : { word: t("not verified: {0}", toOneLine(last.reason)), icon: "error", color: "testing.iconFailed" };
  return createRow({
    ...{ id, run, label },
    description: look.word,
    tooltip: last.passed ? `${label}\n${look.word}` : `${label}\n${toOneLine(last.reason, 2_000)}`,
    icon: look.icon,
    color: look.color,
    collapsible: last.passed ? "collapsed" : "expanded",
    contextValue: "gate",
    children: toCheckRows(run, id, last.checks, t),
  });
}

function toCheckRows(run: string, parent: string, checks: readonly CheckResult[], t: Translate): Row[] {
  return checks.map((check) => toCheckRow(run, parent, check, t));
}

const toMost = (state: RunState): number => state.spec?.completion?.maxAttempts ?? 1;
