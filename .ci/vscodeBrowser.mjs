// Opens the workbench of VS Code's server in Chromium.
import { chromium } from "playwright-core";

const words = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
words.push("--disable-component-update", "--disable-sync");

/**
 * A browser with a profile of its own. The workbench keeps workspace and global state in the profile, so a test that reloads
 * or restarts uses the same folder again. Close it with `close()`.
 */
export function openBrowser({ executablePath, profileDir, width = 1280, height = 800, colorScheme, forcedColors }) {
  return chromium.launchPersistentContext(profileDir, {
    executablePath,
    headless: true,
    // Chromium refuses its sandbox to root, and containers often have no other user.
    chromiumSandbox: false,
    args: words,
    viewport: { width, height },
    colorScheme,
    forcedColors,
    serviceWorkers: "allow",
    acceptDownloads: false,
  });
}
