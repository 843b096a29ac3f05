// The views of the activity bar and the status bar item, all drawn from the runs, at most ten times a second.
import * as vscode from "vscode";
import { escapeForNotification } from "../escapeForNotification";
import { countWaiting, toApprovalRows } from "../projections/approvalRows";
import { toDenialRows } from "../projections/denialRows";
import { toPlanRows } from "../projections/planRows";
import type { Row } from "../projections/row";
import { toRunRows } from "../projections/runRows";
import { statusText } from "../projections/statusText";
import type { Translate } from "../projections/translate";
import type { RunEntry, Runs } from "../runs";
import { createCoalescer } from "./coalesce";
import type { RowNode } from "./rowForest";
import { RowTree } from "./rowTree";
import { StatusItem } from "./statusItem";

const redrawEveryMs = 100;

export interface Views {
  /** Goes to the first request that waits, with the focus on it. */
  goToApprovals(): Promise<void>;
}

export function registerViews(context: vscode.ExtensionContext, runs: Runs): Views {
  const t: Translate = (message, ...values) => vscode.l10n.t(message, ...values);
  const add = (id: string, toRows: ToRows, drawFrame?: DrawFrame) => addView({ context, runs, id, toRows, drawFrame });
  const { draw: drawPlan } = add("donegate.plan", (entries) => toPlanRows(entries, (id) => runs.events(id), t));
  const approvals = add("donegate.approvals", (entries) => toApprovalRows(entries, t), drawBadge);
  const { draw: drawDenials } = add("donegate.denials", (entries) => toDenialRows(entries, t));
  const { draw: drawRuns } = add("donegate.runs", (entries) => toRunRows(entries, t));
  const status = new StatusItem();
  const draw = createCoalescer(() => {
    const entries = runs.entries();
    for (const drawView of [drawPlan, approvals.draw, drawDenials, drawRuns]) drawView(entries);
    status.show(statusText(entries, runs.current(), t));
  }, redrawEveryMs);
  context.subscriptions.push(
    status,
    draw,
    runs.onDidChange(() => draw.request()),
  );
  draw.request();
  return {
    goToApprovals: async () => {
      await runs.load();
      approvals.draw(runs.entries());
      await approvals.goTo();
    },
  };
}

type ToRows = (entries: readonly RunEntry[]) => Row[];
type DrawFrame = (view: vscode.TreeView<RowNode>, entries: readonly RunEntry[]) => void;

interface ViewParts {
  context: vscode.ExtensionContext;
  runs: Runs;
  id: string;
  toRows: ToRows;
  drawFrame?: DrawFrame | undefined;
}

interface AddedView {
  readonly draw: (entries: readonly RunEntry[]) => void;
  /** To its first row. */
  goTo(): Promise<void>;
}

/** Histories are read when the person first looks at a view, not before. */
function addView({ context, runs, id, toRows, drawFrame }: ViewParts): AddedView {
  const tree = new RowTree();
  const view = vscode.window.createTreeView(id, { treeDataProvider: tree, showCollapseAll: true });
  const load = (): void => {
    if (view.visible) void runs.load().catch(tellFailure);
  };
  context.subscriptions.push(tree, view, view.onDidChangeVisibility(load));
  load();
  return {
    draw: (entries) => {
      tree.show(toRows(entries));
      drawFrame?.(view, entries);
    },
    goTo: async () => {
      const [first] = tree.getChildren();
      // The editor's own command loses the focus while a view that was never shown gets its rows.
      if (first === undefined) await vscode.commands.executeCommand(`${id}.focus`);
      else await view.reveal(first, { select: false, focus: true });
    },
  };
}

function drawBadge(view: vscode.TreeView<RowNode>, entries: readonly RunEntry[]): void {
  const value = countWaiting(entries);
  if (view.badge?.value === value) return;
  view.badge = value === 0 ? undefined : { value, tooltip: vscode.l10n.t("{0} waiting for you", value) };
}

function tellFailure(error: unknown): void {
  const why = escapeForNotification(error instanceof Error ? error.message : String(error));
  void vscode.window.showErrorMessage(vscode.l10n.t("The runs of this folder could not be read: {0}", why));
}
