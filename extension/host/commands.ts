// Every command of the palette and the menus that is about runs; a test compares the table with package.json.
import * as vscode from "vscode";
import { tryDemo, type DemoParts } from "./demoFolder";
import { escapeForNotification } from "./escapeForNotification";
import { explainCommand, type ExplainParts } from "./explain/explainCommand";
import { selectModel, setKey, type ModelCommandParts } from "./modelCommands";
import type { Views } from "./views/register";
import { openJournal, resume, runTask, showRun, steer, stop, takeOver, verifyNow } from "./runTask";

export type CommandParts = DemoParts & ModelCommandParts & ExplainParts & Pick<Views, "goToApprovals">;
type CommandFactory = (parts: CommandParts) => (argument: unknown) => Promise<void>;

const commandTable = {
  "donegate.runTask": (parts) => () => runTask(parts),
  "donegate.stop": (parts) => (argument) => stop(parts, argument),
  "donegate.resume": (parts) => (argument) => resume(parts, argument),
  "donegate.steer": (parts) => (argument) => steer(parts, argument),
  "donegate.takeOver": (parts) => (argument) => takeOver(parts, argument),
  "donegate.verifyNow": (parts) => () => verifyNow(parts),
  "donegate.showRun": (parts) => (argument) => showRun(parts, argument),
  "donegate.showApprovals": (parts) => () => parts.goToApprovals(),
  "donegate.openJournal": (parts) => (argument) => openJournal(parts, argument),
  "donegate.selectModel": (parts) => () => selectModel(parts),
  "donegate.setKey": (parts) => () => setKey(parts),
  "donegate.explainCommand": (parts) => () => explainCommand(parts),
  "donegate.tryDemo": (parts) => () => tryDemo(parts),
} satisfies Record<string, CommandFactory>;

/** What a command throws is logged and told; nothing else catches it. */
export function registerCommands(
  context: vscode.ExtensionContext,
  parts: CommandParts,
  log: vscode.LogOutputChannel,
): void {
  for (const [id, create] of Object.entries<CommandFactory>(commandTable)) {
    const run = create(parts);
    const guarded = async (argument: unknown): Promise<void> => {
      try {
        await run(argument);
      } catch (error: unknown) {
        log.error(error instanceof Error ? error : String(error), id);
        const why = escapeForNotification(error instanceof Error ? error.message : String(error));
        void vscode.window.showErrorMessage(vscode.l10n.t("That failed: {0} (see the Donegate log)", why));
      }
    };
    context.subscriptions.push(vscode.commands.registerCommand(id, guarded));
  }
}
