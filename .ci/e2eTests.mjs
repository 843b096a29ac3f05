// Runs the clicks (test/e2e) in VS Code's server and Chromium. Words that are no flags of ours go to vitest.
// Writes vitest's report to test-output/e2e.json.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root, run, setup } from "./setup.mjs";
import { installVscodeServer } from "./vscodeInstall.mjs";

const report = join(root, "test-output", "e2e.json");

function main(words) {
  rmSync(report, { force: true });
  mkdirSync(join(root, "test-output"), { recursive: true });
  const { node, env } = setup();
  installVscodeServer({ node, env });
  if (!words.includes("--built")) run(node, [join(root, "esbuild.mjs")], { cwd: root, env });
  const vitest = ["run", "--config", "test/e2e/vitest.config.mts", "--silent=passed-only"];
  vitest.push("--reporter=default", "--reporter=json", `--outputFile.json=${report}`);
  vitest.push(...words.filter((word) => word !== "--built"));
  const entry = join(root, "node_modules", "vitest", "vitest.mjs");
  return spawnSync(node, [entry, ...vitest], { cwd: root, env, stdio: "inherit" }).status ?? 1;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
