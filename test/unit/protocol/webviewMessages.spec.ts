import { describe, expect, it } from "vitest";
import {
  parseSavedPage,
  parseToHost,
  parseToWebview,
  type ToHost,
  type ToWebview,
} from "../../../extension/protocol/webviewMessages";

const honest: { [K in ToHost["type"]]: Extract<ToHost, { type: K }> } = {
  ready: { type: "ready" },
  approve: { type: "approve", request: 1, id: "A1", digest: "d" },
  deny: { type: "deny", request: 2, id: "A1", digest: "d", reason: "" },
  answer: { type: "answer", request: 3, id: "A1", digest: "d", text: "yes" },
  review: { type: "review", request: 4, id: "A1", digest: "d" },
  steer: { type: "steer", request: 5, text: "use tabs" },
  stop: { type: "stop", request: 6 },
  resume: { type: "resume", request: 7 },
  open: { type: "open", request: 8, target: { what: "output", callId: "c1" } },
  showEarlier: { type: "showEarlier", request: 9 },
};

describe("a message to the host", () => {
  it.each(Object.values(honest))("$type is understood as it was said", (message) => {
    expect(parseToHost(message)).toEqual({ ok: true, value: message });
  });

  const hostile: readonly [string, unknown][] = [
    ["nothing", undefined],
    ["null", null],
    ["text", "approve"],
    ["a list", [honest.approve]],
    ["no type", { request: 1, id: "A1", digest: "d" }],
    ["an unknown type", { ...honest.stop, type: "approveAll" }],
    ["a type of an object's own", { type: "constructor" }],
    ["a type that is not text", { ...honest.stop, type: ["stop"] }],
    ["no digest", { type: "approve", request: 1, id: "A1" }],
    ["an empty digest", { ...honest.approve, digest: "" }],
    ["a digest that is an object", { ...honest.approve, digest: { toString: "d" } }],
    ["a list of ids", { ...honest.approve, id: ["A1", "A2"] }],
    ["an id without end", { ...honest.approve, id: "A".repeat(10_000) }],
    ["a field too much", { ...honest.approve, level: "normal" }],
    ["somebody else's name", { ...honest.deny, by: "Ada" }],
    ["no request", { type: "stop" }],
    ["a request that is no number", { ...honest.stop, request: "1" }],
    ["a request that is not whole", { ...honest.stop, request: 0.5 }],
    ["a request that is not finite", { ...honest.stop, request: Infinity }],
    ["a message of spaces", { ...honest.steer, text: " \n " }],
    ["a message without end", { ...honest.steer, text: "x".repeat(100_000) }],
    ["an address to open", { ...honest.open, target: { what: "url", url: "https://example.com" } }],
    ["a target that is text", { ...honest.open, target: "journal" }],
    ["a path on an output", { ...honest.open, target: { what: "output", callId: "c1", path: "/etc/passwd" } }],
  ];
  it.each(hostile)("is dropped when it is %s", (_name, message) => {
    expect(parseToHost(message)).toEqual({ ok: false, problem: expect.any(String) as string });
  });

  it("does not repeat what it dropped", () => {
    const parsed = parseToHost({ type: "steer", request: 1, text: 7, secret: "hunter2" });
    expect(JSON.stringify(parsed)).not.toContain("hunter2");
  });
});

describe("a message to the page", () => {
  const heard: readonly ToWebview[] = [
    { type: "delta", version: 1, turn: 2, at: 0, text: "x" },
    { type: "progress", version: 1, progress: { c1: "half" }, runningCheck: null },
    { type: "answered", request: 1, refusal: null },
    { type: "gone", message: "gone" },
  ];
  it.each(heard)("$type is understood as it was said", (message) => {
    expect(parseToWebview(message)).toEqual({ ok: true, value: message });
  });

  it("is dropped when its picture has a piece of an unknown kind", () => {
    const view = { entries: [{ kind: "script", key: "k", at: 0 }] };
    expect(parseToWebview({ type: "snapshot", version: 1, now: 0, view }).ok).toBe(false);
  });
});

describe("what a page saved", () => {
  it("is its run and where the person was", () => {
    const saved = { run: "R1", scroll: null, draft: "use", filter: "decisions" };
    expect(parseSavedPage(saved)).toEqual(saved);
    expect(parseSavedPage({ run: "R1" })).toEqual({ run: "R1" });
  });

  it.each([undefined, null, {}, { run: 1 }, { run: "R1", filter: "none" }])("is nothing when it is %j", (saved) => {
    expect(parseSavedPage(saved)).toBeNull();
  });
});
