import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";

/** Something open with changes that are not on the disk. */
export interface UnsavedEditor {
  /** Real path; null for a text that has never had one. */
  path: string | null;
  /** As the editor calls it. */
  name: string;
  /** Null: a notebook, or an editor with a format of its own, whose content only it can change. */
  document: vscode.TextDocument | null;
}

/** All of them, in every window group; the parts of a notebook count as the notebook. */
export async function listUnsaved(): Promise<readonly UnsavedEditor[]> {
  const texts = vscode.workspace.textDocuments.filter((document) => document.isDirty && !document.isClosed);
  const found = [
    ...texts.map((document) => ({ uri: document.uri, document })),
    ...unsavedOthers().map((uri) => ({ uri, document: null })),
  ];
  const kept = found.filter(({ uri }) => uri.scheme === "file" || uri.scheme === "untitled");
  return Promise.all(kept.map(({ uri, document }) => toUnsaved(uri, document)));
}

function unsavedOthers(): vscode.Uri[] {
  const notebooks = vscode.workspace.notebookDocuments.filter((notebook) => notebook.isDirty);
  const customs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input, isDirty }) => (isDirty && input instanceof vscode.TabInputCustom ? [input.uri] : [])),
  );
  const texts = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
  const others = [...notebooks.map(({ uri }) => uri), ...customs].filter((uri) => !texts.has(uri.toString()));
  return [...new Map(others.map((uri) => [uri.toString(), uri])).values()];
}

async function toUnsaved(uri: vscode.Uri, document: vscode.TextDocument | null): Promise<UnsavedEditor> {
  // `Untitled-1` is a name, not a place; an untitled text with a place is one that was opened under a path.
  const hasPlace = uri.scheme === "file" || uri.path.includes("/");
  return { path: hasPlace ? await toRealPath(uri.fsPath) : null, name: basename(uri.fsPath), document };
}

/** Of the nearest folder that is there, when the file itself is not. */
export async function toRealPath(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null) return real;
  const parent = dirname(path);
  return parent === path ? path : join(await toRealPath(parent), basename(path));
}
