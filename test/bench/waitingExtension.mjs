import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../.ci/setup.mjs";

const copied = ["media", "l10n", "package.nls.json"];

/** Builds the extension for production into `folder`, with no event that activates it before the probe does. */
export function buildWaitingExtension({ root, node, env }, folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of copied.filter((name) => existsSync(join(root, name)))) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...manifest, activationEvents: [] }));
  // Not the repository's dist, which another build may replace while this one is measured.
  run(node, [join(root, "esbuild.mjs"), "--production", "--into", join(folder, "dist")], { cwd: root, env });
}
