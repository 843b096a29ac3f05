import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../../.ci/setup.mjs";

/** What a turn costs late in a run against early, and what 2,000 turns with 1 MB outputs leave in memory; `why` where not measured. */
export async function longRuns(toolchain, folder) {
  try {
    const probe = await buildProbe(folder);
    const small = measure(toolchain, probe, 1_000, 100);
    const large = measure(toolchain, probe, 2_000, 1_048_576);
    return { costRatio: lateOverEarly(small.samples), grownMb: grown(large.samples), small, large };
  } catch (error) {
    return { why: error.message };
  }
}

export function printLongRuns({ why, costRatio, grownMb }) {
  if (why !== undefined) return console.log(`\nlong runs not measured: ${why}`);
  console.log(`\nCPU of a turn, last fifth over first fifth of 1,000 turns: ${costRatio.toFixed(2)}`);
  console.log(`heap grown over 2,000 turns with 1 MB outputs: ${grownMb.toFixed(1)} MB`);
}

async function buildProbe(folder) {
  const { build } = await import("esbuild");
  const outfile = join(folder, "longRunProbe.cjs");
  const entry = join(root, "test", "bench", "longRunProbe.ts");
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
  });
  return outfile;
}

function measure(toolchain, probe, turns, bytes) {
  const { stdout, stderr, status } = spawnSync(toolchain.node, ["--expose-gc", probe, String(turns), String(bytes)], {
    encoding: "utf8",
    env: toolchain.env,
  });
  if (status !== 0) throw new Error(`the probe ended with ${status}: ${stderr.slice(0, 500)}`);
  const result = JSON.parse(stdout);
  if (result.status !== "done" || result.turns !== turns + 1)
    throw new Error(`the run of ${turns} turns did not end as done`);
  return result;
}

/** Ratio of the CPU a turn took; the first turns warm the program up and are left out. */
function lateOverEarly(samples) {
  const at = (share) => samples[Math.round((samples.length - 1) * share)];
  const cost = (from, to) => (to.cpuMs - from.cpuMs) / (to.turn - from.turn);
  return cost(at(0.8), at(1)) / cost(at(0.1), at(0.3));
}

/** From where a tenth of the run is over. */
function grown(samples) {
  return samples.at(-1).heapMb - samples[Math.round(samples.length / 10)].heapMb;
}
