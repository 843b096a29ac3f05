import * as vscode from "vscode";

const scheme = "donegate-output";

/** Whole outputs as read-only documents; a text is kept as long as its document is open. */
export class OutputDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registered = [
    vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
  ];

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? vscode.l10n.t("This output was opened in another window.");
  }

  async open(title: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme, path: `/${title}.txt` });
    this.#texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }

  dispose(): void {
    for (const part of this.#registered) part.dispose();
    this.#texts.clear();
  }
}
