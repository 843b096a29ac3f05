// Starts VS Code's own server on the loopback and ends it with everything it started.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const startDeadlineMs = 30_000;
const graceMs = 3_000;

/**
 * Starts a server whose data (extensions, settings, logs) lies in `dataDir`; `settings` are the machine's settings.
 * `readsPayload`: an address may name an extension under development and tests; then no notification pops up.
 * `trustsAll`: no folder is in Restricted Mode. Rejects when it does not listen within 30 s. `stop()` resolves when the server and all its children are gone.
 */
export async function startVscodeServer({ node, main, env, dataDir, settings = {}, port = 0, ...flags }) {
  mkdirSync(join(dataDir, "data", "Machine"), { recursive: true });
  writeFileSync(join(dataDir, "data", "Machine", "settings.json"), JSON.stringify(settings, null, 2));
  const words = [main, "--host", "127.0.0.1", "--port", String(port), "--without-connection-token"];
  words.push("--accept-server-license-terms", "--server-data-dir", dataDir, "--telemetry-level", "off");
  if (flags.readsPayload === true) words.push("--enable-smoke-test-driver");
  // A test run that was killed leaves no server behind: without a client it ends after five minutes.
  if (flags.endsByItself ?? true) words.push("--enable-remote-auto-shutdown", "--reconnection-grace-time", "10");
  if (flags.trustsAll === true) words.push("--disable-workspace-trust");
  const child = spawn(node, words, { env, detached: process.platform !== "win32", stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise((settle) => child.once("close", settle));
  const onExit = () => killTree(child.pid, "SIGKILL");
  process.once("exit", onExit);
  const stop = async () => {
    process.off("exit", onExit);
    await stopTree(child, exited);
  };
  try {
    const bound = await waitForPort(child, exited);
    return { port: bound, pid: child.pid, url: `http://127.0.0.1:${bound}`, exited, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Runs one of the server's own commands, such as --install-extension; gives its exit code and output. */
export function runVscodeServer({ node, main, env, dataDir }, words) {
  return new Promise((settle, reject) => {
    const all = [main, "--accept-server-license-terms", "--server-data-dir", dataDir, ...words];
    const child = spawn(node, all, { env, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.once("error", reject);
    child.once("close", (code) => settle({ exitCode: code ?? 1, output }));
  });
}

/** The workbench's address for a folder; `payload` maps what VS Code's command line would have been told. */
export function workbenchAddress(url, folder, payload) {
  const query = new URLSearchParams({ folder, payload: JSON.stringify(Object.entries(payload)) });
  return `${url}/?${query}`;
}

/** A path of this machine as the workbench names it. */
export function remotePath(url, path) {
  return `vscode-remote://${new URL(url).host}${path}`;
}

/** A repository's extension under development, as `payload` wants it. */
export function developmentPayload(url, extension) {
  return { extensionDevelopmentPath: remotePath(url, extension), skipWelcome: "true", skipReleaseNotes: "true" };
}

function waitForPort(child, exited) {
  const said = [];
  return new Promise((settle, reject) => {
    const late = setTimeout(() => reject(new Error("VS Code's server did not start in time")), startDeadlineMs);
    child.once("error", reject);
    void exited.then((code) => reject(new Error(`VS Code's server ended with ${code}:\n${said.join("\n")}`)));
    createInterface({ input: child.stderr }).on("line", (line) => said.push(line));
    // Read to the end, so that a full pipe never stops the server.
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (said.length < 200) said.push(line);
      const port = /^Extension host agent listening on (\d+)/.exec(line)?.[1];
      if (port === undefined) return;
      clearTimeout(late);
      settle(Number(port));
    });
    void exited.then(() => clearTimeout(late));
  });
}

async function stopTree(child, exited) {
  // A command that an extension started has a process group of its own: found as a descendant, before its parent is gone.
  const others = descendants(child.pid);
  killTree(child.pid, "SIGTERM");
  const late = new Promise((settle) => setTimeout(settle, graceMs, "late").unref());
  if ((await Promise.race([exited, late])) === "late") killTree(child.pid, "SIGKILL");
  await exited;
  for (const pid of others) kill(pid, "SIGKILL");
}

function killTree(pid, signal) {
  if (pid === undefined) return;
  kill(process.platform === "win32" ? pid : -pid, signal);
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Empty where there is no /proc: there the process group has to do. */
function descendants(pid) {
  const parents = new Map();
  let names = [];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  for (const name of names) {
    const parent = parentOf(name);
    if (parent !== null) parents.set(Number(name), parent);
  }
  const isBelow = (one) => {
    for (let at = parents.get(one); at !== undefined && at > 1; at = parents.get(at)) if (at === pid) return true;
    return false;
  };
  return [...parents.keys()].filter(isBelow);
}

function parentOf(pid) {
  try {
    // The second field is the program's name in brackets and may hold spaces.
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(/\) (?=[A-Z] )/);
    return Number(fields.split(" ")[1]);
  } catch {
    return null;
  }
}
