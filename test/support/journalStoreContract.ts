import { beforeEach, describe, expect, it } from "vitest";
import type { JournalStore } from "../../extension/core/ports/journalStore";

/** A place for one journal, and hands to damage it from outside. */
export interface JournalUnderTest {
  /** As a new process would open it. */
  open(): JournalStore;
  /** Adds bytes behind the store's back. */
  appendRaw(text: string): Promise<void>;
  loseKey(): Promise<void>;
  loseHead(): Promise<void>;
  /** What `setAsideTail` has kept, oldest first. */
  tails(): Promise<string[]>;
}

/** What every implementation of the port has to do. */
export function describeJournalStore(name: string, create: () => Promise<JournalUnderTest>): void {
  describe(`${name} as JournalStore`, () => {
    let place: JournalUnderTest;
    let store: JournalStore;
    const textOf = async (journal: JournalStore) => Buffer.from(await journal.read()).toString("utf8");

    beforeEach(async () => {
      place = await create();
      store = place.open();
    });

    it("is empty before the first append", async () => {
      expect(await store.read()).toHaveLength(0);
    });

    it("keeps lines in the order in which they were appended", async () => {
      await Promise.all([store.append("1\n", false), store.append("ü2\n", true), store.append("3\n3b\n", false)]);
      expect(await textOf(store)).toBe("1\nü2\n3\n3b\n");
      expect(await textOf(place.open())).toBe("1\nü2\n3\n3b\n");
    });

    it("goes on where another process ended", async () => {
      await store.append("1\n", true);
      await store.close();
      await place.open().append("2\n", true);
      expect(await textOf(place.open())).toBe("1\n2\n");
    });

    it("refuses a part of a line, and goes on", async () => {
      await expect(store.append("half", false)).rejects.toThrow("whole lines");
      await store.append("1\n", false);
      expect(await textOf(store)).toBe("1\n");
    });

    it("writes nothing after a torn end until it has been set aside", async () => {
      await store.append("1\n", true);
      await store.close();
      await place.appendRaw('{"half');
      const next = place.open();
      await expect(next.append("2\n", true)).rejects.toThrow("torn end");
      expect(await next.setAsideTail(6)).toContain("torn-1");
      await next.append("2\n", true);
      expect(await textOf(next)).toBe("1\n2\n");
      expect(await place.tails()).toEqual(['{"half']);
    });

    it("keeps each tail it sets aside", async () => {
      await place.appendRaw("one\ntwo\nthree\n");
      await store.setAsideTail(6);
      expect(await store.setAsideTail(4)).toContain("torn-2");
      expect(await textOf(store)).toBe("one\n");
      expect(await place.tails()).toEqual(["three\n", "two\n"]);
    });

    it.each([0, -1, 5, 1.5])("has no tail of %d bytes when it has four", async (bytes) => {
      await store.append("one\n", true);
      await expect(store.setAsideTail(bytes)).rejects.toThrow("no tail");
      await store.append("two\n", true);
      expect(await textOf(store)).toBe("one\ntwo\n");
    });

    it("gives back blobs, also to another process, and null for what it does not have", async () => {
      const text = "large ü\0\r\n".repeat(10_000);
      const reference = await store.putBlob(text);
      expect(await store.putBlob(text)).toBe(reference);
      expect(await place.open().getBlob(reference)).toBe(text);
      for (const unknown of ["0".repeat(64), "", "../key", "key"]) expect(await store.getBlob(unknown)).toBeNull();
    });

    it("seals alike in every process on this journal, and unlike any other journal", async () => {
      await store.append("1\n", true);
      const seal = await store.seal("line");
      expect(seal).toMatch(/^[0-9a-f]{64}$/);
      expect(await place.open().seal("line")).toBe(seal);
      expect(await store.seal("other line")).not.toBe(seal);
      expect(await (await create()).open().seal("line")).not.toBe(seal);
    });

    it("can seal before the first append", async () => {
      const seal = await store.seal("line");
      await store.append("1\n", true);
      expect(seal).not.toBeNull();
      expect(await place.open().seal("line")).toBe(seal);
    });

    it("never makes a new key for an old journal", async () => {
      await store.append("1\n", true);
      await store.close();
      await place.loseKey();
      const next = place.open();
      expect(await next.seal("line")).toBeNull();
      await next.append("2\n", true);
      expect(await next.seal("line")).toBeNull();
      expect(await place.open().seal("line")).toBeNull();
    });

    it("keeps the newest head, also for another process, and misses one that was taken away", async () => {
      await store.append("1\n", true);
      expect(await store.readHead()).toBe("");
      await store.append("2\n", true, `{"seq":2,"of":"${"x".repeat(200)}"}`);
      await store.append("3\n", true, '{"seq":3}');
      await store.append("4\n", false);
      expect(await store.readHead()).toBe('{"seq":3}');
      await store.close();
      const next = place.open();
      expect(await next.readHead()).toBe('{"seq":3}');
      await next.append("5\n", true, '{"seq":5}');
      expect(await place.open().readHead()).toBe('{"seq":5}');
      await next.close();
      await place.loseHead();
      expect(await place.open().readHead()).toBeNull();
    });

    it("is locked by one at a time, who is named to the others", async () => {
      const other = place.open();
      expect(await store.lock()).toEqual({ ok: true });
      expect(await store.lock()).toEqual({ ok: true });
      const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
      expect(await other.lock()).toEqual({ ok: false, pid: process.pid, since });
      await other.close();
      expect(await place.open().lock()).toMatchObject({ ok: false });
      await store.close();
      expect(await place.open().lock()).toEqual({ ok: true });
    });

    it("writes nothing once it is closed", async () => {
      await store.append("1\n", false);
      await store.close();
      await store.close();
      await expect(store.append("2\n", false)).rejects.toThrow("closed");
      expect(await textOf(place.open())).toBe("1\n");
    });
  });
}
