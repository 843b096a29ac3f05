// A deploy that always asks, and what a person says to it: where the attacks on approvals begin.
import { expect } from "vitest";
import type { Command } from "../../extension/core";
import type { BenchOptions, RunRecord } from "./agentBench";
import { recordTool, type RecordedTool } from "./benchTools";
import type { ModelStep, ScriptedCall } from "./modelScript";

export const deploy = (env: string, id?: string): ScriptedCall => ({
  name: "deploy",
  args: { env },
  ...(id === undefined ? {} : { id }),
});
export const reply = (...calls: ScriptedCall[]): ModelStep => ({ kind: "reply", calls });
export const done: ModelStep = { kind: "reply", text: "done" };
export const askAlways = () => ({ decision: "ask" as const, reason: "sure?", level: "prod" as const });
export const approve = (id: string, more: Partial<Extract<Command, { type: "approve" }>> = {}): Command => ({
  type: "approve",
  id,
  by: "ana",
  ...more,
});

export function asking(recorded: RecordedTool, more: BenchOptions = {}): BenchOptions {
  return { tools: [recorded.tool], guardrails: [askAlways], ...more };
}

export const newDeploy = (): RecordedTool => recordTool("deploy", { tags: ["command"] });

/** Until so many approvals are pending. */
export async function waiting({ run }: RunRecord, count: number): Promise<void> {
  await expect.poll(() => run.state().approvals.filter((approval) => approval.status === "pending").length).toBe(count);
}

export async function stopWithin2s({ run }: RunRecord, type: "stop" | "close" = "stop"): Promise<void> {
  const startedAt = Date.now();
  expect(await run.send({ type })).toEqual({ ok: true });
  expect(Date.now() - startedAt).toBeLessThan(2_000);
}
