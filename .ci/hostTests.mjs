// Runs the mocha suite (test/host) inside a VS Code: a desktop one where there is one, else VS Code's server and Chromium.
// Writes test-output/host.json: { passed, failed }. A suite that did not run has failed.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { root, run, setup } from "./setup.mjs";
import { openBrowser } from "./vscodeBrowser.mjs";
import { findDesktopVscode } from "./vscodeDesktop.mjs";
import { installVscodeServer } from "./vscodeInstall.mjs";
import { developmentPayload, remotePath, startVscodeServer, workbenchAddress } from "./vscodeServer.mjs";

const deadlineMs = 4 * 60_000;
const linesOnFailure = 60;
const output = join(root, "test-output", "host.json");
const built = join(root, "dist", "test", "host");
/** In the browser VS Code saves by itself after a second, and a slow machine would lose what a test left unsaved. */
const settings = { "files.autoSave": "off" };

async function main(words) {
  mkdirSync(join(root, "test-output"), { recursive: true });
  rmSync(output, { force: true });
  const toolchain = setup();
  if (!words.includes("--built")) run(toolchain.node, [join(root, "esbuild.mjs")], { cwd: root, env: toolchain.env });
  await buildSuite();
  const place = mkdtempSync(join(tmpdir(), "donegate-host-"));
  try {
    cpSync(join(root, "media", "demo"), place, { recursive: true });
    const report = join(place, "report.json");
    const suite = {
      place,
      folder: join(place, "workspace"),
      env: { DONEGATE_HOST_REPORT: report, DONEGATE_MODEL: "demo", XDG_STATE_HOME: join(place, "state") },
    };
    const desktop = await findDesktopVscode();
    console.log(`host: ${desktop === null ? "VS Code's server and Chromium" : desktop}`);
    const exitCode = desktop === null ? await runInServer(toolchain, suite) : await runOnDesktop(desktop, suite);
    return tell(existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : null, exitCode);
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Mocha stays outside: it loads its own files by name. */
async function buildSuite() {
  const folder = join(root, "test", "host");
  rmSync(built, { recursive: true, force: true });
  const tests = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  await build({
    absWorkingDir: root,
    entryPoints: ["entry.ts", ...tests].map((name) => join(folder, name)),
    outdir: built,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    sourcemap: "inline",
    external: ["vscode", "mocha"],
    logLevel: "warning",
  });
}

async function runOnDesktop(vscodeExecutablePath, { place, folder, env }) {
  const { runTests } = await import("@vscode/test-electron");
  mkdirSync(join(place, "user", "User"), { recursive: true });
  writeFileSync(join(place, "user", "User", "settings.json"), JSON.stringify(settings));
  return runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: root,
    extensionTestsPath: join(built, "entry.js"),
    extensionTestsEnv: env,
    // Root needs the switch; the folders keep a person's own VS Code out of it.
    launchArgs: [
      folder,
      "--no-sandbox",
      "--user-data-dir",
      join(place, "user"),
      "--extensions-dir",
      join(place, "extensions"),
    ],
  }).catch((error) => {
    console.error(error.message);
    return 1;
  });
}

async function runInServer(toolchain, { place, folder, env }) {
  const { main, chromium } = installVscodeServer(toolchain);
  const dataDir = join(place, "server");
  const server = await startVscodeServer({
    ...{ node: toolchain.node, main, dataDir, settings, trustsAll: true, readsPayload: true },
    env: { ...toolchain.env, ...env },
  });
  let browser;
  try {
    browser = await openBrowser({ executablePath: chromium, profileDir: join(place, "profile") });
    const payload = {
      ...developmentPayload(server.url, root),
      extensionTestsPath: remotePath(server.url, join(built, "entry.js")),
    };
    return await openUntilExit(browser, workbenchAddress(server.url, folder, payload));
  } finally {
    await browser?.close();
    await server.stop();
  }
}

/** Resolves with the code with which the extension host would have ended VS Code; 1 when it never does. */
async function openUntilExit(browser, address) {
  const page = browser.pages()[0] ?? (await browser.newPage());
  let timer;
  const exited = new Promise((settle) => {
    void page.exposeFunction("codeAutomationExit", (code) => settle(code));
    timer = setTimeout(() => {
      console.error(`the suite did not end within ${deadlineMs / 60_000} minutes`);
      settle(1);
    }, deadlineMs);
  });
  const said = [];
  await page.exposeFunction("codeAutomationLog", (type, words) => said.push([type, ...words].join(" ")));
  await page.goto(address);
  const code = await exited.finally(() => clearTimeout(timer));
  // VS Code says a lot; it matters only where the results do not say what went wrong.
  if (code !== 0) console.log(said.slice(-linesOnFailure).join("\n"));
  return code;
}

function tell(report, exitCode) {
  const results = report?.results ?? [];
  for (const { title, state, error, durationMs } of results) {
    console.log(`${state === "passed" ? "ok    " : "FAILED"} ${title} (${durationMs} ms)`);
    if (error !== null) console.log(`       ${error.replaceAll("\n", "\n       ")}`);
  }
  const passed = results.filter(({ state }) => state === "passed").length;
  const failed = results.length - passed;
  const isUnexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  if (isUnexplained) console.error(`the suite ran ${passed} tests and ended with ${exitCode}`);
  const counts = { passed, failed: isUnexplained ? 1 : failed };
  writeFileSync(output, JSON.stringify(counts));
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 ? 0 : 1;
}

// A download that was given up on would keep the process alive.
process.exit(
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error);
    return 1;
  }),
);
