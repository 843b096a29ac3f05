import { errors } from "playwright-core";
import type { Locator, Page } from "playwright-core";
import { runCommand } from "./palette";

const attempts = 15;
const attemptMs = 2_000;

/**
 * Opens the list of notifications and gives the one with that text. The server's test driver keeps them from popping up, and a
 * list that was opened while it was empty stays empty: so it is closed and opened again until the text is there.
 */
export async function openNotification(page: Page, text: string): Promise<Locator> {
  const center = page.locator(".notifications-center.visible");
  const told = center.locator(".notification-list-item").filter({ hasText: text }).first();
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    if ((await center.count()) === 0) await runCommand(page, "Notifications: Show Notifications");
    if (await isThere(told)) return told;
    if ((await center.count()) > 0) await runCommand(page, "Notifications: Hide Notifications");
  }
  throw new Error(`no notification says "${text}"`);
}

async function isThere(locator: Locator): Promise<boolean> {
  try {
    await locator.waitFor({ timeout: attemptMs });
    return true;
  } catch (error: unknown) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}
