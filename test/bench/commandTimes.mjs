// What judging one more command of 200 characters costs once the grammar is loaded: the slope between few and many commands
// of one process, so that its start does not count.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [few, many] = [100, 600];
const line =
  "npm test -- --coverage 2>&1 | tail -n 40 && git status --short && for f in src/*.ts; do wc -l \"$f\"; done; grep -rn 'TODO' src | head -5; cat package.json | jq -r '.scripts.test' | tr a-z A-Z; ls -la src";

/** `built` holds dist/cli.js. Answers { msPerCommand, characters }. */
export function commandTimes({ node, env }, built) {
  const workspace = mkdtempSync(join(tmpdir(), "donegate-commands-"));
  try {
    mkdirSync(join(workspace, "src"));
    writeFileSync(join(workspace, "package.json"), JSON.stringify({ scripts: { test: "jest" } }));
    const took = (count) => timeOf({ node, env, cli: join(built, "dist", "cli.js"), workspace, count });
    took(few);
    const slopes = [1, 2, 3].map(() => (took(many) - took(few)) / (many - few));
    return { msPerCommand: slopes.toSorted((a, b) => a - b)[1], characters: line.length };
  } finally {
    rmSync(workspace, { recursive: true, force: true });
  }
}

function timeOf({ node, env, cli, workspace, count }) {
  const input = Array.from({ length: count }, (_, index) => JSON.stringify(`${line} ${index}`)).join("\n");
  const start = performance.now();
  const words = [cli, "check-command", "-", "--workspace", workspace];
  const { status, stdout, stderr } = spawnSync(node, words, { env, input, encoding: "utf8", maxBuffer: 1 << 28 });
  const ms = performance.now() - start;
  if (status !== 0 || stdout.trim().split("\n").length !== count) throw new Error(`check-command failed: ${stderr}`);
  return ms;
}
