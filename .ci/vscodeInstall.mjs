// Brings VS Code's own server and a browser for it, for machines where no desktop VS Code can be downloaded.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { SetupError, ensureDebian, root, run } from "./setup.mjs";

const serverVersion = "4.139.1";
const folder = join(root, ".cache", "vscode-server");
// Written last, so that a half-finished install is done again.
const marker = join(folder, "installed.json");
const main = join(folder, "node_modules", "code-server", "lib", "vscode", "out", "server-main.js");
const browserNames = ["chromium", "chromium-browser", "google-chrome"];

/**
 * Installs what is missing and gives where it is: { main, chromium }. The first time takes three minutes, afterwards nothing.
 * Throws a SetupError that says what to install by hand. `needsBrowser: false` where a person's own will do.
 */
export function installVscodeServer(toolchain, { needsBrowser = true } = {}) {
  const browser = findProgram(browserNames) ?? (needsBrowser ? undefined : null);
  // Without fonts every letter on a screenshot is a box.
  const libraries = ["libkrb5-dev", "libsecret-1-dev", "fonts-dejavu-core"];
  const programs = { git: "git", python3: "python3", make: "make", "g++": "g++", "pkg-config": "pkg-config" };
  ensureDebian(browser === undefined ? { ...programs, chromium: "chromium" } : programs, libraries);
  const nodeVersion = JSON.parse(readFileSync(join(root, "node_modules", "node", "package.json"), "utf8")).version;
  const wanted = JSON.stringify({ "code-server": serverVersion, node: nodeVersion });
  if (!existsSync(marker) || readFileSync(marker, "utf8") !== wanted) install(toolchain, nodeVersion, wanted);
  const chromium = browser ?? findProgram(browserNames);
  if (needsBrowser && chromium === undefined) throw new SetupError("no Chromium on the path");
  return { main, chromium };
}

function install(toolchain, nodeVersion, wanted) {
  console.log(`installing VS Code's server (code-server ${serverVersion}); this takes some minutes, once`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "vscode-server", version: "1.0.0", private: true }),
  );
  const npm = (words, more) => runNpm(toolchain, words, more);
  // The platform's package of Node carries the headers; native modules are built against them without a download.
  const headers = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  npm(["--ignore-scripts", `${headers}@${nodeVersion}`]);
  npm([`code-server@${serverVersion}`], { npm_config_nodedir: join(folder, "node_modules", headers) });
  if (!existsSync(main)) throw new SetupError(`code-server ${serverVersion} does not hold ${main}`);
  writeFileSync(marker, wanted);
}

/** The npm that called us, on Node 24: native modules are built for the Node that npm runs on. */
function runNpm({ node, env: { npm_execpath: ours, npm_config_user_agent: _names, ...env } }, words, more = {}) {
  const [program, ...first] = ours === undefined ? ["npm"] : [node, ours];
  run(program, [...first, "install", "--no-fund", "--no-audit", "--no-package-lock", "--loglevel=error", ...words], {
    cwd: folder,
    // An agent that names the caller's Node would be believed before the Node that runs.
    env: { ...env, NODE_ENV: "development", ...more },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

function findProgram(names) {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((place) => join(place, name))).find((path) => existsSync(path));
}
