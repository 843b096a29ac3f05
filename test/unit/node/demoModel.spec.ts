import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { assembleReply } from "../../../extension/core/loop/assembleReply";
import type { ChatMessage, ModelChunk, ModelRequest } from "../../../extension/core/ports/modelClient";
import { DemoModel } from "../../../extension/node/demoModel";
import { demoGoal, nextDemoReply, type DemoCall } from "../../../extension/node/demoModelStory";
import { DemoStage, demoFolder, type StageAnswer } from "../../support/demoStage";
import { FakeClock } from "../../support/fakeClock";

const grader = "../grader/grade.js";
const hidden = (call: DemoCall): string | undefined =>
  call.args["path"] === grader ? "denied: the folder is hidden" : undefined;

/** The guard hides the grader; a person answers the deploys in this order, undefined approves. */
function answering(...deploys: (string | undefined)[]): StageAnswer {
  return (call) => (call.tool === "deploy" ? deploys.shift() : hidden(call));
}

let stage: DemoStage | null = null;
afterEach(() => {
  stage?.dispose();
  stage = null;
});

function open(answer: StageAnswer): DemoStage {
  stage = new DemoStage(answer);
  return stage;
}

/** Plays to the unchecked "done" and sends it back as the gate would. */
async function playToRejection(demo: DemoStage): Promise<string> {
  await demo.playUntilDone();
  const { reason } = demo.grade();
  demo.say(`Your work did not verify: grader: ${reason}. Fix it and finish.`);
  return reason;
}

describe("the story", () => {
  it("says done unchecked, is sent back with foo3.04.0, repairs and ends with a table that the grader accepts", async () => {
    const demo = open(answering("denied: run the checks first"));
    expect(await playToRejection(demo)).toContain("row 2: got foo3.04.0, want foo34");

    const last = await demo.playUntilDone();
    expect(demo.grade().verdict).toBe("pass");
    expect(last.text).toContain("pass after a repair");
    expect(last.text).toContain("It is deployed to prod, with a person's approval");
    expect(JSON.parse(demo.bench.bytes("deployed.json").toString())).toHaveLength(1);
  });

  it("calls its tools in the told order", async () => {
    const demo = open(answering("denied: run the checks first"));
    await playToRejection(demo);
    await demo.playUntilDone();
    const turns = demo.messages.flatMap((message) =>
      message.role === "assistant" ? [(message.tool_calls ?? []).map((call) => call.function.name).join(" ")] : [],
    );
    expect(turns).toEqual([
      "todowrite list_files",
      "read_file read_file",
      "edit_file",
      "write_file todowrite",
      "deploy",
      "",
      "todowrite run_tests",
      "edit_file",
      "run_tests",
      "deploy",
      "todowrite",
      "",
    ]);
  });

  it("has every plan item ticked whenever it says done", async () => {
    const demo = open(answering("denied: run the checks first"));
    await demo.playUntilDone();
    expect(demo.bench.ledger.items.map((item) => item.status)).toEqual(["completed", "completed", "completed"]);
    demo.say("Your work did not verify: grader. Fix it and finish.");
    await demo.playTurn();
    expect(demo.bench.ledger.items.at(-1)?.status).toBe("in_progress");
    await demo.playUntilDone();
    expect(demo.bench.ledger.items.map((item) => item.status)).toEqual(["completed", "completed", "completed"]);
  });

  it("tells a person who denied the deploy what has changed since", async () => {
    const demo = open(answering("denied: no"));
    await playToRejection(demo);
    await demo.playUntilDone();
    const asked = demo.messages.flatMap((message) =>
      message.role === "assistant" ? (message.tool_calls ?? []).filter((call) => call.function.name === "deploy") : [],
    );
    const args = asked.map((call) => JSON.parse(call.function.arguments) as { env: string; note: string });
    expect(args.map(({ env }) => env)).toEqual(["prod", "prod"]);
    expect(args[0]?.note).not.toBe(args[1]?.note);
  });

  it("goes on from the conversation alone, at any turn", async () => {
    const demo = open(answering("denied: run the checks first"));
    await playToRejection(demo);
    await demo.playUntilDone();
    demo.messages.forEach((message, index) => {
      if (message.role !== "assistant") return;
      const again = nextDemoReply(JSON.parse(JSON.stringify(demo.messages.slice(0, index))) as ChatMessage[]);
      expect(again.text).toBe(message.content);
    });
  });
});

