// Opens VS Code on a copy of the sample workspace, the scripted demo model chosen. Run by `npm start`; ends with Ctrl-C.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run, setup } from "./setup.mjs";
import { findDesktopVscode } from "./vscodeDesktop.mjs";
import { installVscodeServer } from "./vscodeInstall.mjs";
import { runVscodeServer, startVscodeServer } from "./vscodeServer.mjs";

const whatToDo = 'Press F1 and choose "Donegate: Run agent task". A goal to give it:';

async function main() {
  const toolchain = setup();
  const desktop = await findDesktopVscode();
  const place = mkdtempSync(join(tmpdir(), "donegate-start-"));
  cpSync(join(root, "media", "demo"), place, { recursive: true });
  const folder = join(place, "workspace");
  const env = { ...toolchain.env, DONEGATE_MODEL: "demo" };
  const open = desktop === null ? openInBrowser : openOnDesktop;
  return open({ ...toolchain, env, place, folder, desktop });
}

async function openOnDesktop({ node, env, place, folder, desktop }) {
  run(node, [join(root, "esbuild.mjs")], { cwd: root, env });
  console.log(`VS Code: ${desktop}`);
  tellWhatToDo(folder);
  // A profile of its own: the person's settings and extensions have no part in the demo. The sample folder is ours, so trusted.
  const words = [
    `--extensionDevelopmentPath=${root}`,
    "--user-data-dir",
    join(place, "user"),
    "--disable-workspace-trust",
  ];
  const child = spawn(desktop, [...words, "--extensions-dir", join(place, "extensions"), "--skip-welcome", folder], {
    env,
    stdio: "inherit",
  });
  onEndingSignal(() => child.kill());
  const [code] = await once(child, "close");
  return code ?? 0;
}

/** The package is installed as a person would do it: for an extension under development the server shows no notifications. */
async function openInBrowser({ node, env, place, folder }) {
  console.log("Opening VS Code's own server, for a browser.");
  const { main } = installVscodeServer({ node, env }, { needsBrowser: false });
  const dataDir = join(place, "server");
  const vsix = join(place, "donegate.vsix");
  run(node, [join(root, ".ci", "package.mjs"), "--out", vsix], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const server = { node, main, env, dataDir };
  const installed = await runVscodeServer(server, ["--install-extension", vsix]);
  if (installed.exitCode !== 0) throw new Error(`the extension could not be installed:\n${installed.output}`);
  const settings = { "workbench.startupEditor": "none", "workbench.secondarySideBar.defaultVisibility": "hidden" };
  const running = await startVscodeServer({ ...server, settings, trustsAll: true, endsByItself: false });
  const asked = new Promise((settle) => onEndingSignal(() => settle("asked")));
  console.log(`\nVS Code is at ${running.url}/?${new URLSearchParams({ folder })}`);
  tellWhatToDo(folder);
  console.log("Ctrl-C ends it.");
  const why = await Promise.race([asked, running.exited.then(() => "ended")]);
  await running.stop();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  if (why === "asked") return 0;
  console.error("VS Code's server ended by itself.");
  return 1;
}

function tellWhatToDo(folder) {
  console.log(`Workspace: ${folder}`);
  console.log(`${whatToDo}\n  ${sampleGoal()}`);
}

function sampleGoal() {
  return readFileSync(join(root, "media", "demo", "goal.txt"), "utf8").trim();
}

function onEndingSignal(act) {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, act);
}

// A download that was given up on would keep the process alive.
process.exit(
  await main().catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  }),
);
