// What menus and palette look at, set from one place and only when it changes.
import * as vscode from "vscode";
import { pendingApprovals } from "../core/journal/runState";
import { demoEndpoint } from "./models";
import type { Disposable, RunEntry, Runs } from "./runs";

export type ContextKey = "donegate.hasRun" | "donegate.running" | "donegate.waiting" | "donegate.demo";

export function registerContextKeys(runs: Runs): Disposable {
  const set = new Map<string, boolean>();
  return runs.onDidChange(() => {
    for (const [key, value] of Object.entries(toContext(runs.entries(), runs.current()))) {
      if (set.get(key) === value) continue;
      set.set(key, value);
      void vscode.commands.executeCommand("setContext", key, value);
    }
  });
}

function toContext(entries: readonly RunEntry[], current: RunEntry | null): Record<ContextKey, boolean> {
  const goesOn = ({ mode }: RunEntry): boolean => mode === "live" || mode === "watching" || mode === "paused";
  return {
    "donegate.hasRun": entries.length > 0,
    "donegate.running": entries.some((entry) => entry.mode === "live"),
    "donegate.waiting": entries.some((entry) => goesOn(entry) && pendingApprovals(entry.state).length > 0),
    "donegate.demo": current?.state.spec?.endpoint === demoEndpoint,
  };
}
