// The plan view: runs → items as declared, claimed or verified → what the gate found, attempt by attempt.
import type { JournaledEvent } from "../../core/journal/event";
import type { RunState } from "../../core/journal/runState";
import { toPhase } from "../../core/journal/runState";
import type { LedgerItem } from "../../core/plan/ledger";
import { toOneLine } from "../escapeForNotification";
import type { RunEntry } from "../runs";
import { toGateRows } from "./planGateRows";
import { createRow, type Row } from "./row";
import { claimedIcon, isMoving, toRunContext, toRunWords, verifiedIcon } from "./runWords";
import { plainEnglish, type Translate } from "./translate";

/** What was folded into a run's state, oldest first. */
export type EventsOf = (run: string) => readonly JournaledEvent[];

/** Newest first; a run whose journal has not been read is left out. The first one is open. */
export function toPlanRows(
  entries: readonly RunEntry[],
  eventsOf: EventsOf = () => [],
  t: Translate = plainEnglish,
): Row[] {
  return entries.filter(({ whole }) => whole).map((entry, at) => toPlanRow(entry, eventsOf(entry.id), at === 0, t));
}

function toPlanRow(entry: RunEntry, events: readonly JournaledEvent[], isFirst: boolean, t: Translate): Row {
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
    contextValue: toRunContext(entry),
    opens: "run",
    children: [...entry.state.ledger.items.map((item) => toItemRow(entry, item, t)), ...toGateRows(entry, events, t)],
  });
}

interface ItemLook {
  /** What the item is, in a word or two. */
  word: string;
  /** Why, where there is a reason. Empty: none. */
  why?: string;
  icon: string;
  color: string | null;
}

function toItemRow(entry: RunEntry, item: LedgerItem, t: Translate): Row {
  const { word, why = "", icon, color } = toItemLook(entry, item, t);
  const text = toOneLine(item.text);
  const words = why === "" ? word : `${word}: ${why}`;
  return createRow({
    id: `plan:${entry.id}:item:${item.id}`,
    run: entry.id,
    // The word first, as in a run's row: a long text would push it out of sight.
    label: word,
    description: why === "" ? text : `${text} · ${why}`,
    tooltip: `${item.id}: ${toOneLine(item.text, 2_000)}\n${words}`,
    accessibilityLabel: t("Item {0}, {1}: {2}", item.id, words, text),
    ...{ icon, color },
    contextValue: "item",
  });
}

function toItemLook(entry: RunEntry, item: LedgerItem, t: Translate): ItemLook {
  if (item.verified) return { word: t("verified"), ...verifiedIcon };
  const why = toOneLine(item.reason ?? "");
  switch (item.status) {
    case "pending":
      return { word: toOpenWord(item, t("open"), t), icon: "circle-large-outline", color: null };
    case "in_progress":
      return { word: toOpenWord(item, t("in progress"), t), icon: toProgressIcon(entry), color: null };
    case "completed":
      return toClaimedLook(entry.state, t);
    case "cancel requested":
      return item.cancelRefused === true
        ? { word: t("a person keeps it open"), why, icon: "circle-large-outline", color: "list.warningForeground" }
        : { word: t("the agent wants to cancel it"), why, icon: "question", color: "list.warningForeground" };
    case "cancelled":
      return { word: t("cancelled, a person agreed"), why, icon: "circle-slash", color: "disabledForeground" };
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
  const why = toOneLine(last.reason, 160);
  return { word: t("claimed, not verified"), why, icon: "error", color: "testing.iconFailed" };
}
