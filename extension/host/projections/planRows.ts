// The plan view: runs → items as declared, claimed or verified → what the gate found, attempt by attempt.
import type { CheckResult } from "../../core/gate/checkResult";
import type { RunState, Verification } from "../../core/journal/runState";
import { toPhase } from "../../core/journal/runState";
import type { LedgerItem } from "../../core/plan/ledger";
import { toOneLine } from "../escapeForNotification";
import type { RunEntry } from "../runs";
import { toCheckRow } from "./checkRow";
import { createRow, type Row } from "./row";
import { claimedIcon, isMoving, toRunWords, verifiedIcon } from "./runWords";
import { plainEnglish, type Translate } from "./translate";

/** Newest first; a run whose journal has not been read is left out. The first one is open. */
export function toPlanRows(entries: readonly RunEntry[], t: Translate = plainEnglish): Row[] {
  return entries.filter(({ whole }) => whole).map((entry, at) => toPlanRow(entry, at === 0, t));
}

export function toPlanRow(entry: RunEntry, isFirst: boolean, t: Translate): Row {
  const { title, state, marks, icon, color } = toRunWords(entry, t);
  const words = [state, ...marks].filter((word) => word !== "").join(" · ");
  const stoppedBy = entry.problem ?? entry.state.end?.stoppedBy ?? "";
  return createRow({
    id: `plan:${entry.id}`,
    run: entry.id,
    // The words first: in a narrow side bar the goal would leave no room for them.
    label: words,
    description: title,
    tooltip: [title, words, toOneLine(stoppedBy, 600)].filter((line) => line !== "").join("\n"),
    accessibilityLabel: t("Run {0}: {1}", title, words),
    ...{ icon, color },
    collapsible: isFirst ? "expanded" : "collapsed",
    contextValue: `run.${entry.mode}`,
    opens: "run",
    children: [...entry.state.ledger.items.map((item) => toItemRow(entry, item, t)), ...toGateRows(entry, t)],
  });
}

interface ItemLook {
  /** What the item is, in words. */
  word: string;
  icon: string;
  color: string | null;
}

function toItemRow(entry: RunEntry, item: LedgerItem, t: Translate): Row {
  const { word, icon, color } = toItemLook(entry, item, t);
  const text = toOneLine(item.text);
  return createRow({
    id: `plan:${entry.id}:item:${item.id}`,
    run: entry.id,
    label: text,
    description: word,
    tooltip: `${item.id}: ${toOneLine(item.text, 2_000)}\n${word}`,
    accessibilityLabel: t("Item {0}, {1}: {2}", item.id, word, text),
    ...{ icon, color },
    contextValue: "item",
  });
}

function toItemLook(entry: RunEntry, item: LedgerItem, t: Translate): ItemLook {
  if (item.verified) return { word: t("verified"), ...verifiedIcon };
  const why = item.reason === undefined || item.reason === "" ? "" : `: ${toOneLine(item.reason)}`;
  switch (item.status) {
    case "pending":
      return { word: toOpenWord(item, t("open"), t), icon: "circle-large-outline", color: null };
    case "in_progress":
      return { word: toOpenWord(item, t("in progress"), t), icon: toProgressIcon(entry), color: null };
    case "completed":
      return toClaimedLook(entry.state, t);
    case "cancel requested":
      return item.cancelRefused === true
        ? {
            word: `${t("a person keeps it open")}${why}`,
            icon: "circle-large-outline",
            color: "list.warningForeground",
          }
        : { word: `${t("the agent wants to cancel it")}${why}`, icon: "question", color: "list.warningForeground" };
    case "cancelled":
      return { word: `${t("cancelled, a person agreed")}${why}`, icon: "circle-slash", color: "disabledForeground" };
  }
}

function toOpenWord({ cancelRefused }: LedgerItem, word: string, t: Translate): string {
  return cancelRefused === true ? t("{0}, a person keeps it open", word) : word;
}

/** Turns only while something is really going on. */
function toProgressIcon(entry: RunEntry): string {
  return isMoving(entry) && toPhase(entry.state) === "running" ? "sync~spin" : "circle-large-filled";
}

/** The gate judges the whole run, so a claim is rejected together with all others. */
function toClaimedLook(state: RunState, t: Translate): ItemLook {
  const last = state.lastVerification;
  if (state.verifying || last === null || last.passed || !last.charged) return { word: t("claimed"), ...claimedIcon };
  const reason = toOneLine(last.reason, 160);
  return { word: t("claimed, not verified: {0}", reason), icon: "error", color: "testing.iconFailed" };
}

/** What will judge the run, what judges it now, or what judged it last. */
function toGateRows(entry: RunEntry, t: Translate): Row[] {
  const { state } = entry;
  const last = state.lastVerification;
  if (state.spec?.completion === null) return [toUngatedRow(entry, t)];
  if (state.verifying) return [toVerifyingRow(entry, t)];
  if (last !== null) return [toAttemptRow(entry, last, t)];
  return state.plan === null ? [] : [toFrozenRow(entry, t)];
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
        ...{ id: `plan:${id}:check:${name}`, run: id, label: toOneLine(name), description: t("not judged yet") },
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
    children: toCheckRows(id, state.checks, t),
  });
}

function toAttemptRow({ id, state }: RunEntry, last: Verification, t: Translate): Row {
  const label = last.charged
    ? t("Attempt {0} of {1}", last.attempt, toMost(state))
    : t("Attempt {0} of {1}, not counted", last.attempt, toMost(state));
  const look: ItemLook = last.passed
    ? { word: t("verified"), ...verifiedIcon }
    : { word: t("not verified: {0}", toOneLine(last.reason)), icon: "error", color: "testing.iconFailed" };
  return createRow({
    id: `plan:${id}:gate`,
    run: id,
    label,
    description: look.word,
    tooltip: last.passed ? `${label}\n${look.word}` : `${label}\n${toOneLine(last.reason, 2_000)}`,
    icon: look.icon,
    color: look.color,
    collapsible: last.passed ? "collapsed" : "expanded",
    contextValue: "gate",
    children: toCheckRows(id, last.checks, t),
  });
}

function toCheckRows(id: string, checks: readonly CheckResult[], t: Translate): Row[] {
  return checks.map((check) => toCheckRow(id, check, t));
}

const toMost = (state: RunState): number => state.spec?.completion?.maxAttempts ?? 1;
