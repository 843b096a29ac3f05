// Reading journals: it changes nothing on the disk, whatever is wrong with them, and a list of runs reads only their ends.
import {
  appendFileSync,
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { loadJournal, type Event } from "../../../extension/core";
import { createJournalWriter } from "../../../extension/core/journal/journalWriter";
import { FileJournalStore } from "../../../extension/node/fileJournalStore";
import { NodeHasher } from "../../../extension/node/nodeHasher";
import { hasOpenRun } from "../../../extension/node/journalEnds";
import { listRuns } from "../../../extension/node/runList";
import { workspaceState } from "../../../extension/node/statePaths";
import { FakeClock } from "../../support/fakeClock";
import { closed, ended, plainSpec, reply, started } from "../../support/journaled";

const hasher = new NodeHasher();
const call = { id: "c1", tool: "run_command", args: { command: "true" } };
const story: readonly Event[] = [
  { type: "agent_start", ...plainSpec, goal: "Find the bug" },
  ...reply(1, "", call),
  started("c1", "run_command"),
  ended("c1", "run_command"),
  closed("incomplete"),
];

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "journal-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function writeJournal(file: string, events: readonly Event[] = story): Promise<void> {
  const store = new FileJournalStore({ file });
  const head = { lastHash: null, nextSeq: 1 };
  const append = createJournalWriter({ run: "r1", store, clock: new FakeClock(), hasher, secrets: [], head });
  for (const event of events) await append(event);
  await store.putBlob("an output");
  await store.close();
}

/** All there is to a folder: names, bytes, and when each was last changed. */
function pictureOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const { mtimeMs, ctimeMs, ino, size, mode } = statSync(path, { bigint: false });
      const bytes = statSync(path).isFile() ? hasher.sha256(readFileSync(path)) : "";
      return [path, mtimeMs, ctimeMs, ino, size, mode, bytes].join(" ");
    });
}

const damages: Record<string, (file: string) => void> = {
  "is whole": () => undefined,
  "has a torn end": (file) => appendFileSync(file, '{"v":1,"seq":7,"ty'),
  "ends in a block of NUL": (file) => appendFileSync(file, Buffer.alloc(4096)),
  "ends inside a character": (file) => appendFileSync(file, Buffer.from('{"text":"ü').subarray(0, -1)),
  "lost lines at its end": (file) =>
    writeFileSync(file, readFileSync(file, "utf8").split("\n").slice(0, 2).join("\n") + "\n"),
  "lost a line inside": (file) =>
    writeFileSync(file, readFileSync(file, "utf8").split("\n").toSpliced(2, 1).join("\n")),
  "has lost its key": (file) => rmSync(join(dirname(file), "journal.d", "key")),
  "has lost the note of its end": (file) => rmSync(join(dirname(file), "journal.d", "head")),
  "has lost the folder beside it": (file) => rmSync(join(dirname(file), "journal.d"), { recursive: true }),
  "is of a newer version": (file) =>
    appendFileSync(file, '{"v":9,"seq":7,"ts":"","run":"r1","prev":"","type":"agent_end"}\n'),
  "has a key that others can read": (file) => chmodSync(join(dirname(file), "journal.d", "key"), 0o644),
};

describe("loading a journal that", () => {
  it.each(Object.entries(damages))("%s changes no byte, no name and no time", async (_name, damage) => {
    const folder = newFolder();
    const file = join(folder, "journal.jsonl");
    await writeJournal(file);
    damage(file);
    const before = pictureOf(folder);
    const store = new FileJournalStore({ file });
    const loaded = await loadJournal(store, hasher);
    expect(loaded.state.spec?.goal).toBe("Find the bug");
    await store.holder();
    await store.close();
    expect(pictureOf(folder)).toEqual(before);
  });
});

describe("the list of runs", () => {
  /** Larger than any buffer can be, and nearly all of it a hole: whoever reads it whole fails. */
  const hugeBytes = 6 * 1024 ** 3;

  function stateOf(root: string): ReturnType<typeof workspaceState> {
    vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
    onTestFinished(() => void vi.unstubAllEnvs());
    return workspaceState(root);
  }

  it("reads the ends of journals only, whatever they weigh, and changes nothing", async () => {
    const root = newFolder();
    const file = stateOf(root).journalOf("r1");
    await writeJournal(file);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const handle = openSync(file, "r+");
    const end = Buffer.from(`\n${lines.at(-1)}\n`);
    ftruncateSync(handle, hugeBytes - end.length);
    writeSync(handle, end, 0, end.length, hugeBytes - end.length);
    closeSync(handle);
    const { mtimeMs } = statSync(file);
    const runs = await listRuns(root);
    expect(runs).toMatchObject([{ id: "r1", isOpen: false, state: { end: { status: "incomplete" } } }]);
    expect(runs[0]?.state.spec?.goal).toBe("Find the bug");
    expect(await hasOpenRun(root)).toBe(false);
    expect(statSync(file)).toMatchObject({ size: hugeBytes, mtimeMs });
  });

  it("knows a run that was cut short by its goal, and leaves out what is no run", async () => {
    const root = newFolder();
    const state = stateOf(root);
    await writeJournal(state.journalOf("r2"), story.slice(0, 4));
    appendFileSync(state.journalOf("r2"), '{"torn');
    for (const [id, text] of [
      ["r1", ""],
      ["r3", "\0\0\0"],
      ["r4", '{"type":"tool_end"}\n'],
    ] as const) {
      mkdirSync(dirname(state.journalOf(id)), { recursive: true });
      writeFileSync(state.journalOf(id), text);
    }
    expect((await listRuns(root)).map(({ id, isOpen, state: { spec } }) => [id, isOpen, spec?.goal])).toEqual([
      ["r2", true, "Find the bug"],
    ]);
  });
});
