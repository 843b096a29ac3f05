import * as vscode from "vscode";
import { readSettings, type SettingKey, type Settings } from "./settings";

/** The one place that reads the configuration. A value that is none is told once per window. */
export function createSettingsReader(log: vscode.LogOutputChannel): () => Settings {
  const told = new Set<SettingKey>();
  return () => {
    const configuration = vscode.workspace.getConfiguration();
    return readSettings(
      (key) => configuration.get<unknown>(key),
      (key) => {
        if (told.has(key)) return;
        told.add(key);
        log.warn(`the setting ${key} has no valid value: its default counts`);
        void vscode.window.showWarningMessage(
          vscode.l10n.t("The setting {0} has no valid value: its default counts.", key),
        );
      },
    );
  };
}
