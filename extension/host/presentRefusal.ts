// Says why something was not done, with the button that leads to what can be done about it.
import * as vscode from "vscode";
import { escapeForNotification } from "./escapeForNotification";
import type { StartRefusal } from "./runs";

/** Does not wait for the person. */
export function presentRefusal(refusal: StartRefusal): void {
  // The person has just said no: nothing is to be explained to him.
  if (refusal.code === "not-accepted") return;
  void offer(refusal);
}

async function offer({ code, message, at }: StartRefusal): Promise<void> {
  const button = toButton(code, at);
  const text = escapeForNotification(message);
  const clicked = await vscode.window.showErrorMessage(text, ...(button === null ? [] : [button.title]));
  if (clicked !== undefined && button?.title === clicked) await button.act();
}

interface Button {
  title: string;
  act(): PromiseLike<unknown>;
}

function toButton(code: StartRefusal["code"], at: StartRefusal["at"]): Button | null {
  const command = (title: string, id: string): Button => ({ title, act: () => vscode.commands.executeCommand(id) });
  if (at !== undefined) {
    return { title: vscode.l10n.t("Open donegate.yaml"), act: () => openAt(at) };
  }
  switch (code) {
    case "key":
      return command(vscode.l10n.t("Set Key"), "donegate.setKey");
    case "model":
      return command(vscode.l10n.t("Select Model"), "donegate.selectModel");
    case "restricted":
      return command(vscode.l10n.t("Manage Trust"), "workbench.trust.manage");
    case "held":
      return command(vscode.l10n.t("Take Over"), "donegate.takeOver");
    case "busy":
      return command(vscode.l10n.t("Show Run"), "donegate.showRun");
    case "folder":
    case "config":
    case "not-accepted":
    case "journal":
    case "nothing-to-do":
      return null;
  }
}

async function openAt({ path, line, column }: NonNullable<StartRefusal["at"]>): Promise<void> {
  const place = new vscode.Position(Math.max(0, line - 1), Math.max(0, column - 1));
  await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(place, place) });
}
