import { describe, expect, it } from "vitest";
import { pendingApprovals } from "../../../extension/core";
import { EditorBench, idOf, untilEntry } from "../../support/editorBench";
import { call, say } from "../../support/workspaceBench";

const askFirst = "guardrails:\n  - { ask: { tool: run_command }, reason: sure? }\n";
const touch = (name: string) => call({ name: "run_command", args: { command: `touch ${name}` } });
const ended = ({ mode }: { mode: string }): boolean => mode === "ended";

describe("a run started from the editor", () => {
  it("is live, then ended, and its events are those of its journal", async () => {
    const bench = new EditorBench();
    await bench.serve([call({ name: "write_file", args: { path: "a.txt", content: "a\n" } }), say("Written.")]);
    const runs = bench.open();
    const id = idOf(await runs.start(bench.wish()));
    expect(runs.current()).toMatchObject({ id, mode: "live", root: bench.root, whole: true });
    const entry = await untilEntry(runs, id, ended);
    expect(entry.state.end?.status).toBe("done");
    expect(runs.events(id).map(({ type }) => type)).toEqual(bench.typesIn(entry));
    expect(bench.has("a.txt")).toBe(true);
  });

  it("tells text as signals and changes at most ten times a second", async () => {
    const bench = new EditorBench();
    await bench.serve([{ kind: "reply", text: "Nothing to do.", chunking: "bytes" }]);
    const runs = bench.open();
    const changes: number[] = [];
    let text = "";
    runs.onDidChange(() => changes.push(performance.now()));
    runs.onSignal((_id, signal) => (text += signal.type === "text_delta" ? signal.text : ""));
    const id = idOf(await runs.start(bench.wish()));
    await untilEntry(runs, id, ended);
    expect(text).toBe("Nothing to do.");
    const gaps = changes.slice(1).map((at, index) => at - (changes[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(95);
  });

  it.each([null, 32_768])("freezes the context window that the settings give: %j", async (contextWindow) => {
    const bench = new EditorBench();
    bench.contextWindow = contextWindow;
    await bench.serve([say("Nothing to do.")]);
    const runs = bench.open();
    const entry = await untilEntry(runs, idOf(await runs.start(bench.wish())), ended);
    expect(entry.state.spec?.contextWindow ?? null).toBe(contextWindow);
    expect(entry.state.window).toBe(contextWindow);
  });

  it("does not begin in Restricted Mode, without an accepted donegate.yaml, or with an invalid one", async () => {
    const bench = new EditorBench();
    const runs = bench.open();
    bench.isTrusted = false;
    expect(await runs.start(bench.wish())).toMatchObject({ ok: false, code: "restricted" });
    bench.isTrusted = true;
    bench.put("donegate.yaml", 'verify: { maxAttempts: 1, checks: [{ name: t, run: "true" }] }\n');
    bench.accepts = false;
    expect(await runs.start(bench.wish())).toMatchObject({ ok: false, code: "not-accepted" });
    expect(bench.accepted.flat().join("\n")).toContain("check t: true");
    bench.put("donegate.yaml", "verify:\n  maxAttempts: 1\n  chekcs: []\n");
    expect(await runs.start(bench.wish())).toMatchObject({ code: "config", at: { line: 3, column: 3 } });
    expect(bench.journals()).toEqual([]);
  });

  it("waits for the run that works on the same folder, and then begins", async () => {
    const bench = new EditorBench();
    bench.put("donegate.yaml", askFirst);
    await bench.serve([touch("first"), say("One."), say("Two.")]);
    const runs = bench.open();
    const first = idOf(await runs.start(bench.wish("first")));
    const second = await runs.start(bench.wish("second"));
    expect(second).toMatchObject({ ok: true, queued: true });
    const waiting = await untilEntry(runs, first, ({ state }) => pendingApprovals(state).length === 1);
    expect(runs.find(idOf(second))).toBeNull();
    const { digest } = pendingApprovals(waiting.state)[0]!;
    expect(await runs.send(first, { type: "approve", id: "A1", by: "Ada", digest })).toEqual({ ok: true });
    await untilEntry(runs, first, ended);
    const entry = await untilEntry(runs, idOf(second), ended);
    expect(entry.state.spec?.goal).toBe("second");
  });

  it("says of a queued run why it could not begin", async () => {
    const bench = new EditorBench();
    bench.put("donegate.yaml", askFirst);
    await bench.serve([touch("first")]);
    const runs = bench.open();
    const first = idOf(await runs.start(bench.wish("first")));
    await runs.start(bench.wish("second"));
    await untilEntry(runs, first, ({ state }) => pendingApprovals(state).length === 1);
    bench.put("donegate.yaml", "nonsense: 1\n");
    await runs.send(first, { type: "stop" });
    await untilEntry(runs, first, ended);
    await expect.poll(() => bench.notices.map(({ kind }) => kind)).toEqual(["queued-refused"]);
    expect(bench.notices[0]?.message).toContain('"second" was not started');
  });

  it("verifies with the folder's own checks, and with those a run has frozen", async () => {
    const bench = new EditorBench();
    bench.put("donegate.yaml", 'verify: { maxAttempts: 1, checks: [{ name: t, run: "test -f a.txt" }] }\n');
    const runs = bench.open();
    expect(await runs.verifyNow(bench.root)).toMatchObject({ ok: true, verdict: "FALSE-COMPLETION" });
    await bench.serve([call({ name: "write_file", args: { path: "a.txt", content: "a\n" } }), say("Written.")]);
    const id = idOf(await runs.start(bench.wish()));
    expect((await untilEntry(runs, id, ended)).state.end?.status).toBe("done");
    bench.put("donegate.yaml", 'verify: { maxAttempts: 1, checks: [{ name: other, run: "false" }] }\n');
    const report = await runs.verifyNow(bench.root);
    expect(report).toMatchObject({ ok: true, verdict: "VERIFIED", checks: [{ name: "t", verdict: "pass" }] });
  });
});

describe("a run that a window has left", () => {
  it("waits in the next window, and an answer there counts once", async () => {
    const bench = new EditorBench();
    bench.put("donegate.yaml", askFirst);
    await bench.serve([touch("made")]);
    const before = bench.open();
    const id = idOf(await before.start(bench.wish()));
    await untilEntry(before, id, ({ state }) => pendingApprovals(state).length === 1);
    await before.leave();

    const runs = bench.open();
    await runs.load();
    const entry = runs.find(id)!;
    expect(entry).toMatchObject({ mode: "paused", whole: true, holder: null });
    expect(bench.typesIn(entry)).not.toContain("agent_end");
    await bench.serve([say("Made.")]);
    const { digest } = pendingApprovals(entry.state)[0]!;
    const approve = { type: "approve", id: "A1", by: "Ada", digest } as const;
    const answers = await Promise.all([runs.send(id, approve), runs.send(id, approve)]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, false]);
    const done = await untilEntry(runs, id, ended);
    expect(bench.has("made")).toBe(true);
    expect(bench.typesIn(done).filter((type) => type === "tool_start")).toHaveLength(1);
  });

  it("refuses an answer about another call, and stays as it was", async () => {
    const bench = new EditorBench();
    bench.put("donegate.yaml", askFirst);
    await bench.serve([touch("made")]);
    const before = bench.open();
    const id = idOf(await before.start(bench.wish()));
    await untilEntry(before, id, ({ state }) => pendingApprovals(state).length === 1);
    await before.leave();
    const runs = bench.open();
    await runs.load();
    const types = bench.typesIn(runs.find(id)!);
    const wrong = { type: "approve", id: "A1", by: "Ada", digest: "another" } as const;
    expect(await runs.send(id, wrong)).toMatchObject({ ok: false });
    expect(bench.typesIn(runs.find(id)!)).toEqual(types);
    expect(runs.find(id)?.mode).toBe("paused");
  });

  it("ends by a stop without asking the model again", async () => {
    const bench = new EditorBench();
    const server = await bench.serve([{ kind: "stall" }]);
    const before = bench.open();
    const id = idOf(await before.start(bench.wish()));
    await expect.poll(() => server.requests.length).toBe(1);
    await before.leave();
    const runs = bench.open();
    await runs.load();
    expect(await runs.send(id, { type: "stop" })).toEqual({ ok: true });
    const entry = await untilEntry(runs, id, ended);
    expect(entry.state.end?.status).toBe("interrupted");
    expect(server.requests).toHaveLength(1);
  });

  it("goes on from a resume where the model was being asked", async () => {
    const bench = new EditorBench();
    const server = await bench.serve([{ kind: "stall" }]);
    const before = bench.open();
    const id = idOf(await before.start(bench.wish()));
    await expect.poll(() => server.requests.length).toBe(1);
    await before.leave();
    await bench.serve([say("Here again.")]);
    const runs = bench.open();
    await runs.load();
    idOf(await runs.resume(id));
    expect((await untilEntry(runs, id, ended)).state.text).toBe("Here again.");
  });
});

describe("histories", () => {
  it("are known by goal and end until one is opened", async () => {
    const bench = new EditorBench();
    await bench.serve([call({ name: "write_file", args: { path: "a.txt", content: "a\n" } }), say("Written.")]);
    const before = bench.open();
    const id = idOf(await before.start(bench.wish("make a.txt")));
    await untilEntry(before, id, ended);
    await before.leave();
    const runs = bench.open();
    await runs.load();
    expect(runs.find(id)).toMatchObject({ mode: "ended", whole: false, state: { end: { status: "done" } } });
    expect(runs.find(id)?.state.spec?.goal).toBe("make a.txt");
    expect(runs.events(id)).toEqual([]);
    expect((await runs.open(id))?.state.lastVerification?.passed).toBe(true);
    expect(runs.events(id).length).toBeGreaterThan(5);
  });

  it("refuses to resume what is done, unless something is said", async () => {
    const bench = new EditorBench();
    const write = (path: string) => call({ name: "write_file", args: { path, content: "a\n" } });
    await bench.serve([write("a.txt"), say("Written."), write("b.txt"), say("More.")]);
    const runs = bench.open();
    const id = idOf(await runs.start(bench.wish()));
    await untilEntry(runs, id, ended);
    expect(await runs.resume(id)).toMatchObject({ ok: false, code: "nothing-to-do" });
    idOf(await runs.resume(id, "and b.txt"));
    await untilEntry(runs, id, (entry) => entry.mode === "ended" && entry.state.text === "More.");
    expect(bench.has("b.txt")).toBe(true);
  });
});
