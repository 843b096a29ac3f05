// Makes a fresh clone ready. Needs nothing but Node 20 and npm: no dependency may be imported here.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const modules = join(root, "node_modules");
// Kept inside node_modules, so that deleting the folder forgets it too.
const marker = join(modules, ".donegate-lock-digest");
const isWindows = process.platform === "win32";
const toolchainFolder = join(modules, "node", "bin");
const toolchainNode = join(toolchainFolder, isWindows ? "node.exe" : "node");

export class SetupError extends Error {}

/** Installs the locked packages if need be; gives the environment in which Node 24 and its tools come first. */
export function setup() {
  installPackages();
  installToolchainNode();
  const path = [toolchainFolder, join(modules, ".bin"), process.env.PATH ?? ""].join(delimiter);
  return { root, node: toolchainNode, env: { ...process.env, PATH: path } };
}

function installPackages() {
  const digest = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(marker) && readFileSync(marker, "utf8") === digest) return;
  refuseLinkedFolder(modules);
  console.log("installing packages (npm ci)");
  // A production setting of the caller would leave the toolchain out, and the folder about to be replaced
  // must not supply the node that replaces it.
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.startsWith(modules));
  const env = { ...process.env, NODE_ENV: "development", PATH: path.join(delimiter) };
  run("npm", ["ci", "--include=dev", "--include=optional", "--no-fund", "--no-audit", "--loglevel=error"], {
    cwd: root,
    env,
  });
  mkdirSync(modules, { recursive: true });
  writeFileSync(marker, digest);
}

/** `npm ci` empties the folder it fills: behind a link that is somebody else's. */
export function refuseLinkedFolder(folder) {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new SetupError(
    `${folder} is a symbolic link and does not hold the locked packages; installing would empty the folder behind it. ` +
      "Please delete the link, or install there, and try again",
  );
}

/** npm may have been told not to run install scripts; the node package is empty until its own has run. */
function installToolchainNode() {
  if (!startsAsNode24()) {
    run(process.execPath, ["installArchSpecificPackage"], { cwd: join(modules, "node") });
  }
  if (!startsAsNode24())
    throw new SetupError(`Node 24 does not start from ${toolchainNode}; delete node_modules and try again`);
}

function startsAsNode24() {
  const result = spawnSync(toolchainNode, ["--version"], { encoding: "utf8" });
  return result.status === 0 && result.stdout.startsWith("v24.");
}

/**
 * Makes sure that programs exist, by installing Debian packages where that is possible.
 * `wanted` maps a program to the package that brings it, for example { python3: "python3" }; `libraries` are packages without a
 * program. Where there is no dpkg nobody can tell whether a library is there: what needs it says so.
 */
export function ensureDebian(wanted, libraries = []) {
  const absent = [
    ...Object.keys(wanted).filter((program) => !isOnPath(program)),
    ...(isOnPath("dpkg-query") ? libraries.filter((name) => !isInstalled(name)) : []),
  ];
  if (absent.length === 0) return;
  const packages = [...new Set(absent.map((name) => wanted[name] ?? name))];
  const prefix = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  if (!isOnPath("apt-get") || (prefix.length > 0 && !isOnPath("sudo"))) throw new SetupError(askFor(absent, packages));
  console.log(`installing ${packages.join(" ")} (apt-get)`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (...words) => [...prefix, "apt-get", "-qq", "-o=Dpkg::Use-Pty=0", ...words];
  for (const [program, ...words] of [apt("update"), apt("install", "-y", "--no-install-recommends", ...packages)]) {
    const result = spawnSync(program, words, { env, encoding: "utf8" });
    if (result.status !== 0)
      throw new SetupError(`${askFor(absent, packages)}\n${result.stderr ?? result.error?.message}`);
  }
  const still = absent.filter((name) => (name in wanted ? !isOnPath(name) : !isInstalled(name)));
  if (still.length > 0) throw new SetupError(askFor(still, packages));
}

function askFor(programs, packages) {
  return `missing: ${programs.join(", ")}. Please install it, for example: apt-get install ${packages.join(" ")}`;
}

function isInstalled(name) {
  const { status, stdout } = spawnSync("dpkg-query", ["-W", "-f=${db:Status-Abbrev}", name], { encoding: "utf8" });
  return status === 0 && stdout.startsWith("ii");
}

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a program with this terminal; throws unless it ends well. */
export function run(program, words, options) {
  // npm is a .cmd file on Windows, which only a shell starts; every word here is a constant of ours.
  const result = spawnSync(program, words, { stdio: "inherit", shell: isWindows && program === "npm", ...options });
  if (result.error) throw new SetupError(`${program} does not start: ${result.error.message}`);
  if (result.status !== 0)
    throw new SetupError(`${program} ${words.join(" ")} ended with ${result.status ?? result.signal}`);
}
