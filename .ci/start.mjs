// npm start: sets the clone up, builds, and hands over to the program.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { root, setup } from "./setup.mjs";

const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

async function main(words) {
  const toolchain = setup();
  if (!words.includes("--headless")) return runNode(toolchain, [join(root, ".ci", "editor.mjs"), ...words]);
  const built = await runNode(toolchain, [join(root, "esbuild.mjs")]);
  if (built !== 0) return built;
  return runNode(toolchain, [join(root, ".ci", "demo.mjs"), ...words.filter((word) => word !== "--headless")]);
}

/** Runs a script on the toolchain's Node with this terminal; gives its exit code. */
function runNode({ node, env }, words) {
  return new Promise((settle, reject) => {
    const child = spawn(node, words, { cwd: root, env, stdio: "inherit" });
    // Wait for the child's own ending instead of leaving it behind. Ctrl-C on a terminal reaches the child
    // without us, and twice could mean "at once" to it.
    const forward = (signal) => (signal === "SIGINT" && process.stdin.isTTY ? true : child.kill(signal));
    for (const signal of endingSignals) process.on(signal, forward);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const name of endingSignals) process.off(name, forward);
      settle(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
