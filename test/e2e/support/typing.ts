// A person who goes on typing in an editor, whatever else happens in the window.
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";

/** An element, as far as this file needs one: there is no DOM on this side. */
interface Inside {
  contains(other: unknown): boolean;
  ownerDocument: { activeElement: unknown };
}

/**
 * Types word after word until `until` is on the screen, and at least one more then. Every key has to meet the editor.
 * Gives what was typed.
 */
export async function typeUntil(page: Page, editor: Locator, until: Locator, label: string): Promise<string> {
  let typed = "";
  let more = 2;
  for (let word = 1; more > 0; word += 1) {
    if (await until.isVisible()) more -= 1;
    for (const key of `${label}${word} `) {
      await page.keyboard.press(key === " " ? "Space" : key);
      typed += key;
      const hasFocus = await editor.evaluate((element: Inside) =>
        element.contains(element.ownerDocument.activeElement),
      );
      expect(hasFocus, `the focus left the editor after "${typed}"`).toBe(true);
    }
  }
  return typed;
}
