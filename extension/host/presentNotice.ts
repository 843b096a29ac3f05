import * as vscode from "vscode";
import { escapeForNotification } from "./escapeForNotification";
import type { Disposable, Runs } from "./runs";

/** Tells what no row shows; never takes the focus. */
export function presentNotices(runs: Runs): Disposable {
  return runs.onNotice(({ kind, message }) => {
    const text = escapeForNotification(message);
    if (kind === "taken-over") void vscode.window.showInformationMessage(text);
    else void vscode.window.showWarningMessage(text);
  });
}
