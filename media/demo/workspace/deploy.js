"use strict";

// Stands for a real deployment: keeps a list in deployed.json.
//   node deploy.js <dev|prod> [note] [folder]       adds an entry
//   node deploy.js --status <dev|prod> [folder]     reads back; exit code 1 when there is none
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const environments = ["dev", "prod"];
const usageExitCode = 64;

function main(words) {
  const isStatus = words[0] === "--status";
  const [env, note = "", folder = process.cwd()] = isStatus ? [words[1], "", words[2]] : words;
  if (!environments.includes(env)) {
    console.error("usage: node deploy.js <dev|prod> [note] [folder]  |  node deploy.js --status <dev|prod> [folder]");
    return usageExitCode;
  }
  const log = join(folder, "deployed.json");
  return isStatus ? showStatus(log, env) : deploy(log, env, note);
}

function deploy(log, env, note) {
  const entries = readEntries(log);
  entries.push({ env, note, at: new Date().toISOString() });
  writeFileSync(log, `${JSON.stringify(entries, null, 2)}\n`);
  console.log(`deployed to ${env}`);
  return 0;
}

function showStatus(log, env) {
  const entries = readEntries(log).filter((entry) => entry.env === env);
  const last = entries.at(-1);
  console.log(
    last === undefined ? `nothing is deployed to ${env}` : `${env}: deployed ${entries.length}x, last at ${last.at}`,
  );
  return last === undefined ? 1 : 0;
}

function readEntries(log) {
  return existsSync(log) ? JSON.parse(readFileSync(log, "utf8")) : [];
}

process.exitCode = main(process.argv.slice(2));
