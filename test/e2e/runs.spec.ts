// What the editor says when a task cannot begin, and what a second window may do to a run of the first.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { root } from "../../.ci/setup.mjs";
import { workspaceState } from "../../extension/node/statePaths";
import { useWorkbench } from "./support/useWorkbench";

const goal = readFileSync(join(root, "media", "demo", "goal.txt"), "utf8").trim();

const slowly = { timeout: 60_000 };

describe("a task in a folder that is not trusted", () => {
  const workbench = useWorkbench({ trusted: false });

  it("does not begin, and the way to trust is one click away", async () => {
    await runCommand(workbench().page, "Donegate: Run agent task");
    const told = await openNotification(workbench().page, "nothing runs");
    await told.getByRole("button", { name: "Manage Trust" }).click();
    await workbench().page.locator(".workspace-trust-editor").waitFor();
    await workbench().screenshot("runs-restricted");
  });
});

describe("a second window", () => {
  const workbench = useWorkbench({ env: { DONEGATE_DEMO_DELTA_MS: "0" } });

  it("watches the run of the first and takes it over with what waits", async () => {
    await workbench().runCommand("Run agent task");
    await answer(workbench().page, "Run agent task", goal);
    await workbench().dialog().getByRole("button", { name: "Accept" }).click();
    await workbench().statusItem("1 waiting for you").waitFor(slowly);
    const second = await workbench().openSecondWindow();
    const first = holderOf(workbench().folder);
    await runCommand(second, "Donegate: Take over");
    await openNotification(workbench().page, "another window has taken this run over");
    await expect.poll(() => holderOf(workbench().folder), slowly).not.toBe(first);
    await second.locator(".part.statusbar .statusbar-item").filter({ hasText: "1 waiting for you" }).waitFor(slowly);
    await workbench().screenshot("runs-taken-over-first");
    await second.screenshot({ path: join(root, "test-output", "screenshots", "runs-taken-over-second.png") });
    await second.close();
  });
});

/** The palette lists commands as they are when it opens, and a window that has just opened may not have ours yet. */
async function runCommand(page: Page, title: string): Promise<void> {
  const row = page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first();
  await expect
    .poll(async () => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("F1");
      await page.locator(".quick-input-widget:visible input").first().fill(`>${title}`);
      return row.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      );
    }, slowly)
    .toBe(true);
  await row.click();
}

/** The server's test driver keeps toasts away, so notifications are looked up where they are kept. */
async function openNotification(page: Page, text: string): Promise<Locator> {
  const center = page.locator(".notifications-center.visible");
  const told = center.locator(".notification-list-item").filter({ hasText: text });
  await expect
    .poll(async () => {
      // The workbench closes the list by itself when something else takes its place.
      if ((await center.count()) === 0) await runCommand(page, "Notifications: Show Notifications");
      return told.count();
    }, slowly)
    .toBeGreaterThan(0);
  return told.first();
}

/** Into the box with that title: the one before it may still be on the screen. */
async function answer(page: Page, title: string, text: string): Promise<void> {
  await page.locator(".quick-input-widget:visible .quick-input-title").filter({ hasText: title }).waitFor(slowly);
  await page.locator(".quick-input-widget:visible input").first().fill(text);
  await page.keyboard.press("Enter");
}

/** Process id of the extension host that drives the folder's only run; null while nobody does. */
function holderOf(folder: string): number | null {
  const { runs } = workspaceState(folder);
  const [run = ""] = readdirSync(runs);
  const lock = join(runs, run, "journal.d", "lock");
  return existsSync(lock) ? (JSON.parse(readFileSync(lock, "utf8")) as { pid: number }).pid : null;
}
