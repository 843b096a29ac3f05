import * as vscode from "vscode";
import type { RequestRef } from "../projections/row";
import type { Choice, Prompter } from "./prompter";
import type { ReviewDocuments } from "./reviewDocuments";

export class VscodePrompter implements Prompter {
  constructor(private readonly documents: ReviewDocuments) {}

  async notify(message: string, choices: readonly Choice[]): Promise<Choice | null> {
    return this.#show(message, {}, choices);
  }

  async decide(message: string, detail: string, choices: readonly Choice[]): Promise<Choice | null> {
    return this.#show(message, { modal: true, detail }, choices);
  }

  async input(title: string, prompt: string): Promise<string | null> {
    return (await vscode.window.showInputBox({ title, prompt, ignoreFocusOut: true })) ?? null;
  }

  openReview(request: RequestRef): Promise<void> {
    return this.documents.open(request);
  }

  hasReviewed(request: RequestRef): boolean {
    return this.documents.hasOpened(request);
  }

  tell(message: string): void {
    void vscode.window.showInformationMessage(message);
  }

  /** No item is a close affordance: the editor adds its own Cancel, and closing it any way chooses nothing. */
  async #show(message: string, options: vscode.MessageOptions, choices: readonly Choice[]): Promise<Choice | null> {
    const items = choices.map((choice) => ({ title: toTitle(choice), choice }));
    const clicked = await vscode.window.showWarningMessage(message, options, ...items);
    return clicked?.choice ?? null;
  }
}

function toTitle(choice: Choice): string {
  switch (choice) {
    case "approve":
      return vscode.l10n.t("Approve");
    case "deny":
      return vscode.l10n.t("Deny");
    case "answer":
      return vscode.l10n.t("Answer…");
    case "review":
      return vscode.l10n.t("Review…");
    case "decide":
      return vscode.l10n.t("Decide…");
    case "details":
      return vscode.l10n.t("Details");
  }
}
