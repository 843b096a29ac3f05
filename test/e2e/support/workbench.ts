// A real VS Code in a browser, driven as a person drives it: by clicks, keys and what is on the screen.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, FrameLocator, Locator, Page } from "playwright-core";
import { root, setup } from "../../../.ci/setup.mjs";
import { thisMachine, workspaceState } from "../../../extension/node/statePaths";
import { openBrowser } from "../../../.ci/vscodeBrowser.mjs";
import { installVscodeServer } from "../../../.ci/vscodeInstall.mjs";
import {
  developmentPayload,
  runVscodeServer,
  startVscodeServer,
  workbenchAddress,
} from "../../../.ci/vscodeServer.mjs";
import { openPalette, quickInput, runCommand } from "./palette";
import type { ServerPlace, VscodeServer } from "../../../.ci/vscodeServer.mjs";

const readyTimeoutMs = 60_000;
const screenshotFolder = join(root, "test-output", "screenshots");
// `shown` is the class that the workbench bears when the theme is on the screen.
const themes = {
  light: { name: "Light Modern", scheme: "light", shown: "vscode-theme-defaults-themes-light_modern-json" },
  dark: { name: "Dark Modern", scheme: "dark", shown: "vscode-theme-defaults-themes-dark_modern-json" },
  highContrast: { name: "Dark High Contrast", scheme: "dark", shown: "hc-black" },
} as const;
const sidebarMargin = 4;

export interface WorkbenchOptions {
  /** dark when absent. */
  theme?: keyof typeof themes;
  /** Pixels; 1280 x 800 when absent. */
  width?: number;
  height?: number;
  /** Added to the environment of the extension; DONEGATE_MODEL is "demo" when absent. */
  env?: Record<string, string>;
  /** Machine settings. */
  settings?: Record<string, unknown>;
  /** Trusts the folder before the workbench is handed out; true when absent. */
  trusted?: boolean;
  /** Runs this installed package instead of the repository's extension. Notifications pop up only then. */
  vsix?: string;
}

/** A copy of the sample workspace with its hidden grader beside it; `dispose` deletes both. */
export function copyDemo(): { folder: string; goal: string; dispose(): void } {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "donegate-e2e-")));
  cpSync(join(root, "media", "demo"), place, { recursive: true });
  const dispose = () => rmSync(place, { recursive: true, force: true });
  return { folder: join(place, "workspace"), goal: join(place, "goal.txt"), dispose };
}

/** Starts a server and a browser of its own and opens the folder. Close what it gives, also when the test fails. */
export async function openWorkbench(folder: string, options: WorkbenchOptions = {}): Promise<Workbench> {
  const toolchain = setup();
  const { main, chromium } = installVscodeServer(toolchain);
  const place = mkdtempSync(join(tmpdir(), "donegate-vscode-"));
  const env = { ...toolchain.env, DONEGATE_MODEL: "demo", ...options.env, XDG_STATE_HOME: join(place, "state") };
  const server: ServerPlace = { node: toolchain.node, main, env, dataDir: join(place, "server") };
  const workbench = new Workbench({ place, folder: realpathSync(folder), server, chromium, options });
  try {
    await workbench.open();
    if (options.trusted ?? true) await workbench.trustWorkspace();
    return workbench;
  } catch (error: unknown) {
    await workbench.screenshot("could-not-open").catch(() => undefined);
    await workbench.close();
    throw error;
  }
}

interface WorkbenchParts {
  place: string;
  folder: string;
  server: ServerPlace;
  chromium: string;
  options: WorkbenchOptions;
}

export class Workbench {
  readonly #parts: WorkbenchParts;
  #server: VscodeServer | null = null;
  #browser: BrowserContext | null = null;
  #page: Page | null = null;

  constructor(parts: WorkbenchParts) {
    this.#parts = parts;
  }

