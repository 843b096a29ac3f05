// The command palette of any window, by keyboard alone.
import { errors } from "playwright-core";
import type { Locator, Page } from "playwright-core";

const attempts = 6;
const attemptMs = 5_000;

/** An element, as far as this file needs one: there is no DOM on this side. */
interface Labelled {
  getAttribute(name: string): string | null;
}

/** The text box of palette, input box and quick pick. */
export function quickInput(page: Page): Locator {
  return page.locator(".quick-input-widget:visible input").first();
}

/** Opens the palette (F1) and types; gives the rows that are offered. */
export async function openPalette(page: Page, text: string): Promise<Locator> {
  await page.keyboard.press("F1");
  const input = quickInput(page);
  await input.waitFor();
  await input.fill(`>${text}`);
  return page.locator(".quick-input-list .monaco-list-row");
}

/** Runs the command with that title ("Run agent task" or "Donegate: Run agent task"). */
export async function runCommand(page: Page, title: string): Promise<void> {
  const at = await findCommand(page, title);
  for (let row = 0; row < at; row += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

/** The palette lists what is known when it opens: right after a start or a reload that is not everything. */
async function findCommand(page: Page, title: string): Promise<number> {
  let labels: string[] = [];
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const rows = await openPalette(page, title);
    await rows.filter({ hasText: title }).first().waitFor({ timeout: attemptMs }).catch(ignoreTimeout);
    labels = await rows.evaluateAll((all: Labelled[]) => all.map((row) => row.getAttribute("aria-label") ?? ""));
    const at = labels.findIndex((label) => isCommand(label, title));
    if (at >= 0) return at;
    await page.keyboard.press("Escape");
  }
  throw new Error(`the palette does not offer "${title}" but: ${labels.join(" | ")}`);
}

function ignoreTimeout(error: unknown): void {
  if (!(error instanceof errors.TimeoutError)) throw error;
}

/** Rows are labelled with the title and, after a comma, the keys and the group. */
function isCommand(label: string, title: string): boolean {
  const [name = ""] = label.split(", ");
  return name === title || name.endsWith(`: ${title}`);
}
