// Plays the sample task on the scripted demo model through the built command line, and checks what the journal says.
// Run by `npm start -- --headless`. On a terminal the command line asks the person; without one, answers are scripted.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, "dist", "cli.js");
const pendingExitCode = 3;
const mostAnswers = 5;
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** What the absent person says to deploys to prod, in this order. */
const scriptedAnswers = [{ deny: "run the checks first" }, { approve: true }];
const unforeseen = { deny: "the scripted person has no answer for this call" };

async function main() {
  const place = mkdtempSync(join(tmpdir(), "donegate-demo-"));
  cpSync(join(root, "media", "demo"), place, { recursive: true });
  const journal = join(place, "journal.jsonl");
  const goal = readFileSync(join(place, "goal.txt"), "utf8").trim();
  const run = ["run", "--workspace", join(place, "workspace"), "--journal", journal, "--model", "demo"];
  const words = [...run, "--trust-config", goal];

  const isTerminal = Boolean(process.stdin.isTTY && process.stdout.isTTY);
  const exitCode = isTerminal ? await runCli(words) : await playWithoutPerson(words, journal);
  const problems = exitCode === 0 ? await inspect(journal) : [`the run ended with exit code ${exitCode}`];
  console.log();
  for (const problem of problems) console.log(`Not as it should be: ${problem}`);
  if (problems.length === 0) console.log("The journal holds, in order: not verified, verified, success.");
  console.log(`Workspace: ${join(place, "workspace")}`);
  console.log(`Journal: ${journal}`);
  return problems.length === 0 ? 0 : exitCode || 1;
}

/** Answers what waits until nothing waits any more; every answer is labelled as scripted. */
async function playWithoutPerson(words, journal) {
  const answers = [...scriptedAnswers];
  let turn = await runCliForJson(words);
  for (let round = 0; turn.exitCode === pendingExitCode && round < mostAnswers; round += 1) {
    const waiting = turn.outcome?.pendingApprovals ?? [];
    if (waiting.length === 0) break;
    turn = await runCliForJson([
      "resume",
      "--journal",
      journal,
      ...waiting.flatMap((approval) => answer(approval, answers)),
    ]);
  }
  const { status, verdict } = turn.outcome ?? {};
  if (turn.exitCode === 0 && (status !== "done" || verdict !== "VERIFIED")) {
    console.log(`exit code 0, but status ${status} and verdict ${verdict}`);
    return 1;
  }
  return turn.exitCode;
}

function answer({ id, tool, args }, answers) {
  const isForeseen = tool === "deploy" && args?.env === "prod";
  const { deny } = (isForeseen ? answers.shift() : undefined) ?? unforeseen;
  const said = deny === undefined ? "approved" : `denied, "${deny}"`;
  console.log(`[scripted answer] ${id} ${tool} ${JSON.stringify(args)}: ${said}`);
  return deny === undefined ? ["--approve", id] : ["--deny", id, "--reason", deny];
}

/** What the journal does not hold although this story has to leave it there; empty when all is well. */
async function inspect(journal) {
  if (!existsSync(journal)) return ["there is no journal"];
  const events = readFileSync(journal, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const problems = [];
  const rejected = events.findIndex((event) => event.type === "verification_end" && event.passed === false);
  const verified = events.findLastIndex((event) => event.type === "verification_end" && event.passed === true);
  const ended = events.findLastIndex((event) => event.type === "agent_end");
  if (rejected < 0) problems.push("no verification failed");
  if (verified < rejected) problems.push("no verification passed after the one that failed");
  if (ended < verified || events[ended]?.outcome !== "success") problems.push("the run did not end in success");
  const denials = events.filter((event) => event.type === "guardrail_denied" && event.tool === "edit_file");
  if (denials.length === 0) problems.push("the edit of the grader was not denied");
  if ((await runCli(["journal", "verify", journal])) !== 0) problems.push("the journal's chain does not hold");
  return problems;
}

function runCli(words) {
  return start(words, { stdio: "inherit" }).ended;
}

/** Passes the story on as it comes; standard output holds one JSON object, the outcome, and nothing else. */
async function runCliForJson(words) {
  const env = { ...process.env, DONEGATE_PERSON: "scripted answer" };
  const { child, ended } = start([...words, "--json"], { stdio: ["ignore", "pipe", "pipe"], env });
  const story = createInterface({ input: child.stderr }).on("line", (line) => console.log(line));
  const [text, exitCode] = await Promise.all([readAll(child.stdout), ended, once(story, "close")]);
  return { exitCode, outcome: text.startsWith("{") ? JSON.parse(text) : null };
}

async function readAll(stream) {
  let text = "";
  for await (const piece of stream.setEncoding("utf8")) text += piece;
  return text;
}

function start(words, options) {
  const child = spawn(process.execPath, [cli, ...words], options);
  // Ctrl-C on a terminal reaches the child without us, and twice could mean "at once" to it.
  const forward = (signal) => (signal === "SIGINT" && process.stdin.isTTY ? true : child.kill(signal));
  for (const signal of endingSignals) process.on(signal, forward);
  const ended = new Promise((settle, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      for (const name of endingSignals) process.off(name, forward);
      settle(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
  return { child, ended };
}

process.exitCode = await main().catch((error) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
