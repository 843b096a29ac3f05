"use strict";

// Runs addColumn.js in the current folder and compares the out.csv it writes with expected.csv, row by row.
// Exit code 0: every row is right. 1: something is wrong, the first differing rows are printed.
const { spawnSync } = require("node:child_process");
const { existsSync, readFileSync, rmSync } = require("node:fs");
const { join } = require("node:path");

const script = "addColumn.js";
const scriptTimeoutMs = 20_000;
const shownRows = 5;

function main() {
  if (!existsSync(script)) return fail([`${script} does not exist`]);
  // An out.csv from before would say nothing about the script as it is now.
  rmSync("out.csv", { force: true });
  const problem = runScript();
  if (problem !== null) return fail([problem]);
  if (!existsSync("out.csv")) return fail([`${script} wrote no out.csv`]);
  const differences = compare(readRows("out.csv"), readRows(join(__dirname, "expected.csv")));
  if (differences.length > 0) return fail(differences);
  console.log("every row of out.csv is right");
  return 0;
}

function runScript() {
  const result = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: scriptTimeoutMs });
  if (result.status === 0) return null;
  const ending = result.error?.message ?? `exit code ${result.status ?? result.signal}`;
  return `node ${script} failed: ${ending}\n${result.stderr ?? ""}`.trimEnd();
}

function readRows(file) {
  const text = readFileSync(file, "utf8").replaceAll("\r\n", "\n").replace(/\n$/, "");
  return text.split("\n").map((line) => line.split(","));
}

/** Row 0 is the header. A row that is right in A, B and C is named by its D alone. */
function compare(got, want) {
  const differences = [];
  for (let row = 0; row < Math.max(got.length, want.length); row += 1) {
    const [mine, right] = [got[row], want[row]];
    if (mine === undefined) differences.push(`row ${row}: missing, want ${right.join(",")}`);
    else if (right === undefined) differences.push(`row ${row}: got ${mine.join(",")}, want no such row`);
    else if (!isSameRow(mine, right))
      differences.push(`row ${row}: got ${differing(mine, right)}, want ${differing(right, mine)}`);
  }
  return differences;
}

function isSameRow(mine, right) {
  return mine.length === right.length && mine.every((cell, column) => isSameCell(cell, right[column]));
}

/** 6 and 6.0 are the same number; text has to be the same text. */
function isSameCell(mine, right) {
  const isNumber = (cell) => cell.trim() !== "" && Number.isFinite(Number(cell));
  return mine === right || (isNumber(mine) && isNumber(right) && Number(mine) === Number(right));
}

function differing(row, other) {
  const isOnlyLast = row.length === other.length && isSameRow(row.slice(0, -1), other.slice(0, -1));
  return isOnlyLast ? row.at(-1) : row.join(",");
}

function fail(lines) {
  for (const line of lines.slice(0, shownRows)) console.log(line);
  if (lines.length > shownRows) console.log(`and ${lines.length - shownRows} more`);
  return 1;
}

process.exitCode = main();