  /** The window that was opened or reloaded last. */
  get page(): Page {
    if (this.#page === null) throw new Error("the workbench is not open");
    return this.#page;
  }

  get folder(): string {
    return this.#parts.folder;
  }

  /** Where the extension keeps the runs of the folder: beside the server's data, gone with it. */
  get runsFolder(): string {
    const { folder, server } = this.#parts;
    return workspaceState(folder, { ...thisMachine(), environment: server.env }).runs;
  }

  /** Where an installed package lies. */
  get extensionsFolder(): string {
    return join(this.#parts.server.dataDir, "extensions");
  }

  async open(): Promise<void> {
    const { server, place, chromium, options } = this.#parts;
    if (options.vsix !== undefined) await install(server, options.vsix);
    await this.#startServer();
    const { width = 1280, height = 800, theme = "dark" } = options;
    const profileDir = join(place, "profile");
    const screen = { width, height, colorScheme: themes[theme].scheme };
    this.#browser = await openBrowser({ executablePath: chromium, profileDir, ...screen });
    const [first] = this.#browser.pages();
    this.#page = await this.#openWindow(first);
    await chooseTheme(this.#page, themes[theme]);
  }

  /** Opens the same folder in a second window of the same person; the caller closes the page. */
  async openSecondWindow(): Promise<Page> {
    return this.#openWindow();
  }

  /** "Developer: Reload Window" as the browser does it; state kept by the window survives, memory does not. */
  async reload(): Promise<void> {
    await this.page.reload();
    await waitUntilReady(this.page);
  }

  /** Goes to another place in the same window: a folder or a .code-workspace on disk, an address, or nothing at all. */
  async visit(place: { folder: string } | { workspace: string } | { ew: "true" }): Promise<void> {
    if (this.#server === null) throw new Error("the workbench is not open");
    const { url } = this.#server;
    const payload = JSON.stringify(Object.entries(developmentPayload(url, root)));
    await this.page.goto(`${url}/?${new URLSearchParams({ ...place, payload }).toString()}`);
    await waitUntilReady(this.page);
  }

  /** Ends the server with every process of it, starts it again on the same port and loads the window anew. */
  async restart(): Promise<void> {
    const port = this.#server?.port ?? 0;
    await this.#server?.stop();
    await this.#startServer(port);
    await this.reload();
  }

  /** Ends browser and server with all their processes and deletes their folders. */
  async close(): Promise<void> {
    await this.#browser?.close();
    await this.#server?.stop();
    rmSync(this.#parts.place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  /** Through the trust editor, by keyboard alone. */
  trustWorkspace(): Promise<void> {
    return trustWorkspace(this.page);
  }

  /** Opens the palette (F1) and types; gives the rows that are offered. */
  openPalette(text: string): Promise<Locator> {
    return openPalette(this.page, text);
  }

  /** Runs the command with that title ("Run agent task" or "Donegate: Run agent task"), by keyboard alone. */
  runCommand(title: string): Promise<void> {
    return runCommand(this.page, title);
  }

  /** The text box of palette, input box and quick pick. */
  quickInput(): Locator {
    return quickInput(this.page);
  }

  /** Types into the input box that is open and accepts it. */
  async answerInput(text: string): Promise<void> {
    const input = this.quickInput();
    await input.waitFor();
    await input.fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** Chooses the row of an open quick pick whose label contains the text. */
  async pick(text: string): Promise<void> {
    await this.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first().click();
  }

  /** Opens a view container of the activity bar. Does nothing when it is open. */
  async openContainer(title = "Donegate"): Promise<void> {
    const tab = this.page.locator(".part.activitybar").getByRole("tab", { name: new RegExp(`^${title}`) });
    if ((await tab.getAttribute("aria-selected")) !== "true") await tab.click();
    await this.page.locator(".part.sidebar").getByRole("heading", { name: title }).first().waitFor();
  }

  /** Rows of tree views by their accessible name. */
  findTreeItem(name: string | RegExp): Locator {
    return this.page.locator(".part.sidebar").getByRole("treeitem", { name });
  }

  /** A section of the side bar by its title, with header, actions and body. */
  findView(title: string): Locator {
    const header = this.page.getByRole("button", { name: new RegExp(`^${title}\\b`) });
    return this.page.locator(".part.sidebar .pane").filter({ has: header });
  }

  /** Toasts that are on the screen. */
  notification(text: string | RegExp): Locator {
    return this.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text });
  }

  /** The modal that is open. */
  dialog(): Locator {
    return this.page.locator(".monaco-dialog-box");
  }

  /** Entries of the status bar. */
  statusItem(text: string | RegExp): Locator {
    return this.page.locator(".part.statusbar .statusbar-item").filter({ hasText: text });
  }

  /** The document inside the webview that is shown. */
  webview(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  /** Drags the edge of the side bar until it is that wide, in pixels. */
  async setSidebarWidth(pixels: number): Promise<void> {
    const bar = await this.page.locator(".part.sidebar").boundingBox();
    if (bar === null) throw new Error("the side bar is hidden");
    const y = bar.y + bar.height / 2;
    await this.page.mouse.move(bar.x + bar.width, y);
    await this.page.mouse.down();
    await this.page.mouse.move(bar.x + pixels, y, { steps: 5 });
    await this.page.mouse.up();
    const after = await this.page.locator(".part.sidebar").boundingBox();
    if (after === null || Math.abs(after.width - pixels) > sidebarMargin) {
      throw new Error(`the side bar is ${after?.width} pixels wide, not ${pixels}`);
    }
  }

  /** Writes test-output/screenshots/<name>.png and gives its path. */
  async screenshot(name: string): Promise<string> {
    mkdirSync(screenshotFolder, { recursive: true });
    const path = join(screenshotFolder, `${name}.png`);
    await this.page.screenshot({ path });
    return path;
  }

  async #startServer(port = 0): Promise<void> {
    const { server, options } = this.#parts;
    const settings = { ...quiet, ...options.settings };
    this.#server = await startVscodeServer({ ...server, settings, port, readsPayload: options.vsix === undefined });
  }

  async #openWindow(page?: Page): Promise<Page> {
    if (this.#server === null || this.#browser === null) throw new Error("the workbench is not open");
    const { folder, options } = this.#parts;
    const { url } = this.#server;
    const payload = options.vsix === undefined ? developmentPayload(url, root) : {};
    const opened = page ?? (await this.#browser.newPage());
    await opened.goto(workbenchAddress(url, folder, payload));
    await waitUntilReady(opened);
    return opened;
  }
}

/** Nothing pops up that the tests are not about. */
const quiet = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "chat.disableAIFeatures": true,
  "extensions.ignoreRecommendations": true,
  "git.openRepositoryInParentFolders": "never",
};

/**
 * By the palette, which keeps it in the profile: a theme named in the machine's settings is not known yet when the workbench starts
 * for the first time, and is written over.
 */
async function chooseTheme(page: Page, { name, shown }: { name: string; shown: string }): Promise<void> {
  await runCommand(page, "Preferences: Color Theme");
  // The list of commands may still be on the screen.
  await page.locator('.quick-input-widget input[placeholder^="Select Color Theme"]').fill(name);
  await page.locator(".quick-input-list .monaco-list-row.focused").filter({ hasText: name }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(`.monaco-workbench.${shown}`).waitFor();
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

/** In any window: through the trust editor, by keyboard alone. */
export async function trustWorkspace(page: Page): Promise<void> {
  await runCommand(page, "Workspaces: Manage Workspace Trust");
  const editor = page.locator(".workspace-trust-editor");
  await editor.waitFor();
  await page.keyboard.press("Control+Enter");
  await page.locator(".part.banner").waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  await editor.waitFor({ state: "detached" });
}

async function install(server: ServerPlace, vsix: string): Promise<void> {
  const { exitCode, output } = await runVscodeServer(server, ["--install-extension", vsix]);
  if (exitCode !== 0) throw new Error(`${vsix} is not installed:\n${output}`);
}

/** Whatever view is in front: our container is there, so the extensions have been read. */
export async function waitUntilReady(page: Page): Promise<void> {
  await page.locator(".monaco-workbench .part.statusbar .statusbar-item").first().waitFor({ timeout: readyTimeoutMs });
  const tab = page.locator(".part.activitybar").getByRole("tab", { name: /^Donegate/ });
  await tab.waitFor({ timeout: readyTimeoutMs });
}
