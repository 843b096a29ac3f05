// "Explain a command": would an agent's run on this folder be allowed it, asked about it or denied, and why. Starts nothing.
import * as vscode from "vscode";
import { folderOrTell } from "../chooseFolder";
import { presentRefusal } from "../presentRefusal";
import type { Runs } from "../runs";
import type { ExplanationDocuments } from "./explanationDocuments";

export interface ExplainParts {
  runs: Runs;
  explanations: ExplanationDocuments;
}

export async function explainCommand({ runs, explanations }: ExplainParts): Promise<void> {
  const folder = await folderOrTell();
  if (folder === null) return;
  const command = await askForCommand();
  if (command === null) return;
  const options = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Reading the command") };
  const report = await vscode.window.withProgress(options, () => runs.explainCommand(folder, command));
  if (!report.ok) return presentRefusal(report);
  await explanations.open({ command, folder, explained: report.explained, config: report.config });
}

/** Null: the person gave none. */
async function askForCommand(): Promise<string | null> {
  const selected = selectedText();
  // The box holds one line and would make spaces of the others, which is another command.
  if (/\n./.test(selected)) return selected;
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t("Explain a command"),
    prompt: vscode.l10n.t("Which command text? Nothing is run."),
    value: selected,
    ignoreFocusOut: true,
  });
  return text === undefined || text.trim() === "" ? null : text;
}

function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor === undefined ? "" : editor.document.getText(editor.selection).replaceAll("\r\n", "\n").trim();
}
