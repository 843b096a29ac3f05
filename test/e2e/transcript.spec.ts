// The demo's story as its transcript tells it: beside the person's editor, in place, and there again after a reload.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { useWorkbench } from "./support/useWorkbench";
import type { Workbench } from "./support/workbench";

describe("the transcript", () => {
  const workbench = useWorkbench({ theme: "light", width: 1400, height: 1000 });

  it("opens beside what the person types in, and takes no focus", async () => {
    const { page } = workbench();
    const refused: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy/i.test(message.text()) && /webview\.(js|css)|inline/.test(message.text()))
        refused.push(message.text());
    });
    onTestFinished(() => expect(refused).toEqual([]));
    // Not a file of the task: the editor saves what is typed by itself.
    await openFile(workbench(), "README.md");
    await startDemo(workbench());
    await part(workbench(), "Allow deploy?").waitFor({ timeout: 60_000 });
    await page.keyboard.type("typed while it works");
    await page.locator(".editor-instance .view-lines").first().getByText("typed while it works").waitFor();
    await workbench().runCommand("File: Revert File");
  });

  it("shows the denial where it happened, with the reason", async () => {
    const call = entry(workbench(), "call").filter({ hasText: "grade.js" });
    await call.getByText("Denied").waitFor();
    expect(await call.textContent()).toContain("paths.hidden-folder");
  });

  it("shows ticks as claimed while nothing was verified", async () => {
    await part(workbench(), "0 of 3 verified, 3 claimed").waitFor();
    expect(await workbench().webview().locator(".is-verified").count()).toBe(0);
  });

  it("offers a review for a call to prod, and no approval", async () => {
    const approval = workbench().webview().getByRole("region", { name: "Approval A1, level prod" });
    await approval.getByRole("button", { name: "Review A1, deploy" }).waitFor();
    expect(await approval.getByRole("button", { name: /^Approve/ }).count()).toBe(0);
    await workbench().screenshot("transcript-waiting-light");
  });

  it("denies in place, by keyboard, and tells the agent why", async () => {
    const deny = workbench().webview().getByRole("button", { name: "Deny A1, deploy" });
    await deny.focus();
    await workbench().page.keyboard.press("Enter");
    await workbench().webview().getByLabel("Why not? The agent is told.").waitFor();
    await workbench().page.keyboard.type("run the checks first");
    await workbench().page.keyboard.press("Enter");
    await entry(workbench(), "call").getByText("run the checks first").waitFor();
    await entry(workbench(), "gate").getByText("Not verified").waitFor({ timeout: 60_000 });
    expect(await entry(workbench(), "gate").first().textContent()).toContain("want foo34");
  });

  it("is there again after a reload, with what waits", async () => {
    await part(workbench(), "A2").first().waitFor({ timeout: 60_000 });
    await workbench().reload();
    const review = workbench().webview().getByRole("button", { name: "Review A2, deploy" });
    await review.waitFor({ timeout: 60_000 });
    await workbench().screenshot("transcript-reloaded-light");
    await review.click();
    await workbench().page.locator(".editor-instance .view-lines").getByText("1 | prod").first().waitFor();
  });

  it("ends with the verdict, and nothing spins", async () => {
    await workbench().page.locator(".editor-actions").getByRole("button", { name: "Decide…" }).click();
    await workbench().dialog().getByRole("button", { name: "Approve" }).click();
    await workbench().runCommand("Donegate: Show run");
    await entry(workbench(), "end").getByText("VERIFIED").waitFor({ timeout: 60_000 });
    await part(workbench(), "3 of 3 verified").waitFor();
    expect(await workbench().webview().locator(".spin").count()).toBe(0);
    await workbench().screenshot("transcript-verified-light");
  });

  it("shows decisions alone", async () => {
    await workbench().webview().getByRole("button", { name: "Decisions" }).click();
    await entry(workbench(), "gate").first().waitFor();
    expect(await workbench().webview().locator(".tool", { hasText: "read_file" }).count()).toBe(0);
  });
});

describe("the transcript, dark and 300 pixels wide", () => {
  const settings = { "donegate.edits": "ask" };
  const workbench = useWorkbench({ theme: "dark", width: 700, height: 900, settings });

  it("approves an edit in place", async () => {
    await startDemo(workbench());
    const approve = workbench().webview().getByRole("button", { name: "Approve A1, write_file" });
    await approve.waitFor({ timeout: 60_000 });
    expect(existsSync(join(workbench().folder, "addColumn.js"))).toBe(false);
    await approve.click();
    await entry(workbench(), "call").getByText("Approved by person in the editor").waitFor();
    await expect.poll(() => existsSync(join(workbench().folder, "addColumn.js"))).toBe(true);
  });

  it("can be read without moving it sideways", async () => {
    await part(workbench(), "Allow deploy?").waitFor({ timeout: 60_000 });
    await workbench().setSidebarWidth(350);
    const feed = workbench().webview().locator(".feed");
    await expect.poll(async () => (await feed.boundingBox())?.width ?? 0).toBeLessThan(320);
    const widths = await workbench().webview().locator("body").evaluate(measure);
    expect(widths.scroll).toBe(widths.client);
    await workbench().screenshot("transcript-narrow-dark");
  });
});

interface Measured {
  scrollWidth: number;
  clientWidth: number;
}

const measure = (body: Measured) => ({ scroll: body.scrollWidth, client: body.clientWidth });

async function startDemo(workbench: Workbench): Promise<void> {
  await workbench.runCommand("Run agent task");
  await workbench.answerInput(readFileSync(join(workbench.folder, "..", "goal.txt"), "utf8").trim());
  await workbench.dialog().getByRole("button", { name: "Accept", exact: true }).click();
}

async function openFile(workbench: Workbench, name: string): Promise<void> {
  await workbench.page.locator(".explorer-folders-view").getByText(name).dblclick();
  await workbench.page.locator(".editor-instance .view-lines").first().waitFor();
}

const part = (workbench: Workbench, text: string): Locator => workbench.webview().getByText(text);

const entry = (workbench: Workbench, kind: string): Locator =>
  workbench.webview().locator(`.entry[data-kind="${kind}"]`);
