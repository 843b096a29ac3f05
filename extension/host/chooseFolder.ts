// Which folder a task is about, or what a person has to do before there can be one.
import * as vscode from "vscode";

interface FolderRefusal {
  message: string;
  /** What the button does. */
  button?: { title: string; command: string };
}

/** Null: the person picked none. */
async function chooseFolder(): Promise<{ ok: true; path: string } | ({ ok: false } & FolderRefusal) | null> {
  const refusal = whyNotHere();
  if (refusal !== null) return { ok: false, ...refusal };
  const folders = localFolders();
  if (folders.length === 1) return folders[0] === undefined ? null : { ok: true, path: folders[0].uri.fsPath };
  const picked = await vscode.window.showQuickPick(
    folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath })),
    { title: vscode.l10n.t("Which folder is this about?"), ignoreFocusOut: true },
  );
  return picked === undefined ? null : { ok: true, path: picked.description };
}

/** Null: there is none, or the person picked none; he has been told why. */
export async function folderOrTell(): Promise<string | null> {
  const folder = await chooseFolder();
  if (folder === null) return null;
  if (folder.ok) return folder.path;
  const { message, button } = folder;
  void vscode.window.showErrorMessage(message, ...(button === undefined ? [] : [button.title])).then((clicked) => {
    if (button !== undefined && clicked === button.title) void vscode.commands.executeCommand(button.command);
  });
  return null;
}

export function localFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === "file");
}

function whyNotHere(): FolderRefusal | null {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) {
    return {
      message: vscode.l10n.t("Open a folder first: an agent task works on one folder."),
      button: { title: vscode.l10n.t("Open Folder"), command: "workbench.action.files.openFolder" },
    };
  }
  if (localFolders().length === 0) {
    return {
      message: vscode.l10n.t(
        "This is a virtual workspace: there is no disk on which checks could run. Clone it, then open the clone.",
      ),
    };
  }
  if (vscode.workspace.isTrusted) return null;
  return {
    message: vscode.l10n.t(
      "This folder is in Restricted Mode, where nothing runs: an agent edits files and starts programs. Trust the folder first, if you do.",
    ),
    button: { title: vscode.l10n.t("Manage Trust"), command: "workbench.trust.manage" },
  };
}
