import type { Page } from "playwright-core";

/** What the page's frames are asked to do; there is no DOM on this side. */
interface Listening {
  addEventListener(
    type: string,
    listener: (event: { type: string; isTrusted: boolean }) => void,
    capture: boolean,
  ): void;
  tellMouse(type: string): void;
}
declare const globalThis: Listening;

/** Counts every event of a mouse from now on, webviews that open later included. */
export async function watchMouse(page: Page): Promise<() => readonly string[]> {
  const seen: string[] = [];
  await page.exposeFunction("tellMouse", (type: string) => void seen.push(type));
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => seen;
}

function listen(): void {
  for (const type of ["pointerdown", "mousedown", "wheel", "touchstart"]) {
    globalThis.addEventListener(type, (event) => event.isTrusted && globalThis.tellMouse(event.type), true);
  }
}
