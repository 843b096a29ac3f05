// "Run agent task": asks for the goal, starts a run on the open folder, tells its story in the log.
import * as vscode from "vscode";
import type { JournaledEvent } from "../core/journal/event";
import { attachApprover } from "../core/loop/approver";
import type { RunStarter } from "./runStarter";
import { VscodeApprover } from "./vscodeApprover";

export interface RunTaskParts {
  log: vscode.LogOutputChannel;
  loadStarter(): Promise<RunStarter>;
}

export function createRunTask(parts: RunTaskParts): () => Promise<void> {
  const { log } = parts;
  return async () => {
    try {
      await runTask(parts);
    } catch (error: unknown) {
      log.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage(vscode.l10n.t("The agent task failed. See the Donegate log."));
    }
  };
}

async function runTask(parts: RunTaskParts): Promise<void> {
  const { log } = parts;
  const folder = openFolder();
  if (!folder.ok) return void vscode.window.showErrorMessage(folder.message);
  const goal = await vscode.window.showInputBox({
    title: vscode.l10n.t("Run agent task"),
    prompt: vscode.l10n.t("What has to be done?"),
    ignoreFocusOut: true,
  });
  if (goal === undefined || goal.trim() === "") return;
  const starter = await parts.loadStarter();
  const started = await starter.start({ goal: goal.trim(), folder: folder.path, acceptConfig });
  if (!started.ok) return void vscode.window.showErrorMessage(started.message);
  log.info(`journal: ${started.journal}`);
  const { run } = started;
  run.subscribe({ onEvent: (event) => log.info(tell(event)) });
  const detach = attachApprover(run, new VscodeApprover());
  const state = await run.settled;
  detach();
  await started.end();
  const { status, stoppedBy } = state.end ?? { status: "error", stoppedBy: "" };
  void vscode.window.showInformationMessage(vscode.l10n.t("Agent task {0}: {1}", status, stoppedBy));
}

function openFolder(): { ok: true; path: string } | { ok: false; message: string } {
  const refuse = (message: string) => ({ ok: false as const, message });
  if (!vscode.workspace.isTrusted) {
    return refuse(vscode.l10n.t("This folder is in Restricted Mode: an agent may run only in a folder you trust."));
  }
  const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
  if (folder === undefined) return refuse(vscode.l10n.t("Open a folder first: an agent task works on one folder."));
  if (others.length > 0)
    return refuse(vscode.l10n.t("Several folders are open: open the one the task is about by itself."));
  if (folder.uri.scheme !== "file")
    return refuse(vscode.l10n.t("This folder is not on a disk, so nothing can run in it."));
  return { ok: true, path: folder.uri.fsPath };
}

async function acceptConfig(path: string, text: string): Promise<boolean> {
  const accept = vscode.l10n.t("Accept");
  const message = vscode.l10n.t("{0} wants to run its checks and tools. Accept it?", path);
  const clicked = await vscode.window.showWarningMessage(message, { modal: true, detail: text }, accept);
  return clicked === accept;
}

function tell(event: JournaledEvent): string {
  switch (event.type) {
    case "model_decision":
      return event.action_type === "final_answer" ? `says: ${event.action.text}` : `proposes ${event.action.tool}`;
    case "tool_end":
      return `${event.tool}: ${event.summary}`;
    case "guardrail_denied":
      return `DENIED ${event.tool}: ${event.reason} (${event.rule})`;
    case "verification_end":
      return event.passed ? `verified (${event.summary})` : `not verified: ${event.reason}`;
    case "agent_end":
      return `${event.status}: ${event.stoppedBy}`;
    default:
      return event.type;
  }
}
