import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import * as vscode from "vscode";
import { pendingApprovals } from "../../extension/core/journal/runState";
import type { ApiRun, TestApi } from "../../extension/host/exportedApi";
import { FakeModelServer } from "../support/fakeModelServer";
import type { ScriptedCall } from "../support/modelScript";

const names = ["DONEGATE_MODEL", "DONEGATE_BASE_URL", "XDG_STATE_HOME"] as const;

describe("a run beside open editors", () => {
  const kept = names.map((name) => [name, process.env[name]] as const);
  let api: TestApi;
  let base: string;
  let root: string;

  before(async () => {
    const found = vscode.extensions.getExtension<TestApi>("donegate.donegate");
    assert.ok(found);
    api = await found.activate();
  });

  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), "open-editors-")));
    // Below the open folder, which VS Code watches already: a watch that begins with the editor may miss a first change.
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    root = join(realpathSync(mkdtempSync(join(folder.uri.fsPath, "open-editors-"))), "c# 100% é");
    mkdirSync(root);
    onAsked = () => Promise.resolve();
    process.env["DONEGATE_MODEL"] = "scripted";
    process.env["XDG_STATE_HOME"] = join(base, "state");
  });

  afterEach(async () => {
    // Whatever a test left unsaved must not ask anybody.
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    for (const folder of [base, dirname(root)]) rmSync(folder, { recursive: true, force: true });
  });

  after(() => {
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  function put(path: string, content: string | Uint8Array): string {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  const bytes = (path: string): Buffer => readFileSync(join(root, path));
  const text = (path: string): string => bytes(path).toString("utf8");

  async function open(path: string, encoding?: string): Promise<vscode.TextEditor> {
    const uri = vscode.Uri.file(join(root, path));
    const document = await vscode.workspace.openTextDocument(uri, ...(encoding === undefined ? [] : [{ encoding }]));
    return vscode.window.showTextDocument(document, { preview: false });
  }

  async function type(editor: vscode.TextEditor, typed: string, at = new vscode.Position(0, 0)): Promise<void> {
    assert.ok(await editor.edit((edit) => edit.insert(at, typed)));
    assert.ok(editor.document.isDirty);
  }

  /** One check. It names no file outright: that file would be part of the contract, and changing it asks. */
  async function declareCheck(run: string): Promise<void> {
    const config = `verify:\n  maxAttempts: 1\n  checks: [{ name: judged, run: ${JSON.stringify(run)} }]\n  require: []\n`;
    put("donegate.yaml", config);
    await api.acceptConfig(root, createHash("sha256").update(config).digest("hex"));
  }

  /** Makes the calls one after the other, then says done. Answers what each call was told. */
  async function run(...calls: ScriptedCall[]): Promise<{ run: ApiRun; told: string[] }> {
    const steps = calls.map((call) => ({ kind: "reply" as const, calls: [call] }));
    const server = await FakeModelServer.start([...steps, { kind: "reply", text: "Done." }]);
    process.env["DONEGATE_BASE_URL"] = server.baseUrl;
    try {
      const started = await api.runTask("Change the file.", root);
      assert.ok(started.ok, started.ok ? "" : started.message);
      await untilEnded(started.id);
      const ended = await api.getRun(started.id);
      assert.ok(ended);
      const told = (server.requests.at(-1)?.json.messages ?? []).filter(({ role }) => role === "tool");
      return { run: ended, told: told.map(({ content }) => String(content)) };
    } finally {
      await server.close();
    }
  }

  /** What the person does when the agent asks, before the answer is given. */
  let onAsked = (): Promise<void> => Promise.resolve();
  const ask: ScriptedCall = { name: "ask_human", args: { question: "Ready?" } };

  function untilEnded(id: string): Promise<void> {
    return new Promise((settle, fail) => {
      let answered: string | null = null;
      const look = (): void => {
        const entry = api.runs.find(id);
        const asked = entry === null ? undefined : pendingApprovals(entry.state)[0];
        if (asked !== undefined && asked.id !== answered) {
          answered = asked.id;
          const answer = { type: "answer" as const, id: asked.id, text: "Yes.", by: "Ada" };
          onAsked()
            .then(() => api.resolveApproval(id, answer))
            .catch(fail);
        }
        if (entry === null || entry.mode === "live") return;
        listening.dispose();
        clearTimeout(timer);
        settle();
      };
      const listening = api.runs.onDidChange(look);
      const timer = setTimeout(() => {
        listening.dispose();
        fail(new Error(`the run has not ended: ${JSON.stringify(api.runs.find(id)?.state.turn)}`));
      }, 20_000);
      look();
    });
  }

  const edit = (path: string, old: string, replacement: string): ScriptedCall => ({
    name: "edit_file",
    args: { path, old, new: replacement },
  });
  const read = (path: string): ScriptedCall => ({ name: "read_file", args: { path } });

  it("keeps what the person has typed, shows it to the agent, and saves both before the check", async () => {
    put("notes.txt", "one\ntwo\nthree\n");
    await declareCheck("cat *.txt | grep -q typed && cat *.txt | grep -q TWO");
    const editor = await open("notes.txt");
    await type(editor, "typed\n");

    const { run: ended, told } = await run(read("notes.txt"), edit("notes.txt", "two", "TWO"));

    assert.match(told[0] ?? "", /typed\none\ntwo/);
    assert.equal(editor.document.getText(), "typed\none\nTWO\nthree\n");
    assert.equal(editor.document.isDirty, false);
    assert.equal(text("notes.txt"), "typed\none\nTWO\nthree\n");
    assert.equal(ended.state.end?.status, "done");
    assert.equal(ended.state.lastVerification?.passed, true);
    assert.equal(ended.state.lastVerification?.unsaved, undefined);
  });

  it("leaves cursor and selection where they were, and can be undone step by step", async () => {
    put("notes.txt", "one\ntwo\nthree\n");
    await declareCheck("true");
    const editor = await open("notes.txt");
    await type(editor, "typed\n");
    editor.selection = new vscode.Selection(3, 1, 3, 4);

    await run(edit("notes.txt", "one", "one and a half"));

    assert.deepEqual(
      [editor.selection.anchor, editor.selection.active],
      [new vscode.Position(3, 1), new vscode.Position(3, 4)],
    );
    assert.equal(vscode.window.activeTextEditor?.document, editor.document);
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), "typed\none\ntwo\nthree\n");
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), "one\ntwo\nthree\n");
  });

  it("leaves other unsaved files unsaved and names them, untitled ones too, as not judged", async () => {
    put("notes.txt", "one\n");
    put("src/other.txt", "stored\n");
    await declareCheck("cat src/* | grep -q stored && ! cat src/* | grep -q typed");
    const other = await open("src/other.txt");
    await type(other, "typed\n");
    const untitled = await vscode.workspace.openTextDocument({ content: "a thought" });

    const { run: ended } = await run(edit("notes.txt", "one", "ONE"));

    assert.ok(other.document.isDirty);
    assert.equal(text("src/other.txt"), "stored\n");
    assert.equal(other.document.getText(), "typed\nstored\n");
    assert.ok(untitled.isDirty);
    assert.deepEqual(ended.state.lastVerification?.unsaved, ["Untitled-1", "src/other.txt"]);
    assert.match(ended.state.lastVerification?.summary ?? "", /not judged, unsaved: Untitled-1, src\/other\.txt/);
  });

  it("saves what the person typed after the agent's edit into the same editor", async () => {
    put("notes.txt", "one\n");
    await declareCheck("cat *.txt | grep -q later");
    const editor = await open("notes.txt");
    await type(editor, "typed\n");
    onAsked = () => type(editor, "later\n");
    const { run: ended } = await run(edit("notes.txt", "one", "ONE"), ask);
    assert.equal(text("notes.txt"), "later\ntyped\nONE\n");
    assert.equal(ended.state.lastVerification?.passed, true);
  });

  it("refuses a change based on what was there before the person typed", async () => {
    put("notes.txt", "one\n");
    await declareCheck("true");
    const editor = await open("notes.txt");
    onAsked = () => type(editor, "typed\n");
    const { told } = await run(read("notes.txt"), ask, edit("notes.txt", "one", "ONE"));
    assert.match(told.at(-1) ?? "", /changed since it was read/);
    assert.equal(editor.document.getText(), "typed\none\n");
    assert.equal(text("notes.txt"), "one\n");
  });

  it("keeps the bytes outside the edit of a file that is open without changes", async () => {
    const stored = Buffer.concat([Buffer.from("one\r\ntwo\nthree\r\n"), Buffer.from([0x99, 0x0a])]);
    const file = put("mixed.txt", stored);
    await declareCheck("true");
    const editor = await open("mixed.txt");
    const mode = statSync(file).mode;
    const { told } = await run(edit("mixed.txt", "two", "TWO"));
    assert.match(told[0] ?? "", /^Edited mixed\.txt/);
    // When the editor follows is VS Code's watcher's affair, which may lose what happens in a folder that was just made.
    assert.equal(editor.document.isDirty, false);
    assert.equal(bytes("mixed.txt").toString("latin1"), stored.toString("latin1").replace("two", "TWO"));
    assert.equal(statSync(file).mode, mode);
  });

  it("keeps CR LF and the byte order mark of a file with unsaved changes", async () => {
    put("script.ps1", "\uFEFFparam($Name)\r\nWrite-Output $Name\r\n");
    await declareCheck("true");
    const editor = await open("script.ps1");
    await type(editor, "# typed\n", new vscode.Position(2, 0));
    const { told } = await run(
      read("script.ps1"),
      edit("script.ps1", "Write-Output $Name\n", 'Write-Host "$& $1 $$"\nExit\n'),
    );
    assert.match(told[0] ?? "", /\nparam\(\$Name\)\n/);
    assert.match(told[1] ?? "", /^Edited script\.ps1/);
    assert.equal(text("script.ps1"), '\uFEFFparam($Name)\r\nWrite-Host "$& $1 $$"\r\nExit\r\n# typed\r\n');
  });

  it("keeps the bytes of a Shift-JIS file that is open as such, and refuses text it would guess", async () => {
    const stored = Buffer.from([0x5b, 0x90, 0xdd, 0x92, 0xe8, 0x5d, 0x0d, 0x0a, ...Buffer.from("mode=1\r\n")]);
    put("settings.ini", stored);
    await declareCheck("true");
    const editor = await open("settings.ini", "shiftjis");
    await type(editor, "x=設定\r\n", new vscode.Position(2, 0));
    const { told } = await run(edit("settings.ini", "mode=1", "mode=2"), edit("settings.ini", "mode=2", "mode=設"));
    const typed = [...Buffer.from("x="), 0x90, 0xdd, 0x92, 0xe8, 0x0d, 0x0a];
    const changed = Buffer.from(stored.toString("latin1").replace("mode=1", "mode=2"), "latin1");
    assert.deepEqual([...bytes("settings.ini")], [...changed, ...typed]);
    assert.match(told[1] ?? "", /not UTF-8/);
  });

  it("refuses to save bytes that the editor does not understand", async () => {
    const stored = Buffer.concat([Buffer.from("one\n"), Buffer.from([0x99]), Buffer.from(" far away\n")]);
    put("latin.txt", stored);
    await declareCheck("true");
    const editor = await open("latin.txt", "utf8");
    await type(editor, "typed\n");
    const { told } = await run(edit("latin.txt", "one", "ONE"));
    assert.match(told[0] ?? "", /unsaved changes, and its bytes would not survive being saved as utf8/);
    assert.deepEqual(bytes("latin.txt"), stored);
    assert.match(editor.document.getText(), /^typed\none\n/);
  });

  it("neither deletes nor moves a file with unsaved changes", async () => {
    put("notes.txt", "one\n");
    await declareCheck("true");
    const editor = await open("notes.txt");
    await type(editor, "typed\n");
    const { told } = await run(
      { name: "delete_file", args: { path: "notes.txt" } },
      { name: "move_file", args: { path: "notes.txt", to: "moved.txt" } },
    );
    assert.deepEqual(
      told.map((line) => /unsaved changes/.test(line)),
      [true, true],
    );
    assert.equal(text("notes.txt"), "one\n");
    assert.ok(editor.document.isDirty);
  });

  it("loses neither side when the file has changed under the person's unsaved text", async () => {
    const file = put("notes.txt", "one\ntwo\n");
    await declareCheck("true");
    const editor = await open("notes.txt");
    await type(editor, "typed\n");
    writeFileSync(file, "one\ntwo\nby somebody else\n");
    const { told } = await run(edit("notes.txt", "two", "TWO"));
    assert.match(told[0] ?? "", /could not save it/);
    assert.equal(editor.document.getText(), "typed\none\ntwo\n");
    assert.equal(text("notes.txt"), "one\ntwo\nby somebody else\n");
  });

  it("writes no file where an untitled text is to be saved", async () => {
    await declareCheck("true");
    const uri = vscode.Uri.file(join(root, "new.txt")).with({ scheme: "untitled" });
    const document = await vscode.workspace.openTextDocument(uri);
    await type(await vscode.window.showTextDocument(document), "mine");
    const { told } = await run({ name: "write_file", args: { path: "new.txt", content: "theirs" } });
    assert.match(told[0] ?? "", /unsaved changes: they have to be saved first/);
    assert.equal(document.getText(), "mine");
  });

  it("tells the agent when the editor changed more than was asked for while it saved", async () => {
    put("notes.txt", "one  \n");
    await declareCheck("true");
    const editor = await open("notes.txt");
    await type(editor, "typed  \n");
    const formatter = vscode.workspace.onWillSaveTextDocument((event) => {
      const trimmed = event.document.getText().replaceAll("  \n", "\n");
      const whole = new vscode.Range(
        new vscode.Position(0, 0),
        event.document.lineAt(event.document.lineCount - 1).range.end,
      );
      event.waitUntil(Promise.resolve([vscode.TextEdit.replace(whole, trimmed)]));
    });
    const { told } = await run(edit("notes.txt", "one", "ONE"), edit("notes.txt", "ONE", "1"));
    formatter.dispose();
    assert.equal(text("notes.txt"), "typed\nONE\n");
    assert.match(told[0] ?? "", /The editor changed more when it saved the file/);
    assert.match(told[1] ?? "", /changed since it was read/);
  });
});
