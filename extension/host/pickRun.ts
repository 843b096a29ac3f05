// Which run a command is about: the row it was called on, the one that fits, or the one a person picks.
import * as vscode from "vscode";
import { escapeForNotification } from "./escapeForNotification";
import type { RunEntry, Runs } from "./runs";

export interface RunQuestion {
  runs: Runs;
  /** What the command was called with: a row of our views, a run id, or nothing. */
  argument: unknown;
  fits: (entry: RunEntry) => boolean;
  title: string;
  /** Said when no run fits. */
  none: string;
}

/** Null: none fits, or the person picked none. */
export async function pickRun({ runs, argument, fits, title, none }: RunQuestion): Promise<RunEntry | null> {
  await runs.load();
  const named = toRunId(argument);
  if (named !== null) {
    const entry = runs.find(named);
    if (entry !== null && fits(entry)) return entry;
    void vscode.window.showInformationMessage(none);
    return null;
  }
  const fitting = runs.entries().filter(fits);
  if (fitting.length === 0) void vscode.window.showInformationMessage(none);
  if (fitting.length <= 1) return fitting[0] ?? null;
  const rows = fitting.map((entry) => ({
    label: escapeForNotification(entry.state.spec?.goal ?? entry.id),
    description: entry.root,
    detail: entry.startedAt,
    entry,
  }));
  return (await vscode.window.showQuickPick(rows, { title }))?.entry ?? null;
}

function toRunId(argument: unknown): string | null {
  if (typeof argument === "string") return argument;
  if (typeof argument !== "object" || argument === null || !("row" in argument)) return null;
  const { row } = argument;
  if (typeof row !== "object" || row === null || !("run" in row)) return null;
  return typeof row.run === "string" ? row.run : null;
}
