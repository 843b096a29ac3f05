import assert from "node:assert/strict";
import childProcess from "node:child_process";
import { existsSync } from "node:fs";
import net from "node:net";
import { after, before, describe, it } from "mocha";
import * as vscode from "vscode";

const extensionId = "donegate.donegate";

function extension(): vscode.Extension<unknown> {
  const found = vscode.extensions.getExtension<unknown>(extensionId);
  assert.ok(found, `${extensionId} is not installed`);
  return found;
}

/** Processes and connections that the extension opens from now on, by the first line of the trace that is ours. */
function watchWork(): { seen: string[]; stop(): void } {
  const seen: string[] = [];
  const watch = <K extends string>(module: Record<K, (...words: never[]) => unknown>, name: K): (() => void) => {
    const original = module[name];
    module[name] = function (this: unknown, ...words: never[]) {
      const ours = (new Error().stack ?? "").split("\n").find((line) => /dist\/(?:extension|engine)\.js/.test(line));
      if (ours !== undefined) seen.push(`${name}: ${ours.trim()}`);
      return original.apply(this, words);
    };
    return () => (module[name] = original);
  };
  const undo = [
    watch(childProcess.ChildProcess.prototype as never as Record<"spawn", () => unknown>, "spawn"),
    watch(net.Socket.prototype as never as Record<"connect", () => unknown>, "connect"),
    watch(net.Server.prototype as never as Record<"listen", () => unknown>, "listen"),
  ];
  return { seen, stop: () => undo.forEach((restore) => restore()) };
}

describe("activation", () => {
  const wasActive = extension().isActive;
  const work = watchWork();

  before(async () => {
    await extension().activate();
    // What activation puts off to the next turns of the loop belongs to it.
    await new Promise((settle) => setTimeout(settle, 500));
  });

  after(() => work.stop());

  it("has not happened before anyone needs the extension or VS Code has started", () => {
    assert.equal(wasActive, false);
    assert.equal(extension().isActive, true);
  });

  it("starts no process and opens no connection", () => {
    assert.deepEqual(work.seen, []);
  });

  it("leaves nothing in the folder", () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder, "no folder is open");
    assert.equal(existsSync(vscode.Uri.joinPath(folder.uri, ".donegate").fsPath), false);
  });

  it("registers the command to run a task", async () => {
    assert.ok((await vscode.commands.getCommands(true)).includes("donegate.runTask"));
  });

  it("titles it for the palette", () => {
    const manifest = extension().packageJSON as { contributes: { commands: { command: string; title: string }[] } };
    const command = manifest.contributes.commands.find(({ command }) => command === "donegate.runTask");
    assert.equal(command?.title, "Run agent task");
  });

  it("registers every command that the manifest offers", async () => {
    const manifest = extension().packageJSON as { contributes: { commands: { command: string }[] } };
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.map(({ command }) => command).filter((id) => !registered.has(id));
    assert.deepEqual(missing, []);
  });
});
