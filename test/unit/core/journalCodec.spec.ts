import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { encodeLine, firstPrev, splitSeal } from "../../../extension/core/journal/codec";
import { decodeJournal, type DecodedJournal } from "../../../extension/core/journal/decodeJournal";
import { sealedTypes } from "../../../extension/core/journal/envelope";
import { NodeHasher } from "../../../extension/node/nodeHasher";

const hasher = new NodeHasher();
const sealWith = (key: string) => async (text: string) => createHmac("sha256", key).update(text).digest("hex");
const sealOf = sealWith("the run's key");
const knownTypes = new Set([
  "agent_start",
  "tool_start",
  "tool_end",
  "approval_resolved",
  "verification_end",
  "agent_end",
]);
const decode = (bytes: Uint8Array | string, seal: (text: string) => Promise<string | null> = sealOf) =>
  decodeJournal(typeof bytes === "string" ? Buffer.from(bytes) : bytes, { hasher, sealOf: seal, knownTypes });

const story = [
  { type: "agent_start", goal: "Füge Spalte D hinzu" },
  { type: "tool_start", callId: "c1", tool: "run_command" },
  { type: "tool_end", callId: "c1", result: "line one\nline two\u2028" },
  { type: "approval_resolved", id: "A1", decision: "deny" },
  { type: "verification_end", passed: false },
  { type: "agent_end", status: "incomplete" },
];

async function encodeAll(
  events: { type: string }[],
  run = "r1",
  start: { prev: string | null; seq: number } = { prev: null, seq: 1 },
) {
  const lines: string[] = [];
  let prev = start.prev;
  for (const [at, event] of events.entries()) {
    const envelope = { v: 1 as const, seq: start.seq + at, ts: "2026-01-01T00:00:00.000Z", run };
    const seal = sealedTypes.has(event.type) ? sealOf : null;
    const line = await encodeLine({ envelope, prev, event, hasher, seal });
    lines.push(line.text);
    prev = line.hash;
  }
  return lines;
}
const joined = (lines: string[]) => lines.map((line) => `${line}\n`).join("");
const seqs = (journal: DecodedJournal) => journal.lines.map((line) => line.seq);
const codes = (journal: DecodedJournal) => journal.problems.map((problem) => problem.code);

describe("encodeLine", () => {
  it("writes the envelope's keys first and the seal last", async () => {
    const [first, , , approval] = await encodeAll(story);
    expect(Object.keys(JSON.parse(first!) as object)).toEqual(["v", "seq", "ts", "run", "prev", "type", "goal"]);
    expect(Object.keys(JSON.parse(approval!) as object).at(-1)).toBe("seal");
    expect((JSON.parse(first!) as { prev: string }).prev).toBe(firstPrev);
  });

  it("seals the line as it is without the seal", async () => {
    const [line] = await encodeAll([{ type: "agent_end" }]);
    const parts = splitSeal(line!);
    expect(parts?.seal).toBe(await sealOf(parts!.unsealed));
    expect(JSON.parse(parts!.unsealed)).not.toHaveProperty("seal");
  });

  it("leaves a line unsealed when the key is gone", async () => {
    const envelope = { v: 1 as const, seq: 1, ts: "", run: "r1" };
    const line = await encodeLine({
      envelope,
      prev: null,
      event: { type: "agent_end" },
      hasher,
      seal: async () => null,
    });
    expect(splitSeal(line.text)).toBeNull();
  });

  it("refuses an event that has a key of the envelope", async () => {
    const envelope = { v: 1 as const, seq: 1, ts: "", run: "r1" };
    const event = { type: "agent_end", prev: "x" };
    await expect(encodeLine({ envelope, prev: null, event, hasher, seal: null })).rejects.toThrow('key "prev"');
  });
});

