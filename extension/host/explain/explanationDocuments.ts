// Read-only documents that explain a command.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { Translate } from "../projections/translate";
import { renderExplanation, type Explained } from "./explanationText";

export const explanationScheme = "donegate-explanation";
// The manifest makes this language break long lines: nothing may hide beyond the editor's edge.
const wrappingLanguage = "donegate-review";
const mostKept = 50;

export class ExplanationDocuments implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();

  constructor(private readonly t: Translate) {}

  async open(explained: Explained): Promise<void> {
    const path = `/${this.t("Explained command")}`;
    const uri = vscode.Uri.from({ scheme: explanationScheme, path, query: randomUUID() });
    this.#keep(uri, renderExplanation(explained, this.t));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.languages.setTextDocumentLanguage(document, wrappingLanguage);
    await vscode.window.showTextDocument(document);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? `${this.t("This explanation is not kept any more. Ask for it again.")}\n`;
  }

  #keep(uri: vscode.Uri, text: string): void {
    this.#texts.set(uri.toString(), text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > mostKept && oldest !== undefined) this.#texts.delete(oldest);
  }
}
