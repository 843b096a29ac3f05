// Runs inside VS Code's extension host: times the first activation of extensions, in the order given.
const { writeFileSync } = require("node:fs");
const { performance } = require("node:perf_hooks");
const vscode = require("vscode");

const settleMs = 3_000;

exports.run = async function run() {
  const { BENCH_REPORT: report, BENCH_EXTENSIONS: ids } = process.env;
  const timings = {};
  // The window is still starting, and its own work in this process would be counted.
  await new Promise((settle) => setTimeout(settle, settleMs));
  for (const id of JSON.parse(ids)) timings[id] = await timeActivation(id);
  writeFileSync(report, JSON.stringify({ vscode: vscode.version, node: process.versions.node, timings }));
};

/** Gives { ms }, the time of loading and activating, or { why } there is none. */
async function timeActivation(id) {
  const extension = vscode.extensions.getExtension(id);
  if (extension === undefined) return { why: `${id} is not in the window` };
  if (extension.isActive) return { why: `${id} was active before the measurement` };
  const start = performance.now();
  try {
    await extension.activate();
  } catch (error) {
    return { why: `${id} does not activate: ${error.message}` };
  }
  return { ms: performance.now() - start };
}
