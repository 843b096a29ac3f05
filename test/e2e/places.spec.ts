// Where a task can begin, and what the editor says where it cannot: in one window that goes from place to place.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FakeModelServer } from "../support/fakeModelServer";
import { openNotification } from "./support/notifications";
import { useWorkbench } from "./support/useWorkbench";
import { copyDemo, trustWorkspace, waitUntilReady } from "./support/workbench";

const slowly = { timeout: 60_000 };

const settings = { "donegate.model.name": "scripted", "donegate.model.baseUrl": await addressOfNobody() };

describe("a place for a task", () => {
  const workbench = useWorkbench({ settings });

  it("with a model server that is gone: the run ends as an error that names the address", async () => {
    await workbench().runCommand("Run agent task");
    await workbench().answerInput("Do it.");
    await workbench().dialog().waitFor();
    await workbench().page.keyboard.press("Enter");
    await workbench().openContainer();
    await workbench()
      .findTreeItem(/^Run Do it\.: error/)
      .first()
      .waitFor(slowly);
    const end = workbench().webview().locator('.entry[data-kind="end"]');
    await end.getByText(/nothing listens at http:\/\/127\.0\.0\.1:\d+\/v1: is the model server running\?/).waitFor();
    await workbench().screenshot("places-server-gone");
  });

  it("tries the demo in a window of its own, on a copy", async () => {
    const opening = workbench().page.context().waitForEvent("page");
    await workbench().runCommand("Donegate: Try the demo");
    const page = await opening;
    await waitUntilReady(page);
    await trustWorkspace(page);
    const told = await openNotification(page, "This is a copy of Donegate's sample");
    await told.getByRole("button", { name: "Start the Demo" }).click();
    await page.locator(".monaco-dialog-box").getByRole("button", { name: "Accept" }).click();
    await page.locator(".part.statusbar .statusbar-item").filter({ hasText: "1 waiting for you" }).waitFor(slowly);
    await page.close();
    expect(existsSync(join(workbench().folder, "addColumn.js"))).toBe(false);
  });

  it("asks which of two folders the task is about, and begins in that one", async () => {
    const second = copyDemo();
    onTestFinished(() => second.dispose());
    const workspace = join(workbench().folder, "..", "two.code-workspace");
    const folders = [workbench().folder, second.folder].map((path, at) => ({ path, name: ["first", "second"][at] }));
    writeFileSync(workspace, JSON.stringify({ folders }));
    await workbench().visit({ workspace });
    await workbench().trustWorkspace();
    await workbench().runCommand("Run agent task");
    const title = workbench().page.locator(".quick-input-widget:visible .quick-input-title");
    await title.filter({ hasText: "Which folder is this about?" }).waitFor();
    await workbench().screenshot("places-two-folders");
    await workbench().page.keyboard.press("ArrowDown");
    await workbench().page.keyboard.press("Enter");
    await title.filter({ hasText: "Run agent task" }).waitFor();
    await workbench().answerInput("Do it.");
    await workbench().dialog().getByText(join(second.folder, "donegate.yaml")).waitFor();
    await workbench().page.keyboard.press("Escape");
  });

  it("has to be a folder", async () => {
    await workbench().visit({ ew: "true" });
    await workbench().openContainer();
    await workbench().findView("Plan").getByText("An agent task works on a folder.").waitFor();
    await workbench().screenshot("places-no-folder");
    await workbench().runCommand("Run agent task");
    const told = await openNotification(workbench().page, "Open a folder first");
    await told.getByRole("button", { name: "Open Folder" }).waitFor();
  });

  it("has to be on a disk", async () => {
    await workbench().visit({ folder: "vscode-userdata:/" });
    await workbench().trustWorkspace();
    await workbench().runCommand("Donegate: Focus on Plan View");
    await workbench().findView("Plan").getByText("This folder is not on a disk").waitFor();
    await workbench().screenshot("places-virtual");
    await workbench().runCommand("Run agent task");
    await openNotification(workbench().page, "This is a virtual workspace");
  });
});

/** Where a server was, and nothing listens any more. */
async function addressOfNobody(): Promise<string> {
  const server = await FakeModelServer.start([]);
  const { baseUrl } = server;
  await server.close();
  return baseUrl;
}
