// A VS Code of this desktop, or one that is downloaded for it.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./setup.mjs";

const downloadLimitMs = 5 * 60_000;
// Without an answer for that long there is no way to the download.
const silenceLimitMs = 15_000;

/**
 * The program to start: what VSCODE_EXECUTABLE_PATH names, else a download where a window can be shown.
 * Where there is neither: null, after saying why. A path that does not exist is an error.
 */
export async function findDesktopVscode() {
  const named = process.env.VSCODE_EXECUTABLE_PATH;
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) throw new Error(`VSCODE_EXECUTABLE_PATH names ${named}, which does not exist`);
    return named;
  }
  if (!hasDisplay()) {
    console.log("There is no display for a desktop VS Code.");
    return null;
  }
  try {
    return await withinLimit(download());
  } catch (error) {
    console.log(`No desktop VS Code could be downloaded (${error.message}).`);
    return null;
  }
}

function hasDisplay() {
  if (process.platform === "win32" || process.platform === "darwin") return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

async function download() {
  const { downloadAndUnzipVSCode } = await import("@vscode/test-electron");
  return downloadAndUnzipVSCode({ cachePath: join(root, ".cache", "vscode-desktop"), timeout: silenceLimitMs });
}

function withinLimit(work) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not there after ${downloadLimitMs / 60_000} minutes`)), downloadLimitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