describe("decodeJournal", () => {
  it("reads back what was written", async () => {
    const lines = await encodeAll(story);
    const journal = await decode(joined(lines));
    expect(journal).toMatchObject({
      chain: "intact",
      unsealed: [],
      problems: [],
      tornBytes: 0,
      resumable: true,
      nextSeq: 7,
    });
    expect(journal.lines[2]).toMatchObject(story[2]!);
    expect(journal.lastHash).toBe(hasher.sha256(lines.at(-1)!));
  });

  it("answers an empty journal as the start of one", async () => {
    expect(await decode("")).toEqual({
      lines: [],
      problems: [],
      tornBytes: 0,
      chain: "intact",
      unsealed: [],
      endIsVouched: true,
      resumable: true,
      lastHash: null,
      nextSeq: 1,
    });
  });

  it("cut at any byte, keeps all whole lines, and the next line reads back after the cut", async () => {
    const lines = await encodeAll(story);
    const bytes = Buffer.from(joined(lines));
    for (let cut = 0; cut < bytes.length; cut++) {
      const part = bytes.subarray(0, cut);
      const whole = part.lastIndexOf(10) + 1;
      const journal = await decode(part);
      expect(journal.tornBytes).toBe(cut - whole);
      expect(journal.chain).toBe("intact");
      expect(codes(journal)).toEqual(cut === whole ? [] : ["torn"]);
      expect(journal.lines).toHaveLength(part.subarray(0, whole).filter((byte) => byte === 10).length);
      const [next] = await encodeAll([{ type: "tool_end" }], "r1", { prev: journal.lastHash, seq: journal.nextSeq });
      const mended = await decode(Buffer.concat([part.subarray(0, whole), Buffer.from(`${next}\n`)]));
      expect(mended).toMatchObject({ chain: "intact", tornBytes: 0 });
    }
  });

  it.each([
    ["a block of NUL", Buffer.alloc(512)],
    ["a block of NUL with a newline in it", Buffer.concat([Buffer.alloc(20), Buffer.from("\n"), Buffer.alloc(9)])],
    ["half a record that got a newline", Buffer.from('{"v":1,"seq":7,"type":"tool\n')],
    ["a character cut in the middle", Buffer.from('{"v":1,"text":"ü').subarray(0, -1)],
    ["an empty line", Buffer.from("\n")],
  ])("sets aside %s at the end", async (_name, tail) => {
    const journal = await decode(Buffer.concat([Buffer.from(joined(await encodeAll(story))), tail]));
    expect(journal).toMatchObject({ chain: "intact", tornBytes: tail.length, nextSeq: 7 });
    expect(codes(journal)).toEqual(["torn"]);
  });

  it("reads the reported torn journal: two lines kept, the tail set aside and told once", async () => {
    const head =
      '{"v":1,"seq":1,"type":"agent_start","run":"r1","goal":"Fix the date parser"}\n' +
      '{"v":1,"seq":2,"type":"tool_start","run":"r1","call":"call_1","tool":"run_command","args":{"command":"npm test"}}\n';
    const tail = '{"v":1,"seq":3,"type":"tool_end","run":"r1","call":"call_1","exit":1,"output":"1 fail';
    const journal = await decode(head + tail);
    expect(seqs(journal)).toEqual([1, 2]);
    expect(journal).toMatchObject({ tornBytes: tail.length, nextSeq: 3, resumable: true });
    expect(codes(journal).filter((code) => code === "torn")).toHaveLength(1);
    // These lines carry no chain, so nothing can be verified from them.
    expect(journal.chain).toMatchObject({ brokenAt: 1 });
  });

  it.each<[string, number, (lines: string[]) => Promise<string[]> | string[]]>([
    ["a line taken out", 3, (lines) => lines.toSpliced(2, 1)],
    ["the first line taken out", 1, (lines) => lines.slice(1)],
    ["two lines exchanged", 2, ([a, b, c, ...rest]) => [a!, c!, b!, ...rest]],
    ["a line written twice", 3, ([a, b, ...rest]) => [a!, b!, b!, ...rest]],
    ["a line edited", 3, ([a, b, ...rest]) => [a!, b!.replace("run_command", "read_file"), ...rest]],
    ["a line that is no JSON", 3, ([a, b, , ...rest]) => [a!, b!, "what?", ...rest]],
    ["a line that is no record", 3, ([a, b, , ...rest]) => [a!, b!, "[1]", ...rest]],
    ["a record without a number", 7, (lines) => [...lines, '{"type":"verification_end","passed":true}']],
    ["a line end changed to CR LF", 2, ([a, ...rest]) => [`${a}\r`, ...rest]],
    [
      "a line of another run",
      7,
      async (lines) => [
        ...lines,
        ...(await encodeAll([{ type: "tool_end" }], "r2", { prev: hasher.sha256(lines.at(-1)!), seq: 7 })),
      ],
    ],
  ])("tells that the chain is broken by %s", async (_name, brokenAt, change) => {
    const journal = await decode(joined(await change(await encodeAll(story))));
    expect(journal.chain).toMatchObject({ brokenAt });
    expect(codes(journal)).toContain("chain");
    expect(journal.tornBytes).toBe(0);
  });

  it("tells bytes that are no UTF-8 in the middle as a break", async () => {
    const [first, ...rest] = await encodeAll(story);
    const bytes = Buffer.concat([Buffer.from(`${first}\n`), Buffer.from([0xff, 0xfe, 10]), Buffer.from(joined(rest))]);
    expect((await decode(bytes)).chain).toMatchObject({ brokenAt: 2 });
  });

  it("does not count a decision that was made up, chained rightly but sealed with another key", async () => {
    const lines = await encodeAll(story.slice(0, 3));
    const envelope = { v: 1 as const, seq: 4, ts: "", run: "r1" };
    const event = { type: "verification_end", passed: true };
    for (const seal of [sealWith("guessed"), null]) {
      const forged = await encodeLine({ envelope, prev: hasher.sha256(lines.at(-1)!), event, hasher, seal });
      const journal = await decode(joined([...lines, forged.text]));
      expect(journal).toMatchObject({ chain: "intact", unsealed: [4] });
    }
  });

  it("does not count decisions after a history that was written anew", async () => {
    const lines = await encodeAll([
      { type: "agent_start", goal: "harmless" } as { type: string },
      ...story.slice(1, 3),
    ]);
    const [sealedElsewhere] = (await encodeAll(story)).slice(3);
    const journal = await decode(joined([...lines, sealedElsewhere!]));
    expect(journal.chain).toMatchObject({ brokenAt: 4 });
    expect(journal.unsealed).toEqual([4]);
  });

  it("counts no decision when the key is gone, and reads everything else", async () => {
    const journal = await decode(joined(await encodeAll(story)), async () => null);
    expect(journal).toMatchObject({ chain: "intact", unsealed: [4, 5, 6], resumable: true });
    expect(seqs(journal)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("does not take a seal inside a text or an argument for the line's own", async () => {
    const seal = "a".repeat(64);
    const [line] = await encodeAll([
      { type: "tool_end", args: { x: 1, seal }, text: `,"seal":"${seal}"}` } as { type: string },
    ]);
    expect(splitSeal(line!)).toBeNull();
  });

  it.each([
    ["a newer version", { v: 2, type: "tool_end" }, "version"],
    ["an unknown type", { v: 1, type: "quantum_leap" }, "type"],
  ])("reads a line of %s but does not resume from it", async (_name, { v, type }, code) => {
    const lines = await encodeAll(story.slice(0, 2));
    const next = JSON.stringify({ v, seq: 3, ts: "", run: "r1", prev: hasher.sha256(lines.at(-1)!), type });
    const journal = await decode(joined([...lines, next]));
    expect(journal).toMatchObject({ chain: "intact", resumable: false, nextSeq: 4 });
    expect(codes(journal)).toEqual([code]);
    expect(seqs(journal)).toEqual([1, 2, 3]);
  });
});
