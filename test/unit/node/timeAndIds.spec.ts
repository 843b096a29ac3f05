import { describe, expect, it } from "vitest";
import { NodeHasher } from "../../../extension/node/nodeHasher";
import { RandomIds } from "../../../extension/node/randomIds";
import { SystemClock } from "../../../extension/node/systemClock";
import { FakeClock } from "../../support/fakeClock";

describe("SystemClock", () => {
  const clock = new SystemClock();

  it("tells the time in milliseconds and sleeps at least as long as asked", async () => {
    const systemTime = Date.now();
    const before = clock.now();
    expect(before).toBeGreaterThanOrEqual(systemTime);
    expect(before).toBeLessThanOrEqual(Date.now());
    await clock.sleep(30);
    expect(clock.now() - before).toBeGreaterThanOrEqual(29);
  });

  it("wakes at once on an abort, leaves no timer and never rejects", async () => {
    const controller = new AbortController();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const sleeping = clock.sleep(60_000, controller.signal);
    expect(timers()).toBe(before + 1);
    controller.abort();
    await sleeping;
    await clock.sleep(60_000, controller.signal);
    expect(timers()).toBe(before);
  });

  it("does not wake early from a sleep longer than a timer can hold", async () => {
    const controller = new AbortController();
    let isAwake = false;
    const sleeping = clock.sleep(1e13, controller.signal).then(() => (isAwake = true));
    await clock.sleep(20);
    expect(isAwake).toBe(false);
    controller.abort();
    await sleeping;
  });
});

describe("FakeClock", () => {
  it("wakes sleepers in order, also those that sleep again, and counts those left", async () => {
    const clock = new FakeClock(0);
    const woken: string[] = [];
    void clock.sleep(20).then(() => woken.push(`b ${clock.now()}`));
    void (async () => {
      await clock.sleep(10);
      woken.push(`a ${clock.now()}`);
      await clock.sleep(15);
      woken.push(`c ${clock.now()}`);
    })();
    void clock.sleep(100);
    await clock.advance(30);
    expect([woken, clock.now(), clock.sleeping]).toEqual([["a 10", "b 20", "c 25"], 30, 1]);
  });
});

describe("RandomIds", () => {
  it("makes run ids that sort in the order they were made, even in one millisecond or when the clock is set back", () => {
    const clock = new FakeClock(Date.UTC(2026, 10, 30, 22, 51, 14, 123));
    const ids = new RandomIds(clock);
    const made = Array.from({ length: 200 }, () => ids.runId());
    expect(made[0]).toMatch(/^20261130T225114123Z-[a-z0-9]{6}$/);
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(200);
  });

  it("makes call ids of nine letters and digits", () => {
    const ids = new RandomIds(new FakeClock());
    const made = Array.from({ length: 1_000 }, () => ids.callId());
    expect(made.every((id) => /^[a-z0-9]{9}$/.test(id))).toBe(true);
    expect(new Set(made).size).toBe(1_000);
  });
});

describe("NodeHasher", () => {
  it("hashes text as UTF-8", () => {
    const hasher = new NodeHasher();
    expect(hasher.sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(hasher.sha256("é")).toBe(hasher.sha256(new Uint8Array([0xc3, 0xa9])));
  });
});
