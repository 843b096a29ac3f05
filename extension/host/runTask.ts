// "Run agent task": which folder, which goal, then it runs; and what a person may do to a run afterwards.
import * as vscode from "vscode";
import { folderOrTell } from "./chooseFolder";
import { escapeForNotification } from "./escapeForNotification";
import { pickRun } from "./pickRun";
import { presentRefusal } from "./presentRefusal";
import type { RunEntry, Runs, RunWish, StartAnswer } from "./runs";

export interface RunCommandParts {
  runs: Runs;
  /** Shows a run, the focus left where it is; false when there is none. */
  show: (id: string) => Promise<boolean>;
  /** Shows it and goes there. */
  goTo: (id: string) => Promise<boolean>;
}

const who = "person in the editor";

export async function runTask(parts: RunCommandParts): Promise<void> {
  const folder = await folderOrTell();
  if (folder === null) return;
  const goal = await vscode.window.showInputBox({
    title: vscode.l10n.t("Run agent task"),
    prompt: vscode.l10n.t("What has to be done?"),
    ignoreFocusOut: true,
  });
  if (goal === undefined || goal.trim() === "") return;
  await startAndShow(parts, { goal: goal.trim(), folder, kind: "auto" });
}

export async function startAndShow({ runs, show }: RunCommandParts, wish: RunWish): Promise<StartAnswer> {
  const started = await runs.start(wish);
  if (!started.ok) presentRefusal(started);
  else if (started.queued) tell(vscode.l10n.t("Queued: it begins when the run that works on this folder has ended."));
  else await show(started.id);
  return started;
}

export async function stop({ runs }: RunCommandParts, argument: unknown): Promise<void> {
  const entry = await pickRun({
    ...{ runs, argument },
    fits: ({ mode, state }) => (mode === "live" || (argument !== undefined && mode === "paused")) && isOpen(state.end),
    title: vscode.l10n.t("Stop which run?"),
    none: vscode.l10n.t("No run is going on here."),
  });
  if (entry !== null) await sendOrTell(runs, entry.id, { type: "stop" });
}

export async function resume({ runs, show }: RunCommandParts, argument: unknown): Promise<void> {
  const entry = await pickRun({
    ...{ runs, argument },
    fits: ({ mode, state }) => mode === "paused" || (mode === "ended" && state.end?.status !== "done"),
    title: vscode.l10n.t("Resume which run?"),
    none: vscode.l10n.t("No run can be resumed here."),
  });
  if (entry === null) return;
  const resumed = await runs.resume(entry.id);
  if (!resumed.ok) return presentRefusal(resumed);
  await show(entry.id);
}

/** A word to a live run, or what has to be done next to one that has ended. */
export async function steer({ runs, show }: RunCommandParts, argument: unknown): Promise<void> {
  const isLive = (entry: RunEntry): boolean => entry.mode === "live" || entry.mode === "paused";
  const named = argument !== undefined;
  const entry = await pickRun({
    ...{ runs, argument },
    fits: (candidate) => isLive(candidate) || (named && candidate.mode === "ended"),
    title: vscode.l10n.t("Say something to which run?"),
    none: vscode.l10n.t("No run is going on here."),
  });
  if (entry === null) return;
  const text = await vscode.window.showInputBox({
    title: vscode.l10n.t("Steer"),
    prompt: isLive(entry) ? vscode.l10n.t("What should the agent know?") : vscode.l10n.t("What has to be done next?"),
    ignoreFocusOut: true,
  });
  if (text === undefined || text.trim() === "") return;
  await sendOrTell(runs, entry.id, { type: "steer", text: text.trim(), by: who });
  if (!isLive(entry)) await show(entry.id);
}

export async function takeOver({ runs, show }: RunCommandParts, argument: unknown): Promise<void> {
  const entry = await pickRun({
    ...{ runs, argument },
    fits: ({ mode }) => mode === "watching",
    title: vscode.l10n.t("Take over which run?"),
    none: vscode.l10n.t("No other window or terminal runs anything on this folder."),
  });
  if (entry === null) return;
  const options = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Taking over") };
  const taken = await vscode.window.withProgress(options, () => runs.takeOver(entry.id));
  if (!taken.ok) return presentRefusal(taken);
  await show(entry.id);
}

export async function verifyNow({ runs }: RunCommandParts): Promise<void> {
  const folder = await folderOrTell();
  if (folder === null) return;
  const options = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Running the checks") };
  const report = await vscode.window.withProgress(options, () => runs.verifyNow(folder));
  if (!report.ok) return presentRefusal(report);
  const checks = report.checks.map(({ name, verdict }) => `${name}: ${verdict}`).join(", ");
  const [firstLine = ""] = report.reason.split("\n");
  const text = escapeForNotification([report.verdict, checks, firstLine].filter((part) => part !== "").join(" — "));
  if (report.verdict === "VERIFIED") tell(text);
  else void vscode.window.showWarningMessage(text);
}

export async function openJournal({ runs }: RunCommandParts, argument: unknown): Promise<void> {
  const entry = await pickRun({
    ...{ runs, argument },
    fits: () => true,
    title: vscode.l10n.t("Open which journal?"),
    none: vscode.l10n.t("There is no run here yet."),
  });
  if (entry !== null) await vscode.window.showTextDocument(vscode.Uri.file(entry.journal));
}

export async function showRun({ runs, goTo }: RunCommandParts, argument: unknown): Promise<void> {
  await runs.load();
  const id = argument === undefined ? runs.current()?.id : (await pickShown(runs, argument))?.id;
  if (id === undefined || !(await goTo(id))) tell(vscode.l10n.t("There is no run here yet."));
}

function pickShown(runs: Runs, argument: unknown): Promise<RunEntry | null> {
  const none = vscode.l10n.t("This run is not there any more.");
  return pickRun({ runs, argument, fits: () => true, title: vscode.l10n.t("Show which run?"), none });
}

async function sendOrTell(runs: Runs, id: string, command: Parameters<Runs["send"]>[1]): Promise<void> {
  const answer = await runs.send(id, command);
  if (!answer.ok) void vscode.window.showErrorMessage(escapeForNotification(answer.reason));
}

const isOpen = (end: RunEntry["state"]["end"]): boolean => end === null || end.status === "pending";
const tell = (message: string): void => void vscode.window.showInformationMessage(message);
