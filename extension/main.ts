// The extension's entry: registers things and does no work. What runs is loaded by the first command.
import * as vscode from "vscode";
import { createRunTask } from "./host/runTask";
import type { RunStarter } from "./host/runStarter";

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel("Donegate", { log: true });
  // Loaded late: activation must cost next to nothing.
  const loadStarter = async (): Promise<RunStarter> => (await import("./compose")).composeRunStarter();
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("donegate.runTask", createRunTask({ log, loadStarter })),
  );
}
