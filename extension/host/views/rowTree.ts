// One tree view over rows: what it shows is a projection, and a change redraws only the rows that look different.
import * as vscode from "vscode";
import type { Row } from "../projections/row";
import { RowForest, type RowNode } from "./rowForest";

export class RowTree implements vscode.TreeDataProvider<RowNode> {
  readonly #forest = new RowForest();
  readonly #changed = new vscode.EventEmitter<RowNode | RowNode[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;

  show(rows: readonly Row[]): void {
    const changed = this.#forest.update(rows);
    if (changed === "all") this.#changed.fire(undefined);
    else if (changed.length > 0) this.#changed.fire([...changed]);
  }

  getChildren(node?: RowNode): RowNode[] {
    return node === undefined ? this.#forest.roots : node.children;
  }

  getParent(node: RowNode): RowNode | null {
    return node.parent;
  }

  getTreeItem(node: RowNode): vscode.TreeItem {
    const { row } = node;
    const item = new vscode.TreeItem(row.label, collapsibleStates[row.collapsible]);
    item.id = row.id;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.contextValue = row.contextValue;
    item.accessibilityInformation = { label: row.accessibilityLabel };
    if (row.icon !== "") {
      item.iconPath = new vscode.ThemeIcon(row.icon, row.color === null ? undefined : new vscode.ThemeColor(row.color));
    }
    const command = toCommand(node);
    if (command !== null) item.command = command;
    return item;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

const collapsibleStates = {
  none: vscode.TreeItemCollapsibleState.None,
  collapsed: vscode.TreeItemCollapsibleState.Collapsed,
  expanded: vscode.TreeItemCollapsibleState.Expanded,
};

function toCommand(node: RowNode): vscode.Command | null {
  switch (node.row.opens) {
    case "run":
      return { command: "donegate.showRun", title: vscode.l10n.t("Show run"), arguments: [node.row.run] };
    case "review":
      return { command: "donegate.reviewApproval", title: vscode.l10n.t("Review"), arguments: [node] };
    case null:
      return null;
  }
}
