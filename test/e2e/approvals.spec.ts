// The demo's story by clicks, up to its approvals: what Escape, Enter and a reload do to a request that waits.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { openNotification } from "./support/notifications";
import { useWorkbench } from "./support/useWorkbench";
import { copyDemo, openWorkbench, type Workbench } from "./support/workbench";

const slowly = { timeout: 60_000 };

describe("approving in the editor", () => {
  const workbench = useWorkbench();

  it("starts the run and leaves the focus where the person types", async () => {
    await workbench().page.locator(".explorer-folders-view").getByText("README.md").dblclick();
    await editorText(workbench(), "README.md").waitFor();
    await startDemo(workbench());
    await waitForOne(workbench());
    expect(await workbench().dialog().count()).toBe(0);
    await workbench().page.keyboard.type("typed while it waits");
    await editorText(workbench(), "README.md").getByText("typed while it waits").waitFor();
  });

  it("shows what waits in the view, on the badge and in the status bar, and what was denied", async () => {
    await workbench().openContainer();
    await workbench()
      .findTreeItem(/^Waiting for you: A1 \(prod\) deploy env=prod/)
      .waitFor();
    const tab = workbench()
      .page.locator(".part.activitybar")
      .getByRole("tab", { name: /^Donegate/ });
    await tab.locator(".badge-content", { hasText: "1" }).waitFor();
    await workbench()
      .findTreeItem(/^Denied: edit_file/)
      .waitFor();
    await workbench().screenshot("approvals-waiting-dark");
  });

  it("opens the whole request from its notification, as a document that cannot be edited", async () => {
    const told = await openNotification(workbench().page, "A1 (prod): the agent wants to run deploy env=prod");
    expect(await told.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await told.getByRole("button", { name: "Review…" }).click();
    const review = editorText(workbench(), "A1");
    await review.getByText("1 | prod").waitFor();
    const before = await review.textContent();
    await workbench().page.keyboard.type("x");
    await workbench().page.keyboard.press("Escape");
    expect(await review.textContent()).toBe(before);
    expect(await workbench().dialog().count()).toBe(0);
    await workbench().screenshot("approvals-review-dark");
  });

  it("decides nothing on Escape", async () => {
    await openDecision(workbench());
    await workbench().screenshot("approvals-modal-dark");
    await workbench().page.keyboard.press("Escape");
    await workbench().dialog().waitFor({ state: "hidden" });
    await workbench()
      .findTreeItem(/^Waiting for you: A1/)
      .waitFor();
    expect(deployments(workbench())).toEqual([]);
  });

  it("denies on Enter, and shows the denial with who said no", async () => {
    await openDecision(workbench());
    await workbench().page.keyboard.press("Enter");
    await workbench()
      .findTreeItem(/^Denied: deploy env=prod.*Rule: person/)
      .waitFor();
    await editorText(workbench(), "A1").getByText("This request has ended: it was denied").waitFor();
    expect(deployments(workbench())).toEqual([]);
  });

  it("keeps a request over a reload and runs the call once", async () => {
    await workbench()
      .findTreeItem(/^Waiting for you: A2/)
      .waitFor(slowly);
    // With this view in front, unlike `reload()`, which waits for the explorer.
    await workbench().page.reload();
    await waitForOne(workbench());
    expect(deployments(workbench())).toEqual([]);
    const row = workbench().findTreeItem(/^Waiting for you: A2/);
    await row.hover();
    await row.getByRole("button", { name: /^Review/ }).click();
    await editorText(workbench(), "A2").getByText("1 | prod").waitFor();
    await openDecision(workbench());
    await workbench().dialog().getByRole("button", { name: "Approve" }).click();
    await workbench()
      .findTreeItem(/^Run .*: done · verified/)
      .first()
      .waitFor(slowly);
    expect(deployments(workbench())).toHaveLength(1);
    await workbench().screenshot("approvals-verified-dark");
  });

  it("tells of an answered request that it has ended, and does nothing", async () => {
    await editorText(workbench(), "A2").getByText("This request has ended: it was approved").waitFor();
    await workbench().page.locator(".editor-actions").getByRole("button", { name: "Decide…" }).click();
    await openNotification(workbench().page, "A2 has ended: it was approved. Your click changed nothing.");
    expect(await workbench().dialog().count()).toBe(0);
    expect(deployments(workbench())).toHaveLength(1);
  });
});

describe.each([
  ["light", { theme: "light" }],
  ["narrow", { theme: "dark" }],
] as const)("what waits, %s", (name, options) => {
  it("is there to be read and decided", async () => {
    const demo = copyDemo();
    const workbench = await openWorkbench(demo.folder, options);
    try {
      await workbench.openContainer();
      if (name === "narrow") await workbench.setSidebarWidth(300);
      await workbench.screenshot(`approvals-empty-${name}`);
      await startDemo(workbench);
      await workbench.findTreeItem(/^Waiting for you: A1/).waitFor(slowly);
      await workbench.screenshot(`approvals-waiting-${name}`);
      await workbench.runCommand("Donegate: Review a waiting request");
      await editorText(workbench, "A1").waitFor();
      await openDecision(workbench);
      await workbench.screenshot(`approvals-modal-${name}`);
    } finally {
      await workbench.close();
      demo.dispose();
    }
  });
});

async function startDemo(workbench: Workbench): Promise<void> {
  await workbench.runCommand("Run agent task");
  await workbench.answerInput(readFileSync(join(workbench.folder, "..", "goal.txt"), "utf8").trim());
  await workbench.dialog().getByRole("button", { name: "Accept", exact: true }).click();
}

function waitForOne(workbench: Workbench): Promise<void> {
  return workbench.statusItem("1 waiting for you").waitFor(slowly);
}

async function openDecision(workbench: Workbench): Promise<void> {
  await workbench.page.locator(".editor-actions").getByRole("button", { name: "Decide…" }).click();
  await workbench.dialog().waitFor();
}

/** The shown text of the editor that is open on that file or review. */
function editorText(workbench: Workbench, name: string): Locator {
  const group = workbench.page.locator(".editor-group-container");
  return group.filter({ has: workbench.page.locator(".tab.active", { hasText: name }) }).locator(".view-lines");
}

/** What the sample's deploy has really done. */
function deployments(workbench: Workbench): unknown[] {
  const log = join(workbench.folder, "deployed.json");
  return existsSync(log) ? (JSON.parse(readFileSync(log, "utf8")) as unknown[]) : [];
}
