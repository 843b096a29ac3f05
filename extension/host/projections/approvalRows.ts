// The approvals view: everything that waits for a person, each on its own.
import { pendingApprovals, type Approval } from "../../core/journal/runState";
import { toOneLine } from "../escapeForNotification";
import type { RunEntry } from "../runs";
import { needsReview, toItems, toQuestion, toRequestTitle, toShortArgs } from "./approvalWords";
import { createRow, type Row } from "./row";
import { toTitle } from "./runWords";
import { plainEnglish, type Translate } from "./translate";

/** Oldest first within a run: the order in which the agent asked. */
export function toApprovalRows(entries: readonly RunEntry[], t: Translate = plainEnglish): Row[] {
  return entries.flatMap((entry) => waitingIn(entry).map((approval) => toApprovalRow(entry, approval, t)));
}

/** Requests that a person can still answer: those of an ended run were withdrawn with it. */
export function waitingIn({ mode, state }: RunEntry): readonly Approval[] {
  return mode === "ended" || mode === "unreadable" ? [] : pendingApprovals(state);
}

export function countWaiting(entries: readonly RunEntry[]): number {
  return entries.reduce((sum, entry) => sum + waitingIn(entry).length, 0);
}

function toApprovalRow(entry: RunEntry, approval: Approval, t: Translate): Row {
  const { id, digest, reason, level } = approval;
  const isWatched = entry.mode === "watching";
  const label = `${id}${level === "normal" ? "" : ` (${level})`} ${toRequestTitle(approval, t)}`;
  const description = [
    approval.kind === "call" ? toOneLine(reason) : null,
    isWatched ? t("answer it in the window that runs it") : null,
  ]
    .filter((word) => word !== null)
    .join(" · ");
  const rowId = `approval:${entry.id}:${id}:${digest}`;
  return createRow({
    id: rowId,
    run: entry.id,
    label,
    description,
    tooltip: [label, description, t("Run: {0}", toTitle(entry))].filter((line) => line !== "").join("\n"),
    accessibilityLabel: t("Waiting for you: {0}. {1}", label, description),
    icon: toIcon(approval),
    color: level === "normal" ? "charts.blue" : "list.warningForeground",
    collapsible: "expanded",
    contextValue: `approval.${toContext(approval)}${isWatched ? ".watched" : ""}`,
    request: { run: entry.id, id, digest },
    opens: "review",
    children: toDetails(approval, t).map(([name, text], at) =>
      createRow({ id: `${rowId}:${at}`, run: entry.id, label: name, description: text, contextValue: "detail" }),
    ),
  });
}

function toContext(approval: Approval): string {
  if (approval.kind === "question") return "question";
  return needsReview(approval) ? "review" : "direct";
}

function toIcon({ kind, level }: Approval): string {
  if (kind === "question") return "question";
  return level === "prod" ? "rocket" : level === "guarded" ? "shield" : "bell";
}

function toDetails(approval: Approval, t: Translate): [string, string][] {
  const { kind, args, reason, rule } = approval;
  if (kind === "question") return [[t("question"), toQuestion(args, 400)]];
  if (kind === "cancel-items") return toItems(args).map((item) => [t("cancel"), item]);
  const named = Object.entries(args).map(([name, value]): [string, string] => [
    toOneLine(name),
    typeof value === "string" ? toOneLine(value) : toShortArgs({ value }, 200).replace(/^value=/, ""),
  ]);
  return [...named, [t("reason"), toOneLine(reason)], [t("rule"), toOneLine(rule)]];
}