describe("when it goes otherwise", () => {
  it("claims no deploy that was denied twice", async () => {
    const demo = open(answering("denied: run the checks first", "denied: not today"));
    await playToRejection(demo);
    const last = await demo.playUntilDone();
    expect(last.text).toContain("Nothing was deployed: the call was denied (not today)");
    expect(last.text).not.toContain("is deployed to prod");
  });

  it("claims no deploy of which the outcome is unknown, and does not repeat it", async () => {
    const demo = open(answering("denied: no", "interrupted, outcome unknown: the process ended while this call ran."));
    await playToRejection(demo);
    const last = await demo.playUntilDone();
    expect(last.text).toContain("Whether it is deployed is not known");
  });

  it("stops and says so when the checks still fail after the repair", async () => {
    const failing = "grader: fail (exit code 1)\nrow 4: got x, want y";
    let runs = 0;
    const demo = open((call) => {
      if (call.tool === "deploy") return "denied: no";
      return call.tool === "run_tests" && ++runs === 2 ? failing : hidden(call);
    });
    await playToRejection(demo);
    const last = await demo.playUntilDone();
    expect(last.text).toContain("still do not pass");
    expect(last.text).toContain("row 4: got x");
    demo.say("Your work did not verify: grader: row 4. Fix it and finish.");
    expect((await demo.playTurn()).calls).toEqual([]);
  });

  it.each(["grader: unavailable", "grader: pass (exit code 0)\nlint: not-run", "there is no check to run"])(
    "takes %j for no pass",
    async (report) => {
      let runs = 0;
      const demo = open((call) => {
        if (call.tool === "deploy") return "denied: no";
        return call.tool === "run_tests" && ++runs === 2 ? report : hidden(call);
      });
      await playToRejection(demo);
      expect((await demo.playUntilDone()).text).toContain("still do not pass");
    },
  );

  it("stops and says so when its edit of the grader is not denied", async () => {
    const demo = open((call) => (call.args["path"] === grader ? "Edited ../grader/grade.js, line 80." : undefined));
    const last = await demo.playUntilDone();
    expect(last.text).toContain("was not denied");
    expect(last.calls).toEqual([]);
  });

  it("does an interrupted write again when nothing was written, and not when it was", async () => {
    const outcomes = ["interrupted before anything was written: the file is as it was before this call."];
    const demo = open((call) => (call.tool === "write_file" ? outcomes.shift() : answering("denied: no")(call, 0)));
    await demo.playUntilDone();
    expect(demo.messages.filter(callsWrite)).toHaveLength(2);
    expect(demo.grade().reason).toContain("foo3.04.0");

    stage?.dispose();
    const written = "interrupted, but the change was already written: the file is as this call wanted it.";
    const other = open((call) => (call.tool === "write_file" ? written : answering("denied: no")(call, 0)));
    await other.playUntilDone();
    expect(other.messages.filter(callsWrite)).toHaveLength(1);
  });

  it("runs the checks again when the first run of them was interrupted", async () => {
    const outcomes = ["interrupted, outcome unknown: the process ended while this call ran."];
    const demo = open((call) => (call.tool === "run_tests" ? outcomes.shift() : answering("denied: no")(call, 0)));
    await playToRejection(demo);
    await demo.playUntilDone();
    expect(outcomes).toEqual([]);
    expect(demo.grade().verdict).toBe("pass");
  });

  it("changes nothing in a folder that is not the sample workspace", async () => {
    const demo = open((call) => (call.tool === "list_files" ? "index.html\nsrc/" : hidden(call)));
    const last = await demo.playUntilDone();
    expect(last.text).toContain("This folder is not a copy of it");
    expect(demo.messages.filter(callsWrite)).toEqual([]);
  });

  it("says of any other goal that it can play one story only", () => {
    const reply = nextDemoReply([{ role: "user", content: "Rename the variable x" }]);
    expect(reply.calls).toEqual([]);
    expect(reply.text).toContain("scripted demo model");
  });
});

const callsWrite = (message: ChatMessage): boolean =>
  message.role === "assistant" && (message.tool_calls ?? []).some((call) => call.function.name === "write_file");

describe("the stream", () => {
  const request: ModelRequest = {
    model: "demo",
    messages: [
      { role: "system", content: "You are an agent." },
      { role: "user", content: demoGoal },
    ],
    stream: true,
    stream_options: { include_usage: true },
  };
  const ids = { mint: () => "spare", isUsed: () => false };

  async function collect(chunks: AsyncIterable<ModelChunk>): Promise<ModelChunk[]> {
    const all: ModelChunk[] = [];
    for await (const chunk of chunks) all.push(chunk);
    return all;
  }

  it("is assembled to a whole reply with text, calls, usage and finish", async () => {
    const model = new DemoModel({ clock: new FakeClock() });
    const chunks = await collect(model.stream(request, new AbortController().signal));
    const assembled = assembleReply(chunks, ids);
    expect(chunks.filter((chunk) => chunk.type === "data").length).toBeGreaterThan(20);
    expect(assembled).toMatchObject({ ok: true, reply: { finish: "tool_calls", done: true, notes: [] } });
    if (!assembled.ok) return;
    const planned = nextDemoReply(request.messages);
    expect(assembled.reply.text).toBe(planned.text);
    expect(assembled.reply.calls.map((call) => call.args)).toEqual(
      planned.calls.map((call) => ({ ok: true, value: call.args })),
    );
    expect(new Set(assembled.reply.calls.map((call) => call.id)).size).toBe(planned.calls.length);
    expect(assembled.reply.usage?.output).toBeGreaterThan(0);
  });

  it("waits between the pieces by the given clock", async () => {
    const clock = new FakeClock();
    const reading = new DemoModel({ clock, deltaMs: 5 }).stream(request, new AbortController().signal);
    expect((await reading.next()).value).toEqual({ type: "activity" });
    let isThere = false;
    const piece = reading.next().then(() => (isThere = true));
    await clock.advance(4);
    expect(isThere).toBe(false);
    await clock.advance(1);
    await piece;
    expect(isThere).toBe(true);
  });

  it("ends as cancelled when it is stopped in the middle", async () => {
    const stop = new AbortController();
    const reading = new DemoModel({ clock: new FakeClock(), deltaMs: 5 }).stream(request, stop.signal);
    await reading.next();
    stop.abort();
    const rest = await collect(reading);
    expect(rest).toMatchObject([{ type: "failure", failure: { code: "cancelled" } }]);
    expect(assembleReply(rest, ids).ok).toBe(false);
  });
});

it("has the goal that is shipped beside the sample workspace", () => {
  expect(readFileSync(join(demoFolder, "goal.txt"), "utf8").trim()).toBe(demoGoal);
});
