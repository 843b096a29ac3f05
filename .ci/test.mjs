// npm test: sets the clone up, then runs every check. The last line is `N passed, M failed`.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SetupError, ensureDebian, root, setup } from "./setup.mjs";

const reports = join(root, "test-output");
const counts = { passed: 0, failed: 0 };

const steps = [
  { name: "typecheck core", script: "typescript/bin/tsc", words: ["-p", "extension/core", "--noEmit"] },
  { name: "typecheck rest", script: "typescript/bin/tsc", words: ["-p", ".", "--noEmit"] },
  { name: "typecheck webview", script: "typescript/bin/tsc", words: ["-p", "webview", "--noEmit"] },
  { name: "lint", script: "eslint/bin/eslint.js", words: [".", "--max-warnings", "0"] },
  { name: "format", script: "prettier/bin/prettier.cjs", words: ["--check", "--log-level", "warn", "."] },
  { name: "build", file: "esbuild.mjs", words: [] },
];

async function main() {
  const toolchain = setup();
  // Used by tests: real repositories, the sample grader, private views, checks by a real runner.
  ensureDebian({ git: "git", python3: "python3", ...(process.platform === "linux" ? { bwrap: "bubblewrap" } : {}) });
  ensurePytest();
  for (const step of steps) await runStep(toolchain, step);
  await runCounted(toolchain, "unit tests", unitTests(), toVitestCounts);
  await runCounted(toolchain, "host", { file: "host.json", words: [script("hostTests.mjs"), "--built"] }, toHostCounts);
  await runCounted(toolchain, "e2e", { file: "e2e.json", words: [script("e2eTests.mjs"), "--built"] }, toVitestCounts);
}

/** Any Python's will do: people have it from many places. */
function ensurePytest() {
  const has = (program) => spawnSync(program, ["-c", "import pytest"]).status === 0;
  if (!["python3", "/usr/bin/python3"].some(has)) ensureDebian({}, ["python3-pytest"]);
}

const script = (name) => join(root, ".ci", name);

function unitTests() {
  const file = "vitest.json";
  const words = [join(root, "node_modules", "vitest", "vitest.mjs"), "run", "--silent=passed-only"];
  words.push("--reporter=default", "--reporter=json", `--outputFile.json=${join(reports, file)}`);
  return { file, words };
}

/** Runs a suite that leaves a report; one that left none has failed. */
async function runCounted(toolchain, name, { file, words }, toCounts) {
  const path = join(reports, file);
  rmSync(path, { force: true });
  mkdirSync(reports, { recursive: true });
  const exitCode = await start(toolchain, name, words);
  const report = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
  const { passed, failed } = report === undefined ? { passed: 0, failed: 1 } : toCounts(report, exitCode);
  counts.passed += passed;
  counts.failed += failed;
}

/** The host's runner has counted; it must not contradict its own ending. */
function toHostCounts({ passed, failed }, exitCode) {
  return { passed, failed: failed === 0 && (exitCode !== 0 || passed === 0) ? 1 : failed };
}

async function runStep(toolchain, { name, script, file, words }) {
  const entry = file === undefined ? join(root, "node_modules", script) : join(root, file);
  count(name, (await start(toolchain, name, [entry, ...words])) === 0);
}

/** A run that failed without naming a failed test, or that skipped one, has one failure more. */
function toVitestCounts(report, exitCode) {
  const passed = report.numPassedTests;
  const unfinished = report.numTotalTests - passed - report.numFailedTests;
  // A file that does not load has no tests: vitest counts it as a suite only.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  );
  const failed = report.numFailedTests + unfinished + brokenFiles.length;
  const isUnexplained = failed === 0 && (exitCode !== 0 || report.success !== true || passed === 0);
  return { passed, failed: isUnexplained ? 1 : failed };
}

function start(toolchain, name, words) {
  console.log(`\n== ${name}`);
  const startedAt = performance.now();
  return new Promise((settle) => {
    const child = spawn(toolchain.node, words, {
      cwd: root,
      env: toolchain.env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", (error) => {
      console.error(`${name} does not start: ${error.message}`);
      settle(1);
    });
    child.on("close", (code, signal) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`== ${name}: ${code === 0 ? "ok" : `failed (${code ?? signal})`}, ${seconds} s`);
      settle(code ?? 1);
    });
  });
}

function count(name, hasPassed) {
  counts[hasPassed ? "passed" : "failed"] += 1;
}

function finish() {
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
}

function fail(error) {
  counts.failed += 1;
  console.error(error instanceof SetupError ? error.message : error);
}

// A rejection nobody waits for does not reach main's catch.
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error) => {
    fail(error);
    finish();
    process.exit();
  });
}

await main().catch(fail);
finish();
