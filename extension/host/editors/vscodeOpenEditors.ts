// Files as the person at the editor sees them: what is open with unsaved changes is read and changed in its editor.
import { isAbsolute, relative, sep } from "node:path";
import * as vscode from "vscode";
import type { Hasher } from "../../core/ports/hasher";
import type { OpenEditors } from "../../core/ports/openEditors";
import type { FileBytes, FileErrorCode, FileResult, WorkspaceFiles } from "../../core/ports/workspaceFiles";
import { smallestChange } from "./smallestChange";
import { listUnsaved, toRealPath, type UnsavedEditor } from "./unsavedEditors";

type Failure = Extract<FileResult<never>, { ok: false }>;

interface OpenFile {
  ok: true;
  document: vscode.TextDocument;
  /** As the editor would save it. */
  shown: FileBytes;
}

/** For one run on the folder `root`, an absolute real path. */
export class VscodeOpenEditors implements OpenEditors {
  readonly files: WorkspaceFiles;
  readonly #changed = new Set<vscode.TextDocument>();

  constructor(
    private readonly root: string,
    private readonly disk: WorkspaceFiles,
    private readonly hasher: Hasher,
  ) {
    this.files = {
      read: (path, limitBytes) => this.#read(path, limitBytes),
      scan: (path, take, signal) => this.#scan(path, take, signal),
      write: (path, bytes, expected) => this.#write(path, bytes, expected),
      delete: async (path, expected) => (await refuseUnsaved(path)) ?? disk.delete(path, expected),
      move: async (from, to, expected) =>
        (await refuseUnsaved(from)) ?? (await refuseUnsaved(to)) ?? disk.move(from, to, expected),
      list: (path, options) => disk.list(path, options),
    };
  }

  async settle(): Promise<readonly string[]> {
    for (const document of this.#changed) if (document.isDirty && !document.isClosed) await save(document);
    const unsaved = await listUnsaved();
    return unsaved.flatMap((editor) => this.#nameHere(editor) ?? []).sort();
  }

  /** Relative to the root; null for what lies elsewhere. */
  #nameHere({ path, name }: UnsavedEditor): string | null {
    if (path === null) return name;
    const inside = relative(this.root, path);
    return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? null : inside.replaceAll(sep, "/");
  }

  async #read(path: string, limitBytes?: number): Promise<FileResult<FileBytes>> {
    const open = await this.#open(path, limitBytes);
    if (open === null) return this.disk.read(path, limitBytes);
    return open.ok ? { ok: true, value: open.shown } : open;
  }

  async #scan(...[path, take, signal]: Parameters<WorkspaceFiles["scan"]>): ReturnType<WorkspaceFiles["scan"]> {
    const open = await this.#open(path);
    if (open === null) return this.disk.scan(path, take, signal);
    if (!open.ok) return open;
    take(open.shown.bytes);
    return { ok: true, value: { digest: open.shown.digest, size: open.shown.bytes.length } };
  }

  async #write(path: string, bytes: Uint8Array, expected: string | null): Promise<FileResult<{ digest: string }>> {
    const open = await this.#open(path);
    if (open === null) return this.disk.write(path, bytes, expected);
    if (!open.ok) return open;
    const { document, shown } = open;
    if (shown.digest !== expected) return failed("changed", `${path} is not what it was when it was read`);
    if (shown.links > 1) return failed("linked", `${path} has ${shown.links} hard links`);
    if ((shown.mode & 0o222) === 0) return failed("read-only", `${path} is set to read-only`);
    const text = await decode(bytes, document);
    if (!isSame(await encode(text, document), bytes)) {
      return failed(
        "unsaved",
        `${path} ${isOpen}, and ${document.encoding}, in which it is open, cannot hold the new text`,
      );
    }
    return this.#change(path, document, text);
  }

  async #change(path: string, document: vscode.TextDocument, text: string): Promise<FileResult<{ digest: string }>> {
    const before = document.getText();
    if (!(await replaceText(document, text))) return failed("changed", `${path} was changed in the editor meanwhile`);
    this.#changed.add(document);
    if (await save(document)) {
      const saved = await this.disk.read(path);
      return saved.ok ? { ok: true, value: { digest: saved.value.digest } } : saved;
    }
    // Somebody else has written the file since the person began to type: which of the two counts is for them to say.
    const isBack = document.getText() === text && (await replaceText(document, before));
    const rest = isBack ? "nothing was changed" : "the change stands in the editor only";
    return failed(
      "unsaved",
      `${path} ${isOpen}, and the editor could not save it (has it changed on the disk?): ${rest}`,
    );
  }

  /** Null: it is not open, or its editor shows what is on the disk. */
  async #open(path: string, limitBytes?: number): Promise<OpenFile | Failure | null> {
    const found = await findUnsaved(path);
    if (found === null) return null;
    const { document } = found;
    if (document === null || document.isUntitled)
      return failed("unsaved", `${path} ${isOpen}: they have to be saved first`);
    const stored = await this.disk.read(path, limitBytes);
    if (!stored.ok && stored.code === "not-found")
      return failed("unsaved", `${path} ${isOpen}, and is not on the disk any more`);
    if (!stored.ok) return stored;
    const loss = await whatIsLost(stored.value.bytes, document);
    if (loss !== null) return failed("unsaved", `${path} ${isOpen}, and ${loss}`);
    const bytes = await encode(document.getText(), document);
    return { ok: true, document, shown: { ...stored.value, bytes, digest: this.hasher.sha256(bytes) } };
  }
}

const isOpen = "is open in the editor with unsaved changes";

async function findUnsaved(path: string): Promise<UnsavedEditor | null> {
  const [real, unsaved] = await Promise.all([toRealPath(path), listUnsaved()]);
  return unsaved.find((editor) => editor.path === real) ?? null;
}

async function refuseUnsaved(path: string): Promise<Failure | null> {
  const found = await findUnsaved(path);
  return found === null ? null : failed("unsaved", `${path} ${isOpen}: they have to be saved first`);
}

/** An editor that does not give back the bytes it was opened on would change them all over the file when it saves. */
async function whatIsLost(stored: Uint8Array, document: vscode.TextDocument): Promise<string | null> {
  const text = await decode(stored, document);
  if (!isSame(await encode(text, document), stored)) {
    return `its bytes would not survive being saved as ${document.encoding}, in which it is open there`;
  }
  const pairs = text.split("\r\n").length - 1;
  const all = text.split("\n").length - 1;
  return pairs > 0 && pairs < all ? "its mixed line ends would all become the same when it is saved there" : null;
}

/** Only where the texts differ, so that cursors and selections elsewhere stay. False: the person was quicker. */
async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const change = smallestChange(document.getText(), text);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(change.from), document.positionAt(change.to));
  edit.replace(document.uri, range, change.text);
  return (await vscode.workspace.applyEdit(edit)) && document.getText() === text;
}

/** A save that is refused or fails leaves the editor as it is. */
async function save(document: vscode.TextDocument): Promise<boolean> {
  try {
    return await document.save();
  } catch {
    return false;
  }
}

async function encode(text: string, { encoding }: vscode.TextDocument): Promise<Uint8Array> {
  return vscode.workspace.encode(text, { encoding });
}

async function decode(bytes: Uint8Array, { encoding }: vscode.TextDocument): Promise<string> {
  return vscode.workspace.decode(bytes, { encoding });
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

function failed(code: FileErrorCode, message: string): Failure {
  return { ok: false, code, message };
}
