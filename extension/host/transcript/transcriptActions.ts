import * as vscode from "vscode";
import type { RequestRef } from "../projections/row";
import type { OutputDocuments } from "./outputDocuments";
import type { TranscriptActions } from "./transcriptHandlers";

/** What the transcript opens in the editor. The person clicked, so it may take the focus. */
export function createTranscriptActions(
  outputs: OutputDocuments,
  review: (request: RequestRef) => Promise<void>,
): TranscriptActions {
  return {
    by: "person in the editor",
    review,
    openJournal: (journal) => show(vscode.Uri.file(journal)),
    openText: (title, text) => outputs.open(title, text),
    openFile: (root, path) => show(vscode.Uri.joinPath(vscode.Uri.file(root), path)),
  };
}

async function show(uri: vscode.Uri): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document, { preview: true });
}
