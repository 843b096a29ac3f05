import * as vscode from "vscode";
import type { StatusText } from "../projections/statusText";

/** The status bar item; it leads to what waits, else to the run. */
export class StatusItem {
  readonly #item = vscode.window.createStatusBarItem("donegate.status", vscode.StatusBarAlignment.Left, 10);

  constructor() {
    this.#item.name = "Donegate";
  }

  show(status: StatusText | null): void {
    if (status === null) return this.#item.hide();
    const { text, tooltip, accessibilityLabel, waiting } = status;
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: accessibilityLabel, role: "button" };
    this.#item.command = waiting > 0 ? "donegate.showApprovals" : "donegate.showRun";
    this.#item.backgroundColor = waiting > 0 ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
