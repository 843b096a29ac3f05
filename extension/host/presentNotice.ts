import * as vscode from "vscode";
import { escapeForNotification } from "./escapeForNotification";
import { presentRefusal } from "./presentRefusal";
import type { Disposable, RunNotice, Runs } from "./runs";

/** Tells what no row shows; never takes the focus. */
export function presentNotices(runs: Runs, onError: (error: unknown) => void): Disposable {
  return runs.onNotice((notice) => {
    const text = escapeForNotification(notice.message);
    if (notice.kind === "queued-left") void askAboutLeft(runs, notice, text).catch(onError);
    else if (notice.kind === "taken-over") void vscode.window.showInformationMessage(text);
    else void vscode.window.showWarningMessage(text);
  });
}

/** A closed notification decides nothing: the run stays in the queue, and the next window asks again. */
async function askAboutLeft(runs: Runs, { id }: RunNotice, text: string): Promise<void> {
  const start = vscode.l10n.t("Start It");
  const drop = vscode.l10n.t("Discard It");
  const choice = await vscode.window.showInformationMessage(text, start, drop);
  if (choice === drop) await runs.dropLeft(id);
  if (choice !== start) return;
  const started = await runs.startLeft(id);
  if (!started.ok) presentRefusal(started);
}
