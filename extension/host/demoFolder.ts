// The demo works on a copy of the sample that comes with the extension, so that it can be tried again and again.
import * as vscode from "vscode";
import { localFolders } from "./chooseFolder";
import { startAndShow, type RunCommandParts } from "./runTask";

export interface DemoParts extends RunCommandParts {
  extensionUri: vscode.Uri;
  /** Where copies of the sample lie. */
  storage: vscode.Uri;
}

export async function tryDemo(parts: DemoParts): Promise<void> {
  const here = openDemoFolder(parts.storage);
  if (here !== null) {
    const goal = await readText(vscode.Uri.joinPath(parts.extensionUri, "media", "demo", "goal.txt"));
    await startAndShow(parts, { goal: goal.trim(), folder: here.fsPath, kind: "auto", model: "demo" });
    return;
  }
  const copy = vscode.Uri.joinPath(demosIn(parts.storage), `${Date.now()}`);
  await vscode.workspace.fs.copy(vscode.Uri.joinPath(parts.extensionUri, "media", "demo"), copy);
  const workspace = vscode.Uri.joinPath(copy, "workspace");
  await vscode.commands.executeCommand("vscode.openFolder", workspace, { forceNewWindow: true });
}

/** Null: the open folder is no copy of the sample. */
function openDemoFolder(storage: vscode.Uri): vscode.Uri | null {
  const prefix = `${demosIn(storage).path}/`;
  return localFolders().find((folder) => folder.uri.path.startsWith(prefix))?.uri ?? null;
}

/** In a copy of the sample the next step is one click away. */
export async function offerDemo(storage: vscode.Uri): Promise<void> {
  if (openDemoFolder(storage) === null || !vscode.workspace.isTrusted) return;
  const start = vscode.l10n.t("Start the Demo");
  const message = vscode.l10n.t("This is a copy of Donegate's sample. A scripted model plays a task on it, offline.");
  const clicked = await vscode.window.showInformationMessage(message, start);
  if (clicked === start) await vscode.commands.executeCommand("donegate.tryDemo");
}

const demosIn = (storage: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(storage, "demo");

async function readText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
