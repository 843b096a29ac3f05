// What the editor says when a task cannot begin, and what a second window may do to a run of the first.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { root } from "../../.ci/setup.mjs";
import { openNotification } from "./support/notifications";
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

describe("a task that cannot begin", () => {
  const workbench = useWorkbench({ env: { DONEGATE_MODEL: "" }, settings: { "donegate.model.name": "" } });

  it("asks for a model first, then for a key", async () => {
    await workbench().runCommand("Run agent task");
    await answer(workbench().page, "Run agent task", "Do it.");
    const noModel = await openNotification(workbench().page, "no model is chosen yet");
    await noModel.getByRole("button", { name: "Select Model" }).click();
    await workbench().pick("A server that speaks the OpenAI dialect");
    await answer(workbench().page, "1 of 2", "https://models.example/v1");
    await answer(workbench().page, "2 of 2", "some-model");
    await openNotification(workbench().page, "New runs talk to some-model");
    await workbench().runCommand("Run agent task");
    await answer(workbench().page, "Run agent task", "Do it.");
    const noKey = await openNotification(workbench().page, "there is no API key for https://models.example/v1");
    await noKey.getByRole("button", { name: "Set Key" }).click();
    await answer(workbench().page, "API key for", "a-key");
    await openNotification(workbench().page, "The key is kept.");
  });

  it("opens an invalid donegate.yaml at the line", async () => {
    const config = join(workbench().folder, "donegate.yaml");
    writeFileSync(config, "verify:\n  maxAttempts: 3\n  chekcs: []\n");
    await workbench().runCommand("Run agent task");
    await answer(workbench().page, "Run agent task", "Do it.");
    const told = await openNotification(workbench().page, "donegate.yaml:3:3");
    await told.getByRole("button", { name: "Open donegate.yaml" }).click();
    await workbench().statusItem("Ln 3, Col 3").waitFor();
    await workbench().screenshot("runs-invalid-config");
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
    const first = holderOf(workbench().runsFolder);
    await runCommand(second, "Donegate: Take over");
    await openNotification(workbench().page, "another window has taken this run over");
    await expect.poll(() => holderOf(workbench().runsFolder), slowly).not.toBe(first);
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

/** Into the box with that title: the one before it may still be on the screen. */
async function answer(page: Page, title: string, text: string): Promise<void> {
  await page.locator(".quick-input-widget:visible .quick-input-title").filter({ hasText: title }).waitFor(slowly);
  await page.locator(".quick-input-widget:visible input").first().fill(text);
  await page.keyboard.press("Enter");
}

/** Process id of the extension host that drives the folder's only run; null while nobody does. */
function holderOf(runs: string): number | null {
  const [run = ""] = readdirSync(runs);
  const lock = join(runs, run, "journal.d", "lock");
  return existsSync(lock) ? (JSON.parse(readFileSync(lock, "utf8")) as { pid: number }).pid : null;
}
