// Activates the extension in fresh windows of VS Code's server and Chromium, beside an empty one in the same windows.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installVscodeServer } from "../../.ci/vscodeInstall.mjs";
import { openBrowser } from "../../.ci/vscodeBrowser.mjs";
import { developmentPayload, remotePath, startVscodeServer, workbenchAddress } from "../../.ci/vscodeServer.mjs";
import { installEmptyExtension } from "./emptyExtension.mjs";

const windowDeadlineMs = 60_000;
const ours = "donegate.donegate";

/** Measures the extension in the folder `built`. One entry per window: { vscode, node, oursMs, emptyMs }. Rejects when a window gives no measurement. */
export async function activationTimes(toolchain, built, windows) {
  const place = mkdtempSync(join(tmpdir(), "donegate-bench-"));
  try {
    const { main, chromium } = installVscodeServer(toolchain);
    const folder = join(place, "workspace");
    cpSync(join(toolchain.root, "media", "demo", "workspace"), folder, { recursive: true });
    const context = { toolchain, place, main, chromium, folder, built };
    const results = [];
    for (let window = 0; window < windows; window++) results.push(await measureWindow(context, window));
    return results;
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** A server and a profile of its own for each window, so that none finds what an earlier one left. */
async function measureWindow({ toolchain, place, main, chromium, folder, built }, window) {
  const report = join(place, `window${window}.json`);
  const dataDir = join(place, `server${window}`);
  // The first activation of a window pays for the way there, whoever comes first: an extension nobody counts.
  const first = installEmptyExtension(dataDir, "first");
  const empty = installEmptyExtension(dataDir, "empty");
  const order = window % 2 === 0 ? [first, empty, ours] : [first, ours, empty];
  const server = await startVscodeServer({
    ...{ node: toolchain.node, main, dataDir, trustsAll: true, readsPayload: true },
    env: { ...toolchain.env, BENCH_REPORT: report, BENCH_EXTENSIONS: JSON.stringify(order) },
  });
  let browser;
  try {
    browser = await openBrowser({ executablePath: chromium, profileDir: join(place, `profile${window}`) });
    const payload = {
      ...developmentPayload(server.url, built),
      extensionTestsPath: remotePath(server.url, join(import.meta.dirname, "probe.cjs")),
    };
    const exitCode = await openUntilExit(browser, workbenchAddress(server.url, folder, payload));
    if (!existsSync(report)) throw new Error(`the window ended with ${exitCode} and no report`);
    const { timings, ...host } = JSON.parse(readFileSync(report, "utf8"));
    return { ...host, oursMs: taken(timings[ours]), emptyMs: taken(timings[empty]) };
  } finally {
    await browser?.close();
    await server.stop();
  }
}

function taken({ ms, why }) {
  if (why !== undefined) throw new Error(why);
  return ms;
}

/** Resolves with the code with which the extension host would have ended VS Code. */
async function openUntilExit(browser, where) {
  const page = browser.pages()[0] ?? (await browser.newPage());
  let timer;
  const exited = new Promise((settle, reject) => {
    const late = () => reject(new Error(`the window did not end within ${windowDeadlineMs / 1_000} s`));
    timer = setTimeout(late, windowDeadlineMs);
    void page.exposeFunction("codeAutomationExit", settle).catch(reject);
  });
  try {
    await page.exposeFunction("codeAutomationLog", () => {});
    const [code] = await Promise.all([exited, page.goto(where)]);
    return code;
  } finally {
    clearTimeout(timer);
  }
}
