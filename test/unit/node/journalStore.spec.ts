import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FileJournalStore, type FileJournalOptions } from "../../../extension/node/fileJournalStore";
import { workspaceState } from "../../../extension/node/statePaths";
import { describeJournalStore } from "../../support/journalStoreContract";
import { MemoryJournal, MemoryJournalDisk } from "../../support/memoryJournal";

const folders: string[] = [];
const stores: FileJournalStore[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  folders.push(folder);
  return folder;
}
function openStore(options: FileJournalOptions): FileJournalStore {
  const store = new FileJournalStore(options);
  stores.push(store);
  return store;
}
afterEach(async () => {
  await Promise.allSettled(stores.splice(0).map((store) => store.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describeJournalStore("FileJournalStore", async () => {
  const folder = newFolder();
  const file = join(folder, "runs", "r1", "journal.jsonl");
  const side = join(folder, "runs", "r1", "journal.d");
  return {
    open: () => openStore({ file }),
    appendRaw: async (text) => {
      mkdirSync(join(folder, "runs", "r1"), { recursive: true });
      appendFileSync(file, text);
    },
    loseKey: async () => rmSync(join(side, "key")),
    loseHead: async () => rmSync(join(side, "head")),
    tails: async () =>
      readdirSync(side)
        .filter((name) => name.startsWith("torn-"))
        .sort()
        .map((name) => readFileSync(join(side, name), "utf8")),
  };
});

describeJournalStore("MemoryJournal", async () => {
  const disk = new MemoryJournalDisk();
  return {
    open: () => new MemoryJournal(disk),
    appendRaw: async (text) => void (disk.bytes = Buffer.concat([disk.bytes, Buffer.from(text)])),
    loseKey: async () => void (disk.key = null),
    loseHead: async () => void (disk.head = null),
    tails: async () => disk.tails.map((tail) => tail.toString("utf8")),
  };
});

describe("MemoryJournal", () => {
  it("fails like a full disk when it is told to", async () => {
    const store = new MemoryJournal();
    store.appendsLeft = 1;
    await store.append("1\n", true);
    await expect(store.append("2\n", true)).rejects.toThrow("disk is full");
    store.appendsLeft = 5;
    await expect(store.append("3\n", true)).rejects.toThrow("disk is full");
    expect(store.disk.text).toBe("1\n");
    expect(store.durableAppends).toBe(1);
  });
});

describe("FileJournalStore on the disk", () => {
  let folder: string;
  let file: string;
  let side: string;
  beforeEach(() => {
    folder = newFolder();
    file = join(folder, "journal.jsonl");
    side = join(folder, "journal.d");
  });
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it("lets nobody but its owner look", async () => {
    const store = openStore({ file });
    await store.lock();
    await store.append("1\n", true);
    await store.putBlob("text");
    expect(readdirSync(side).sort()).toEqual(["blobs", "head", "key", "lock"]);
    for (const path of [
      file,
      join(side, "head"),
      join(side, "key"),
      join(side, "lock"),
      join(side, "blobs", readdirSync(join(side, "blobs"))[0]!),
    ]) {
      expect(modeOf(path)).toBe(0o600);
    }
    for (const path of [side, join(side, "blobs")]) expect(modeOf(path)).toBe(0o700);
    expect(statSync(join(side, "key")).size).toBe(32);
  });

  it("has its side folder beside a file of any name", async () => {
    await openStore({ file: join(folder, "other.log") }).append("1\n", true);
    expect(existsSync(join(folder, "other.log.d", "key"))).toBe(true);
  });

  it("makes nothing by reading", async () => {
    const store = openStore({ file });
    expect(await store.read()).toHaveLength(0);
    expect(await store.getBlob("0".repeat(64))).toBeNull();
    expect(readdirSync(folder)).toEqual([]);
    appendFileSync(file, "1\n");
    expect(await store.seal("line")).toBeNull();
    expect(readdirSync(folder)).toEqual(["journal.jsonl"]);
  });

  it("writes through no link", async () => {
    const target = join(folder, "target");
    writeFileSync(target, "mine\n");
    symlinkSync(target, file);
    await expect(openStore({ file }).append("1\n", true)).rejects.toThrow("symbolic link");
    await expect(openStore({ file }).read()).rejects.toThrow("symbolic link");
    expect(readFileSync(target, "utf8")).toBe("mine\n");
    const other = join(folder, "other.jsonl");
    mkdirSync(join(folder, "elsewhere"));
    symlinkSync(join(folder, "elsewhere"), join(folder, "other.d"));
    await expect(openStore({ file: other }).append("1\n", true)).rejects.toThrow("is not a folder");
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
  });

  it("does not trust a key that others can read, or one that is cut", async () => {
    await openStore({ file }).append("1\n", true);
    expect(await openStore({ file }).seal("line")).not.toBeNull();
    chmodSync(join(side, "key"), 0o644);
    expect(await openStore({ file }).seal("line")).toBeNull();
    chmodSync(join(side, "key"), 0o600);
    writeFileSync(join(side, "key"), "short");
    expect(await openStore({ file }).seal("line")).toBeNull();
  });

  it("does not give back a blob that was changed", async () => {
    const store = openStore({ file });
    const reference = await store.putBlob("passed: no");
    writeFileSync(join(side, "blobs", reference), "passed: yes");
    expect(await store.getBlob(reference)).toBeNull();
    await store.putBlob("passed: no");
    expect(await store.getBlob(reference)).toBe("passed: no");
    expect(readdirSync(join(side, "blobs"))).toEqual([reference]);
  });

  it("goes on after a short write and flushes what has to last", async () => {
    const flushed: number[] = [];
    const store = openStore({
      file,
      wrapHandle: (handle) => ({
        ...bind(handle),
        write: ((bytes: Uint8Array, at: number, length: number) =>
          handle.write(bytes, at, Math.min(length, 3))) as typeof handle.write,
        datasync: async () => {
          await handle.datasync();
          flushed.push(statSync(file).size);
        },
      }),
    });
    await store.append("a line that is longer\n", false);
    expect(flushed).toEqual([]);
    await store.append("and another\n", true);
    expect(flushed).toEqual([34]);
    expect(readFileSync(file, "utf8")).toBe("a line that is longer\nand another\n");
  });

  it("takes back a line of which only a part went onto a full disk", async () => {
    let room = 14;
    const store = openStore({
      file,
      wrapHandle: (handle) => ({
        ...bind(handle),
        write: (async (bytes: Uint8Array, at: number, length: number) => {
          if (room === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
          const part = Math.min(room, length);
          room -= part;
          return handle.write(bytes, at, part);
        }) as unknown as typeof handle.write,
      }),
    });
    await store.append("a line\n", true, "the head");
    await expect(store.append("another line\n", true, "a later head")).rejects.toThrow("the disk is full");
    await store.close();
    expect(readFileSync(file, "utf8")).toBe("a line\n");
    const next = openStore({ file });
    expect(await next.readHead()).toBe("the head");
    await next.append("another line\n", true);
    expect(readFileSync(file, "utf8")).toBe("a line\nanother line\n");
  });

  it.each(["write", "datasync"] as const)("takes no line after a failed %s", async (what) => {
    let fails = false;
    const store = openStore({
      file,
      wrapHandle: (handle) => ({
        ...bind(handle),
        [what]: async (...args: []) => {
          if (fails) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
          return (handle[what] as (...args: []) => Promise<unknown>)(...args);
        },
      }),
    });
    await store.append("1\n", true);
    fails = true;
    await expect(store.append("2\n", true)).rejects.toThrow("the disk is full. Free some space");
    fails = false;
    await expect(store.append("3\n", true)).rejects.toThrow("the disk is full");
    await store.close();
    expect(readFileSync(file, "utf8")).toBe("1\n");
  });
});

function bind<T extends object>(handle: T) {
  const bound = (name: string) => (handle[name as keyof T] as (...args: unknown[]) => unknown).bind(handle);
  const names = ["write", "datasync", "sync", "truncate", "stat", "read", "close"] as const;
  return Object.fromEntries(names.map((name) => [name, bound(name)])) as unknown as ReturnType<
    NonNullable<FileJournalOptions["wrapHandle"]>
  >;
}

describe("the lock of a journal", () => {
  let file: string;
  let lock: string;
  beforeEach(() => {
    const folder = newFolder();
    file = join(folder, "journal.jsonl");
    lock = join(folder, "journal.d", "lock");
    mkdirSync(join(folder, "journal.d"));
  });
  const since = "2026-01-01T00:00:00.000Z";
  const plant = (holder: object, ageMs = 0) => {
    writeFileSync(lock, JSON.stringify({ host: hostname(), since, token: "other", startedAt: null, ...holder }));
    const time = new Date(Date.now() - ageMs);
    utimesSync(lock, time, time);
  };
  const ended = () => spawnSync(process.execPath, ["-e", ""]).pid;

  it("is taken over from a process that has ended", async () => {
    plant({ pid: ended() });
    expect(await openStore({ file }).lock()).toEqual({ ok: true });
  });

  it("is taken over from a process whose number another one has now", async () => {
    plant({ pid: process.ppid, startedAt: 1_000_000 });
    expect(await openStore({ file }).lock()).toEqual({ ok: true });
  });

  it("stays with a process that lives, however silent", async () => {
    plant({ pid: process.ppid }, 3_600_000);
    expect(await openStore({ file }).lock()).toEqual({ ok: false, pid: process.ppid, since });
  });

  it("of another machine is taken over only when its heartbeat has stopped", async () => {
    plant({ pid: 1, host: "elsewhere" }, 1_000);
    expect(await openStore({ file }).lock()).toEqual({ ok: false, pid: 1, since });
    plant({ pid: 1, host: "elsewhere" }, 3_600_000);
    expect(await openStore({ file }).lock()).toEqual({ ok: true });
  });

  it("that cannot be read is respected while it is young", async () => {
    writeFileSync(lock, "");
    expect(await openStore({ file }).lock()).toEqual({ ok: false, pid: 0, since: "unknown" });
    utimesSync(lock, 1, 1);
    expect(await openStore({ file }).lock()).toEqual({ ok: true });
  });

  it("goes to one of many that ask at once", async () => {
    plant({ pid: ended() });
    const answers = await Promise.all(Array.from({ length: 8 }, () => openStore({ file }).lock()));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("shows that its holder is alive, and tells the holder when it is lost", async () => {
    const store = openStore({ file, heartbeatMs: 20 });
    await store.append("1\n", true);
    await store.lock();
    utimesSync(lock, 1, 1);
    await vi.waitUntil(() => statSync(lock).mtimeMs > 1_000_000, { timeout: 10_000 });
    plant({ pid: process.ppid });
    await vi.waitFor(() => expect(store.append("2\n", true)).rejects.toThrow("taken over"), { timeout: 10_000 });
    await store.close();
    expect(existsSync(lock)).toBe(true);
  });
});

describe("workspaceState", () => {
  const on = (platform: NodeJS.Platform, environment: Record<string, string> = {}, home = "/home/ada") => ({
    platform,
    environment,
    home,
  });

  it("is where the system keeps such things", () => {
    const digest = workspaceState("/work/shop", on("linux")).folder.slice(-12);
    expect(digest).toMatch(/^[0-9a-f]{12}$/);
    expect(workspaceState("/work/shop", on("linux"))).toMatchObject({
      folder: `/home/ada/.local/state/donegate/shop-${digest}`,
      snapshots: `/home/ada/.local/state/donegate/shop-${digest}/snapshots.git`,
    });
    expect(workspaceState("/work/shop", on("linux", { XDG_STATE_HOME: "/state" })).journalOf("r1")).toBe(
      `/state/donegate/shop-${digest}/runs/r1/journal.jsonl`,
    );
    expect(workspaceState("/work/shop", on("linux", { XDG_STATE_HOME: "state" })).folder).toContain(
      "/home/ada/.local/state/",
    );
    expect(workspaceState("/work/shop", on("darwin")).folder).toBe(
      `/home/ada/Library/Application Support/Donegate/shop-${digest}`,
    );
    const windows = workspaceState(
      "C:\\work\\shop",
      on("win32", { LOCALAPPDATA: "C:\\Users\\ada\\AppData\\Local" }, "C:\\Users\\ada"),
    );
    expect(windows.journalOf("r1")).toMatch(
      /^C:\\Users\\ada\\AppData\\Local\\Donegate\\shop-[0-9a-f]{12}\\runs\\r1\\journal\.jsonl$/,
    );
  });

  it("keeps workspaces of one name apart and takes any name", () => {
    const names = ["/a/shop", "/b/shop", "/", "/x/..odd: name\n*", `/x/${"long".repeat(100)}`].map(
      (root) => workspaceState(root, on("linux")).folder,
    );
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^\/home\/ada\/\.local\/state\/donegate\/[\w-]{1,40}-[0-9a-f]{12}$/);
  });
});
