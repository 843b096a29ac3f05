import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const bundles = ["dist/extension.js", "dist/engine.js", "dist/cli.js", "dist/webview.js"];

/** Each bundle under `root` as { name, bytes, gzip }, or { name, why } where there is nothing to measure. */
export function bundleSizes(root) {
  return bundles.map((name) => {
    const path = join(root, name);
    if (!existsSync(path)) return { name, why: "the build did not write it" };
    const content = readFileSync(path);
    return { name, bytes: content.length, gzip: gzipSync(content, { level: 9 }).length };
  });
}
