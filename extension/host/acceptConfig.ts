// A donegate.yaml is accepted once per folder and text: what it would run or allow is shown first.
import * as vscode from "vscode";
import type { ConfigFile } from "./runEngine";

const storageKey = "donegate.acceptedConfigs";
const who = "person in the editor";

export class ConfigAcceptance {
  constructor(private readonly memory: vscode.Memento) {}

  /** Who accepted it; null for no. Asks in a dialog: only a command of the person comes here. */
  async ask(root: string, file: ConfigFile): Promise<string | null> {
    if (this.#accepted().includes(toEntry(root, file.digest))) return who;
    const accept: vscode.MessageItem = { title: vscode.l10n.t("Accept") };
    const look: vscode.MessageItem = { title: vscode.l10n.t("Open File") };
    const message = vscode.l10n.t("{0} wants to be trusted with this. Accept it?", file.path);
    const detail = file.trusted.join("\n");
    const clicked = await vscode.window.showWarningMessage(message, { modal: true, detail }, accept, look);
    if (clicked === look) await vscode.window.showTextDocument(vscode.Uri.file(file.path));
    if (clicked !== accept) return null;
    await this.accept(root, file.digest);
    return who;
  }

  async accept(root: string, digest: string): Promise<void> {
    const entry = toEntry(root, digest);
    await this.memory.update(storageKey, [...this.#accepted().filter((known) => known !== entry), entry].slice(-100));
  }

  #accepted(): readonly string[] {
    const stored = this.memory.get<unknown>(storageKey);
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === "string") : [];
  }
}

const toEntry = (root: string, digest: string): string => `${digest} ${root}`;
