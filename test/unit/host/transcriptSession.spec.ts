import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TranscriptBench } from "../../support/transcriptBench";
import { asked, ended, reply, started } from "../../support/journaled";

const read = { id: "c1", tool: "read_file", args: { path: "a.txt" } };
const delta = (turn: number, text: string) => ({ type: "text_delta" as const, turn, text });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

async function open(
  bench = new TranscriptBench(...reply(1, "Look.", read), started("c1", "read_file")),
): Promise<TranscriptBench> {
  await bench.say({ type: "ready" });
  await vi.advanceTimersByTimeAsync(100);
  return bench;
}

describe("what a transcript posts", () => {
  it("is nothing before the page says that it listens", async () => {
    const bench = new TranscriptBench();
    bench.add(...reply(1, "Look."));
    bench.signal(delta(2, "More"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(bench.posted).toEqual([]);
    await bench.say({ type: "ready" });
    await vi.advanceTimersByTimeAsync(100);
    expect(bench.posted.map(({ type }) => type)).toEqual(["snapshot"]);
  });

  it("is a whole picture at most ten times a second, the last one included", async () => {
    const bench = await open();
    const before = bench.posted.length;
    for (let turn = 2; turn <= 41; turn += 1) {
      bench.add(...reply(turn, `Turn ${turn}.`));
      await vi.advanceTimersByTimeAsync(25);
    }
    await vi.advanceTimersByTimeAsync(100);
    const pictures = bench.all("snapshot").slice(before);
    expect(pictures.length).toBeLessThanOrEqual(11);
    expect(pictures.at(-1)?.view.entries.at(-1)).toMatchObject({ kind: "say", turn: 41 });
    expect(pictures.map(({ version }) => version)).toEqual(pictures.map((_, at) => at + before + 1));
  });

  it("is only what was added to the reply that is being streamed", async () => {
    const bench = await open();
    for (const word of ["Now ", "I ", "write "]) {
      bench.signal(delta(2, word));
      await vi.advanceTimersByTimeAsync(10);
    }
    await vi.advanceTimersByTimeAsync(100);
    expect(bench.all("snapshot").at(-1)?.view.live?.text).toMatch(/^Now /);
    bench.signal(delta(2, "it "));
    bench.signal(delta(2, "down."));
    await vi.advanceTimersByTimeAsync(100);
    expect(bench.all("delta").at(-1)).toMatchObject({ turn: 2, at: "Now I write ".length, text: "it down." });
  });

  it("takes back a reply that is asked for again", async () => {
    const bench = await open();
    bench.signal(delta(2, "Half a"));
    await vi.advanceTimersByTimeAsync(100);
    bench.signal({ type: "reply_reset", turn: 2 });
    bench.signal(delta(2, "Whole"));
    await vi.advanceTimersByTimeAsync(100);
    expect(bench.posted.at(-1)).toMatchObject({ type: "snapshot", view: { live: { text: "Whole" } } });
  });

  it("drops the stream once the journal has the reply", async () => {
    const bench = await open();
    bench.signal(delta(2, "Done."));
    bench.add(ended("c1", "read_file"), ...reply(2, "Done."));
    await vi.advanceTimersByTimeAsync(200);
    expect(bench.all("snapshot").at(-1)?.view.live).toBeNull();
  });

  it("is the last line of a running call, without a new picture", async () => {
    const bench = await open();
    bench.signal({ type: "tool_progress", callId: "c1", text: "one\ntwo\n" });
    await vi.advanceTimersByTimeAsync(100);
    expect(bench.posted.at(-1)).toMatchObject({ type: "progress", progress: { c1: "two" } });
  });

  it("is nothing while the page is hidden, and the newest picture when it is back", async () => {
    const bench = await open();
    const before = bench.posted.length;
    bench.session.setVisible(false);
    bench.add(ended("c1", "read_file"), ...reply(2, "Hidden."));
    await vi.advanceTimersByTimeAsync(500);
    expect(bench.posted).toHaveLength(before);
    bench.session.setVisible(true);
    await bench.say({ type: "ready" });
    await vi.advanceTimersByTimeAsync(100);
    expect(bench.posted).toHaveLength(before + 1);
    expect(bench.all("snapshot").at(-1)?.view.entries.at(-1)).toMatchObject({ kind: "say", turn: 2 });
  });

  it("is nothing after it was closed", async () => {
    const bench = await open();
    const before = bench.posted.length;
    bench.add(...reply(2, "Late."));
    bench.session.dispose();
    bench.signal(delta(3, "Later"));
    await vi.advanceTimersByTimeAsync(500);
    expect(bench.posted).toHaveLength(before);
  });

  it("says that a run is gone", async () => {
    const bench = new TranscriptBench();
    bench.forget();
    await bench.say({ type: "ready" });
    expect(bench.posted).toMatchObject([{ type: "gone" }]);
  });

  it("shows more of the earlier pieces when asked", async () => {
    const bench = await open(
      new TranscriptBench(...Array.from({ length: 450 }, (_, at) => reply(at + 1, "Turn.")).flat()),
    );
    expect(bench.all("snapshot").at(-1)?.view.earlier).toBe(251);
    expect(await bench.say({ type: "showEarlier", request: 1 })).toBeNull();
    await vi.advanceTimersByTimeAsync(100);
    expect(bench.all("snapshot").at(-1)?.view.earlier).toBe(51);
  });
});

describe("what a click in the transcript does", () => {
  const waiting = (change: Parameters<typeof asked>[2] = {}) =>
    new TranscriptBench(...reply(1, "", read), asked("A1", "c1", change));
  const approve = { type: "approve" as const, request: 1, id: "A1", digest: "digest-A1" };
  const deny = { type: "deny" as const, request: 1, id: "A1", digest: "digest-A1", reason: " tests first " };

  it("approves a waiting call of level normal, by name and digest", async () => {
    const bench = await open(waiting());
    expect(await bench.say(approve)).toBeNull();
    expect(bench.sent).toEqual([{ type: "approve", id: "A1", digest: "digest-A1", by: "Ada" }]);
  });

  const refusals: readonly [string, TranscriptBench, Partial<typeof approve>][] = [
    ["of level prod", waiting({ level: "prod" }), {}],
    ["of level guarded", waiting({ level: "guarded" }), {}],
    ["that is a question", waiting({ kind: "question" }), {}],
    ["whose arguments are not shown whole", waiting({ args: { text: "x".repeat(10_000) } }), {}],
    ["with another digest than the one that was seen", waiting(), { digest: "another" }],
    ["that nobody asked for", waiting(), { id: "A7" }],
  ];
  it.each(refusals)("never approves a request %s", async (_name, bench, change) => {
    await open(bench);
    expect(await bench.say({ ...approve, ...change })).toEqual(expect.any(String));
    expect(bench.sent).toEqual([]);
  });

  it("changes nothing when it comes late, and says so", async () => {
    const bench = await open(waiting());
    bench.add({ type: "approval_resolved", id: "A1", decision: "deny", reason: "", by: "Bob" });
    expect(await bench.say(approve)).toBe("This request has ended: it was denied. Your click changed nothing.");
    expect(bench.sent).toEqual([]);
  });

  it("counts once", async () => {
    const bench = await open(waiting());
    const answers = await Promise.all([bench.say(approve), bench.say({ ...approve, request: 2 })]);
    expect(answers[0]).toBeNull();
    expect(answers[1]).toContain("has ended");
    expect(bench.sent).toHaveLength(1);
  });

  it("denies at every level, with the reason", async () => {
    const bench = await open(waiting({ level: "prod" }));
    expect(await bench.say(deny)).toBeNull();
    expect(bench.sent).toEqual([{ type: "deny", id: "A1", by: "Ada", reason: "tests first" }]);
  });

  it("opens the review of exactly this request", async () => {
    const bench = await open(waiting({ level: "prod" }));
    await bench.say({ type: "review", request: 1, id: "A1", digest: "digest-A1" });
    expect(bench.reviewed).toEqual([{ run: "R1", id: "A1", digest: "digest-A1" }]);
  });

  it("answers a question", async () => {
    const bench = await open(waiting({ kind: "question" }));
    expect(await bench.say({ type: "answer", request: 1, id: "A1", digest: "digest-A1", text: "yes" })).toBeNull();
    expect(bench.sent).toEqual([{ type: "answer", id: "A1", by: "Ada", text: "yes" }]);
  });

  it("steers a live run and goes on with one that is not", async () => {
    const bench = await open();
    await bench.say({ type: "steer", request: 1, text: "use tabs" });
    bench.change({ mode: "paused" });
    await bench.say({ type: "steer", request: 2, text: "go on" });
    expect(bench.sent).toEqual([{ type: "steer", text: "use tabs", by: "Ada" }]);
    expect(bench.resumed).toEqual(["go on"]);
  });

  it("opens the journal, files the run touched, and whole outputs, and nothing else", async () => {
    const files = [{ path: "src/a.ts", before: null, after: "d" }];
    const bench = await open(
      new TranscriptBench(
        ...reply(1, "", read),
        started("c1", "read_file"),
        ended("c1", "read_file", { files, blob: "b1", result: "cut" }),
      ),
    );
    bench.outputs.set("b1", "all of it");
    await bench.say({ type: "open", request: 1, target: { what: "journal" } });
    await bench.say({ type: "open", request: 2, target: { what: "file", path: "src/a.ts" } });
    await bench.say({ type: "open", request: 3, target: { what: "output", callId: "c1" } });
    expect(await bench.say({ type: "open", request: 4, target: { what: "file", path: "/etc/passwd" } })).toEqual(
      expect.any(String),
    );
    expect(await bench.say({ type: "open", request: 5, target: { what: "output", callId: "c9" } })).toEqual(
      expect.any(String),
    );
    expect(bench.opened).toEqual(["/journals/R1/journal.jsonl", "/work/src/a.ts", "all of it"]);
  });

  it("is dropped and logged when it is no message of ours", async () => {
    const bench = await open();
    const before = bench.posted.length;
    await bench.session.receive({ type: "approveAll" });
    expect(bench.posted).toHaveLength(before);
    expect(bench.warnings).toHaveLength(1);
  });
});
