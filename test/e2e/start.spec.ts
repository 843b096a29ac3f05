import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { root, setup } from "../../.ci/setup.mjs";
import { openBrowser } from "../../.ci/vscodeBrowser.mjs";
import { installVscodeServer } from "../../.ci/vscodeInstall.mjs";
import { runCommand } from "./support/palette";

it("npm start without a display opens VS Code for a browser, ready for a task, and Ctrl-C ends it", async () => {
  const { chromium } = installVscodeServer(setup());
  const { DISPLAY: _d, WAYLAND_DISPLAY: _w, VSCODE_EXECUTABLE_PATH: _v, ...env } = process.env;
  const profileDir = mkdtempSync(join(tmpdir(), "donegate-start-profile-"));
  const started = spawn(process.execPath, [join(root, ".ci", "start.mjs")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(started, "close");
  const browser = await openBrowser({ executablePath: chromium, profileDir });
  try {
    const address = await readAddress(started.stdout);
    const page = browser.pages()[0] ?? (await browser.newPage());
    await page.goto(address);
    await page.locator(".explorer-folders-view").getByText("donegate.yaml").waitFor({ timeout: 60_000 });
    await runCommand(page, "Donegate: Run agent task");
    await page.locator(".quick-input-widget").getByText("Run agent task").first().waitFor();
    await page.keyboard.press("Escape");
    started.kill("SIGINT");
    expect((await closed)[0]).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
  } finally {
    await browser.close();
    started.kill("SIGTERM");
    await closed;
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
});

async function readAddress(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /^VS Code is at (\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("npm start ended without an address");
}
