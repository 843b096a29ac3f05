// How a journal ends: the note of its newest flushed line, and lines of other versions.
import { describe, expect, it } from "vitest";
import { loadJournal, type Event, type JournaledEvent } from "../../../extension/core";
import { decodeJournal, type DecodedJournal } from "../../../extension/core/journal/decodeJournal";
import { eventTypes } from "../../../extension/core/journal/event";
import { encodeHead } from "../../../extension/core/journal/journalHead";
import { createJournalWriter } from "../../../extension/core/journal/journalWriter";
import { readLines } from "../../../extension/core/journal/loadJournal";
import { NodeHasher } from "../../../extension/node/nodeHasher";
import { FakeClock } from "../../support/fakeClock";
import { closed, ended, plainSpec, reply, started } from "../../support/journaled";
import { MemoryJournal } from "../../support/memoryJournal";

const hasher = new NodeHasher();
const call = { id: "c1", tool: "run_command", args: { command: "true" } };
const story: readonly Event[] = [
  { type: "agent_start", ...plainSpec },
  ...reply(1, "", call),
  started("c1", "run_command"),
  ended("c1", "run_command"),
  { type: "human_message", text: "and more", by: "Ada" },
  ...reply(2, "done"),
  closed("done"),
];

/** The journal, with the head that lay beside it after each line. */
async function written(
  events: readonly Event[] = story,
): Promise<{ journal: MemoryJournal; heads: (string | null)[] }> {
  const journal = new MemoryJournal();
  const head = { lastHash: null, nextSeq: 1 };
  const append = createJournalWriter({ run: "r1", store: journal, clock: new FakeClock(), hasher, secrets: [], head });
  const heads: (string | null)[] = [];
  for (const event of events) {
    await append(event);
    heads.push(journal.disk.head);
  }
  return { journal, heads };
}

const linesOf = ({ disk }: MemoryJournal): string[] => disk.text.split("\n").slice(0, -1);
const keep = ({ disk }: MemoryJournal, lines: readonly string[]): void => {
  disk.bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
};
const codes = ({ problems }: Pick<DecodedJournal, "problems">): string[] => problems.map(({ code }) => code);

describe("whole lines cut from a journal's end", () => {
  it("are missed wherever the cut is: told, and what is left goes on unsealed", async () => {
    const { journal } = await written();
    const lines = linesOf(journal);
    for (let left = 1; left < lines.length; left += 1) {
      keep(journal, lines.slice(0, left));
      const loaded = await loadJournal(journal, hasher);
      const which = left + 1 === lines.length ? `line ${left + 1} is` : `lines ${left + 1} to ${lines.length} are`;
      expect(loaded.problems.map(({ message }) => message)).toEqual([`${which} missing from its end`]);
      expect(loaded).toMatchObject({ blocked: null, sealed: false });
      expect(loaded.events).toHaveLength(left);
    }
  });

  it("are missed when the cut goes through a line, too", async () => {
    const { journal } = await written();
    journal.disk.bytes = journal.disk.bytes.subarray(0, -20);
    expect(codes(await readLines(journal, hasher))).toEqual(["head", "torn"]);
  });

  it("are missed when the note went with them, or was made without the key", async () => {
    const { journal } = await written();
    const forged = await encodeHead({ seq: 2, hash: "0".repeat(64) }, () => Promise.resolve("f".repeat(64)));
    for (const head of [null, "", "{", "null", '{"seq":2}', forged]) {
      journal.disk.head = head;
      const loaded = await loadJournal(journal, hasher);
      expect(codes(loaded)).toEqual(["head"]);
      expect(loaded).toMatchObject({ blocked: null, sealed: false });
    }
  });

  it("and replaced by others are a broken chain", async () => {
    const { journal } = await written(story.slice(0, -2));
    const lines = linesOf(journal);
    keep(journal, [...lines.slice(0, -1), lines.at(-1)?.replace("and more", "and less") ?? ""]);
    const loaded = await loadJournal(journal, hasher);
    expect(loaded.blocked).toContain("line 6 is not the one that was written");
  });
});

describe("a process that ends between a line and its note", () => {
  it("leaves an honest journal, at any byte and with any earlier note", async () => {
    const { journal, heads } = await written();
    const bytes = journal.disk.bytes;
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at + 1);
    for (const [at, head] of heads.entries()) {
      const noted = head === null || head === "" ? 0 : (JSON.parse(head) as { seq: number }).seq;
      const from = ends[noted - 1] ?? 0;
      // The note of line `noted` is all that was written; the journal may be longer by any number of bytes.
      for (let cut = from; cut <= bytes.length; cut += 7) {
        journal.disk.bytes = bytes.subarray(0, cut);
        journal.disk.head = head;
        const decoded = await readLines(journal, hasher);
        expect(
          codes(decoded).filter((code) => code !== "torn"),
          `${at}, cut at ${cut}`,
        ).toEqual([]);
        expect(decoded).toMatchObject({ chain: "intact", endIsVouched: true });
      }
    }
  });

  it("leaves an honest journal when it ends before the first note", async () => {
    const { journal } = await written(story.slice(0, 1));
    journal.disk.head = "";
    expect(await loadJournal(journal, hasher)).toMatchObject({ problems: [], sealed: true, blocked: null });
  });
});

describe("a line of another version", () => {
  const decode = async (
    journal: MemoryJournal,
    versions: NonNullable<Parameters<typeof decodeJournal>[1]["versions"]>,
  ) =>
    decodeJournal(await journal.read(), {
      hasher,
      sealOf: (text) => journal.seal(text),
      knownTypes: eventTypes,
      versions,
    });

  it("that is older is raised step by step, and its hash stays that of the bytes", async () => {
    const { journal } = await written();
    const decoded = await decode(journal, {
      newest: 3,
      steps: {
        1: (line) => ({ ...line, steps: ["one"] }),
        2: (line) => ({ ...line, steps: [...(line["steps"] as string[]), "two"] }),
      },
    });
    expect(decoded).toMatchObject({ problems: [], chain: "intact", resumable: true });
    expect(decoded.lines.map(({ v, ...line }) => [v, line["steps"]])).toEqual(story.map(() => [3, ["one", "two"]]));
  });

  it("to which no step leads can be read and not resumed", async () => {
    const { journal } = await written();
    const decoded = await decode(journal, { newest: 2, steps: {} });
    expect(decoded).toMatchObject({ chain: "intact", resumable: false });
    expect(codes(decoded)).toEqual(story.map(() => "version"));
    expect(decoded.lines).toHaveLength(story.length);
  });
});

describe("a journal whose chain holds but whose lines are no events", () => {
  it("is shown up to there and not resumed", async () => {
    const broken = { type: "model_reply", turn: 1, text: "no calls at all" } as unknown as JournaledEvent;
    const { journal } = await written([story[0] as Event, broken, closed("done")]);
    const loaded = await loadJournal(journal, hasher);
    expect(loaded.blocked).toBe("line 2 is no model_reply of this program");
    expect(loaded.state.spec?.goal).toBe(plainSpec.goal);
    expect(loaded.state.end).toBeNull();
  });
});
