// One long run in a process of its own, started with --expose-gc; prints one line of JSON. The model answers in process, so
// that what is measured is the harness and not a server: what the engine, the journal on the disk and the tools take a turn.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { defineTool, runAgent } from "../../extension/core";
import type { ModelChunk, ModelClient } from "../../extension/core/ports/modelClient";
import { boundText } from "../../extension/core/tools/boundText";
import { FileJournalStore } from "../../extension/node/fileJournalStore";
import { NodeHasher } from "../../extension/node/nodeHasher";
import { RandomIds } from "../../extension/node/randomIds";
import { SystemClock } from "../../extension/node/systemClock";

const turns = Number(process.argv[2]);
const outputBytes = Number(process.argv[3]);
const every = Math.max(1, Math.floor(turns / 20));
const samples: { turn: number; cpuMs: number; heapMb: number }[] = [];
let turn = 0;

const model: ModelClient = {
  endpoint: "bench",
  async *stream({ messages }): AsyncGenerator<ModelChunk, void, void> {
    await Promise.resolve();
    if (turn % every === 0) sample();
    turn += 1;
    const call = { index: 0, id: `c${turn}`, function: { name: "work", arguments: JSON.stringify({ at: turn }) } };
    const delta = turn > turns ? { content: "done" } : { tool_calls: [call] };
    const read = messages.reduce((sum, message) => sum + (message.content?.length ?? 0), 0);
    const usage = { prompt_tokens: Math.ceil(read / 4), completion_tokens: 10 };
    yield { type: "data", json: JSON.stringify({ choices: [{ delta, finish_reason: "stop" }], usage }) };
    yield { type: "done" };
  },
};

const work = defineTool({
  name: "work",
  description: "Prints much",
  args: z.strictObject({ at: z.int() }),
  tags: ["read"],
  run: ({ at }) => {
    const output = `${at} `.repeat(Math.ceil(outputBytes / `${at} `.length));
    const bounded = boundText(output);
    return Promise.resolve({ ok: true, output: bounded.text, ...(bounded.cut ? { fullOutput: output } : {}) });
  },
});

function sample(): void {
  globalThis.gc?.();
  samples.push({ turn, cpuMs: process.cpuUsage().user / 1_000, heapMb: process.memoryUsage().heapUsed / 1_048_576 });
}

void (async () => {
  const folder = mkdtempSync(join(tmpdir(), "donegate-long-"));
  try {
    const clock = new SystemClock();
    const journal = new FileJournalStore({ file: join(folder, "journal.jsonl") });
    const ports = { clock, ids: new RandomIds(clock), hasher: new NodeHasher(), journal };
    const run = runAgent({ goal: "work", modelName: "bench", model, tools: [work], ports, contextWindow: 200_000 });
    const state = await run.settled;
    sample();
    process.stdout.write(`${JSON.stringify({ status: state.end?.status, turns: state.turns, samples })}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();
