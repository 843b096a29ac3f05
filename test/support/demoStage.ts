import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../../extension/core/gate/checkResult";
import type { ChatMessage } from "../../extension/core/ports/modelClient";
import { createCustomTool } from "../../extension/core/tools/customTool";
import { editFile } from "../../extension/core/tools/editFile";
import { listFiles } from "../../extension/core/tools/listFiles";
import { readFile } from "../../extension/core/tools/readFile";
import { createRunTests } from "../../extension/core/tools/runTests";
import { todowrite } from "../../extension/core/tools/todowrite";
import { writeFile } from "../../extension/core/tools/writeFile";
import { nextDemoReply, type DemoCall, type DemoReply } from "../../extension/node/demoModelStory";
import { textOf, ToolBench } from "./toolBench";

export const demoFolder = join(import.meta.dirname, "..", "..", "media", "demo");

const deploy = createCustomTool("deploy", {
  description: "Deploy the table to an environment",
  parameters: { env: { enum: ["dev", "prod"] }, note: { type: "string", optional: true } },
  run: [process.execPath, "deploy.js", "${env}", "${note}"],
  readback: [process.execPath, "deploy.js", "--status", "${env}"],
  timeoutMs: 20_000,
});
const tools = [editFile, listFiles, readFile, todowrite, writeFile, createRunTests(() => ["grader"]), deploy];

/** Answers a call in the place of its tool; undefined lets the tool run. */
export type StageAnswer = (call: DemoCall, turn: number) => string | undefined;

/** Plays the demo model's story with the real tools and the real grader; gate and guard are the test's. */
export class DemoStage {
  readonly bench = new ToolBench();
  readonly messages: ChatMessage[] = [];

  constructor(private readonly answer: StageAnswer) {
    cpSync(join(demoFolder, "workspace"), this.bench.root, { recursive: true });
    this.messages.push({ role: "user", content: readFileSync(join(demoFolder, "goal.txt"), "utf8").trim() });
  }

  say(content: string): void {
    this.messages.push({ role: "user", content });
  }

  /** Turns until the model says that it is finished; answers that last reply. */
  async playUntilDone(): Promise<DemoReply> {
    for (let turn = 1; turn <= 20; turn += 1) {
      const reply = await this.playTurn();
      if (reply.calls.length === 0) return reply;
    }
    throw new Error("the demo model does not come to an end");
  }

  async playTurn(): Promise<DemoReply> {
    const turn = this.messages.filter((message) => message.role === "assistant").length + 1;
    const reply = nextDemoReply(this.messages);
    const calls = reply.calls.map((call, index) => ({
      id: `demo_${turn}_${index}`,
      type: "function" as const,
      function: { name: call.tool, arguments: JSON.stringify(call.args) },
    }));
    this.messages.push({ role: "assistant", content: reply.text, ...(calls.length > 0 ? { tool_calls: calls } : {}) });
    for (const [index, call] of reply.calls.entries()) {
      const content = this.answer(call, turn) ?? (await this.run(call));
      this.messages.push({ role: "tool", tool_call_id: `demo_${turn}_${index}`, content });
    }
    return reply;
  }

  /** The real grader on the workspace as it is now. */
  grade(): CheckResult {
    const words = [join(demoFolder, "grader", "grade.js")];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: this.bench.root, encoding: "utf8" });
    return {
      name: "grader",
      verdict: status === 0 ? "pass" : "fail",
      exitCode: status,
      durationMs: 0,
      tests: null,
      evidence: "exit-code",
      tree: null,
      provenance: "test",
      reason: status === 0 ? "" : stdout + stderr,
    };
  }

  dispose(): void {
    this.bench.dispose();
  }

  private async run(call: DemoCall): Promise<string> {
    const tool = tools.find((candidate) => candidate.name === call.tool);
    if (tool === undefined) throw new Error(`the demo model calls ${call.tool}, which is not on this stage`);
    if (call.tool === "run_tests") this.bench.checks = [this.grade()];
    return textOf(await this.bench.call(tool, call.args));
  }
}
