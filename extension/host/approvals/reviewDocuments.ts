// Read-only documents that show a request in full. Their addresses hold nothing but a name and a random word that this
// window gave away, so that no address of somebody else's making stands for a request.
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { RequestRef } from "../projections/row";
import type { Translate } from "../projections/translate";
import type { Runs } from "../runs";
import { renderReview, renderUnknown } from "./reviewText";

export const reviewScheme = "donegate-review";
const reviewLanguage = "donegate-review";

export class ReviewDocuments implements vscode.TextDocumentContentProvider {
  readonly #requests = new Map<string, RequestRef>();
  readonly #uris = new Map<string, vscode.Uri>();
  readonly #shown = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;

  constructor(
    private readonly runs: Pick<Runs, "find">,
    private readonly t: Translate,
  ) {}

  async open(request: RequestRef): Promise<void> {
    const key = toKey(request);
    const uri = this.#uris.get(key) ?? this.#addUri(key, request);
    const document = await vscode.workspace.openTextDocument(uri);
    // The manifest makes this language break long lines: nothing may hide beyond the editor's edge.
    await vscode.languages.setTextDocumentLanguage(document, reviewLanguage);
    await vscode.window.showTextDocument(document, { preview: false });
  }

  hasOpened(request: RequestRef): boolean {
    return this.#uris.has(toKey(request));
  }

  /** Null: not an address that this window gave away. */
  requestOf(uri: vscode.Uri): RequestRef | null {
    return uri.scheme === reviewScheme ? (this.#requests.get(uri.query) ?? null) : null;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const text = this.#render(uri);
    this.#shown.set(uri.toString(), text);
    return text;
  }

  /** Shows what has become of the requests since. */
  refresh(): void {
    for (const uri of this.#uris.values()) {
      const shown = this.#shown.get(uri.toString());
      if (shown !== undefined && shown !== this.#render(uri)) this.#changed.fire(uri);
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #addUri(key: string, request: RequestRef): vscode.Uri {
    const word = randomUUID();
    const uri = vscode.Uri.from({ scheme: reviewScheme, path: `/${request.id}`, query: word });
    this.#requests.set(word, request);
    this.#uris.set(key, uri);
    return uri;
  }

  #render(uri: vscode.Uri): string {
    const request = this.requestOf(uri);
    const entry = request === null ? null : this.runs.find(request.run);
    const approval = entry?.state.approvals.find(({ id, digest }) => id === request?.id && digest === request.digest);
    return entry === null || approval === undefined ? renderUnknown(this.t) : renderReview(entry, approval, this.t);
  }
}

const toKey = ({ run, id, digest }: RequestRef): string => JSON.stringify([run, id, digest]);
