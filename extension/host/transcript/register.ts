// The transcript of a run as an editor tab. What it needs is loaded when the first one opens.
import * as vscode from "vscode";
import type { RequestRef } from "../projections/row";
import type { Runs } from "../runs";
import type { ShowOptions } from "./showOptions";
import type { TranscriptPanels } from "./transcriptPanels";
import { transcriptViewType } from "./transcriptViewType";

export interface TranscriptParts {
  log: vscode.LogOutputChannel;
  /** Opens the review of a request; the transcript itself never approves what needs one. */
  review(request: RequestRef): Promise<void>;
  /** Called when the first transcript opens: the panels lie in a bundle of their own. */
  loadPanels(): Promise<typeof TranscriptPanels>;
}

export interface Transcript {
  /** Shows a run, or the current one when none is named. False: there is no such run. */
  show(run: string | undefined, options: ShowOptions): Promise<boolean>;
}

export function registerTranscript(context: vscode.ExtensionContext, runs: Runs, parts: TranscriptParts): Transcript {
  let panels: Promise<TranscriptPanels> | null = null;
  const load = (): Promise<TranscriptPanels> => {
    panels ??= parts.loadPanels().then((Panels) => {
      const made = new Panels({ ...parts, runs, extensionUri: context.extensionUri });
      context.subscriptions.push(made);
      return made;
    });
    return panels;
  };
  context.subscriptions.push(
    vscode.window.registerWebviewPanelSerializer(transcriptViewType, {
      deserializeWebviewPanel: async (panel, saved: unknown) => (await load()).restore(panel, saved),
    }),
  );
  return {
    show: async (run, options) => {
      const entry = run === undefined ? runs.current() : runs.find(run);
      if (entry === null) return false;
      (await load()).show(entry.id, options);
      return true;
    },
  };
}
