// Measures bundle sizes and activation; prints a table and writes test-output/bench.json. It asserts nothing about time,
// yet a measurement that is missing makes it end with 1.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, setup } from "../../.ci/setup.mjs";
import { bundleSizes } from "./bundleSizes.mjs";
import { commandTimes } from "./commandTimes.mjs";
import { longRuns, printLongRuns } from "./longRuns.mjs";
import { buildWaitingExtension } from "./waitingExtension.mjs";

const windows = 3;
const output = join(root, "test-output", "bench.json");

async function main() {
  mkdirSync(join(root, "test-output"), { recursive: true });
  rmSync(output, { force: true });
  const built = mkdtempSync(join(tmpdir(), "donegate-built-"));
  try {
    const toolchain = setup();
    buildWaitingExtension(toolchain, built);
    const sizes = bundleSizes(built);
    printSizes(sizes);
    const commands = measureCommands(toolchain, built);
    const activation = await measureActivation(toolchain, built);
    printActivation(activation);
    const long = await longRuns(toolchain, built);
    printLongRuns(long);
    writeFileSync(output, `${JSON.stringify({ sizes, activation, long }, null, 2)}\n`);
    return [...sizes, activation, long].some(({ why }) => why !== undefined) ? 1 : 0;
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

function measureCommands(toolchain, built) {
  try {
    const times = commandTimes(toolchain, built);
    console.log(`\njudging one more command of ${times.characters} characters: ${times.msPerCommand.toFixed(2)} ms`);
    return times;
  } catch (error) {
    console.log(`\ncommands not measured: ${error.message}`);
    return { why: error.message };
  }
}

async function measureActivation(toolchain, built) {
  try {
    // Imports packages, which a fresh clone has only now.
    const { activationTimes } = await import("./activationTimes.mjs");
    const each = await activationTimes(toolchain, built, windows);
    return { ...summary(each), windows: each };
  } catch (error) {
    return { why: error.message };
  }
}

function summary(each) {
  const oursMs = median(each.map((one) => one.oursMs));
  const emptyMs = median(each.map((one) => one.emptyMs));
  return { oursMs, emptyMs, ratio: median(each.map((one) => one.oursMs / one.emptyMs)) };
}

/** Of an odd number of values. */
function median(values) {
  return values.toSorted((a, b) => a - b)[(values.length - 1) / 2];
}

function printSizes(sizes) {
  console.log(row("bundle", "bytes", "gzip"));
  for (const { name, bytes, gzip, why } of sizes) {
    console.log(why === undefined ? row(name, bytes, gzip) : `${name} not measured: ${why}`);
  }
}

function printActivation({ why, windows: each, oursMs, emptyMs, ratio }) {
  if (why !== undefined) {
    console.log(`\nactivation not measured: ${why}`);
    return;
  }
  console.log(`\nVS Code ${each[0].vscode}, Node ${each[0].node}, server and Chromium`);
  console.log(row("load and activate", "donegate ms", "empty ms", "ratio"));
  each.forEach((one, index) =>
    console.log(timeRow(`window ${index + 1}`, { ...one, ratio: one.oursMs / one.emptyMs })),
  );
  console.log(timeRow("median", { oursMs, emptyMs, ratio }));
}

function timeRow(name, { oursMs, emptyMs, ratio }) {
  return row(name, oursMs.toFixed(1), emptyMs.toFixed(1), ratio.toFixed(1));
}

function row(name, ...cells) {
  return name.padEnd(20) + cells.map((cell) => String(cell).padStart(13)).join("");
}

// A download that was given up on would keep the process alive.
process.exit(
  await main().catch((error) => {
    console.error(error.message);
    return 1;
  }),
);
