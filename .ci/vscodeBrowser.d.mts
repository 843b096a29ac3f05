import type { BrowserContext } from "playwright-core";

export interface BrowserOptions {
  executablePath: string;
  profileDir: string;
  /** Pixels. */
  width?: number;
  height?: number;
  colorScheme?: "light" | "dark";
  forcedColors?: "active" | "none";
}
export function openBrowser(options: BrowserOptions): Promise<BrowserContext>;
