// Choosing a model and keeping its key. Where a model lives is a setting of the machine, never of a folder.
import * as vscode from "vscode";
import { escapeForNotification } from "./escapeForNotification";
import { chosenBaseUrl, chosenName, demoModelName, isDemo, problemOfBaseUrl, type Environment } from "./models";
import { keepKey, keyFor } from "./secrets";
import type { Settings } from "./settings";

export interface ModelCommandParts {
  secrets: vscode.SecretStorage;
  settings(): Settings;
  env: Environment;
}

export async function selectModel(parts: ModelCommandParts): Promise<void> {
  const sources = { settings: parts.settings(), env: parts.env };
  const demo = {
    label: vscode.l10n.t("Scripted demo model"),
    description: vscode.l10n.t("plays one story, needs no network"),
    picked: isDemo(sources),
  };
  const server = {
    label: vscode.l10n.t("A server that speaks the OpenAI dialect…"),
    description: isDemo(sources) ? "" : `${chosenName(sources) ?? ""} ${chosenBaseUrl(sources)}`.trim(),
  };
  const picked = await vscode.window.showQuickPick([demo, server], { title: vscode.l10n.t("Select Model") });
  if (picked === demo) {
    await keep("model.name", demoModelName);
    tell(vscode.l10n.t("New runs play the scripted demo model."));
  }
  if (picked === server) return selectOnServer(parts);
}

async function selectOnServer(parts: ModelCommandParts): Promise<void> {
  const sources = { settings: parts.settings(), env: parts.env };
  const baseUrl = await vscode.window.showInputBox({
    title: vscode.l10n.t("Select Model (1 of 2): the server"),
    prompt: vscode.l10n.t("The address before /chat/completions"),
    value: chosenBaseUrl(sources),
    ignoreFocusOut: true,
    validateInput: (text) => problemOfBaseUrl(text.trim()),
  });
  if (baseUrl === undefined) return;
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t("Select Model (2 of 2): the model"),
    prompt: vscode.l10n.t("Its name, as the server spells it"),
    value: isDemo(sources) ? "" : (chosenName(sources) ?? ""),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? vscode.l10n.t("A model has a name.") : null),
  });
  if (name === undefined) return;
  await keep("model.baseUrl", baseUrl.trim());
  await keep("model.name", name.trim());
  tell(vscode.l10n.t("New runs talk to {0} at {1}.", escapeForNotification(name.trim()), baseUrl.trim()));
}

export async function setKey(parts: ModelCommandParts): Promise<void> {
  const sources = { settings: parts.settings(), env: parts.env };
  const baseUrl = chosenBaseUrl(sources);
  const known = await keyFor(parts.secrets, baseUrl);
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t("API key for {0}", baseUrl),
    prompt:
      known === null
        ? vscode.l10n.t("Kept by VS Code's secret storage, and sent to this server only.")
        : vscode.l10n.t("A key is kept. A new one replaces it, an empty one removes it."),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined || (key.trim() === "" && known === null)) return;
  await keepKey(parts.secrets, baseUrl, key);
  tell(key.trim() === "" ? vscode.l10n.t("The key is removed.") : vscode.l10n.t("The key is kept."));
}

const tell = (message: string): void => void vscode.window.showInformationMessage(message);

async function keep(key: "model.name" | "model.baseUrl", value: string): Promise<void> {
  await vscode.workspace.getConfiguration("donegate").update(key, value, vscode.ConfigurationTarget.Global);
}
