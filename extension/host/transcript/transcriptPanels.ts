// The transcript's editor tabs: one for each run that is shown. Loaded with the first one.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { parseSavedPage } from "../../protocol/webviewMessages";
import type { RequestRef } from "../projections/row";
import { showLine } from "../projections/transcriptText";
import type { Runs } from "../runs";
import { OutputDocuments } from "./outputDocuments";
import { createTranscriptActions } from "./transcriptActions";
import { renderTranscriptHtml } from "./transcriptHtml";
import { TranscriptSession } from "./transcriptSession";
import type { ShowOptions } from "./showOptions";
import { transcriptViewType } from "./transcriptViewType";

export interface TranscriptPanelsParts {
  extensionUri: vscode.Uri;
  runs: Runs;
  log: vscode.LogOutputChannel;
  readonly review: (request: RequestRef) => Promise<void>;
}

export class TranscriptPanels implements vscode.Disposable {
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  readonly #outputs = new OutputDocuments();

  constructor(private readonly parts: TranscriptPanelsParts) {}

  /** Opens the run's tab beside the active editor, or brings it up. The focus stays where it is unless it is asked for. */
  show(run: string, { takesFocus }: ShowOptions): void {
    const open = this.#panels.get(run);
    if (open !== undefined) return open.reveal(undefined, !takesFocus);
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: !takesFocus };
    this.#attach(vscode.window.createWebviewPanel(transcriptViewType, this.#title(run), column), run);
  }

  /** After a reload of the window. `saved` is what the page kept; it names the run. */
  async restore(panel: vscode.WebviewPanel, saved: unknown): Promise<void> {
    const page = parseSavedPage(saved);
    if (page === null || this.#panels.has(page.run)) {
      panel.dispose();
      return;
    }
    await this.parts.runs.load();
    this.#attach(panel, page.run);
  }

  dispose(): void {
    this.#outputs.dispose();
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  #attach(panel: vscode.WebviewPanel, run: string): void {
    const { runs, log, extensionUri } = this.parts;
    const { webview } = panel;
    const session = new TranscriptSession({
      ...{ runs, run },
      post: (message) => void webview.postMessage(message),
      actions: createTranscriptActions(this.#outputs, this.parts.review),
      warn: (text) => log.warn(text),
      now: () => Date.now(),
    });
    this.#panels.set(run, panel);
    const listeners = [
      webview.onDidReceiveMessage((message: unknown) => {
        session.receive(message).catch((error: unknown) => log.error(error instanceof Error ? error : String(error)));
      }),
      panel.onDidChangeViewState(() => session.setVisible(panel.visible)),
      runs.onDidChange((entry) => {
        if (entry.id === run && panel.title !== this.#title(run)) panel.title = this.#title(run);
      }),
    ];
    panel.onDidDispose(() => {
      session.dispose();
      for (const listener of listeners) listener.dispose();
      this.#panels.delete(run);
    });
    panel.title = this.#title(run);
    panel.iconPath = {
      light: vscode.Uri.joinPath(extensionUri, "media", "transcriptLight.svg"),
      dark: vscode.Uri.joinPath(extensionUri, "media", "transcriptDark.svg"),
    };
    session.setVisible(panel.visible);
    this.#load(webview, panel.title);
  }

  #load(webview: vscode.Webview, title: string): void {
    const folders = ["dist", "media"].map((name) => vscode.Uri.joinPath(this.parts.extensionUri, name));
    const toAddress = (file: string): string =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.parts.extensionUri, "dist", file)).toString();
    webview.options = { enableScripts: true, localResourceRoots: folders };
    webview.html = renderTranscriptHtml({
      cspSource: webview.cspSource,
      script: toAddress("webview.js"),
      style: toAddress("webview.css"),
      nonce: randomBytes(24).toString("base64url"),
      title,
    });
  }

  #title(run: string): string {
    const goal = this.parts.runs.find(run)?.state.spec?.goal ?? "";
    return goal === "" ? vscode.l10n.t("Agent run") : showLine(goal, 40);
  }
}
