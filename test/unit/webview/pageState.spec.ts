import { describe, expect, it } from "vitest";
import type { TranscriptView } from "../../../extension/protocol/transcriptView";
import { ask, emptyPage, hear, isAsked, type PageState } from "../../../webview/pageState";
import { toBlocks } from "../../../webview/proseBlocks";

const view: TranscriptView = {
  run: {
    ...{ id: "r1", goal: "g", mode: "live", phase: "running", status: null, verdict: "none", isReview: false },
    ...{
      folder: "f",
      model: "m",
      journal: "j",
      attempts: 0,
      maxAttempts: 3,
      turns: 1,
      tokens: 5,
      waiting: 0,
      problem: null,
    },
  },
  ...{ plan: [], earlier: 0, entries: [], live: { turn: 2, text: "Now", isReasoning: false } },
  ...{ progress: {}, runningCheck: null },
};
const shown = hear(emptyPage, { type: "snapshot", version: 3, now: 5_000, view }, 4_000);
const liveText = (state: PageState) => state.view?.live?.text;

describe("the page", () => {
  it("knows how its clock differs from the host's", () => {
    expect(shown.clockOffsetMs).toBe(1_000);
  });

  const deltas = [
    { name: "adds what continues the text it has", change: {}, text: "Now it" },
    { name: "leaves out what belongs to another picture", change: { version: 2 }, text: "Now" },
    { name: "leaves out what belongs to another turn", change: { turn: 3 }, text: "Now" },
    { name: "leaves out what does not continue its text", change: { at: 2 }, text: "Now" },
  ];
  it.each(deltas)("$name", ({ change, text }) => {
    const delta = { type: "delta" as const, version: 3, turn: 2, at: 3, text: " it", ...change };
    expect(liveText(hear(shown, delta, 0))).toBe(text);
  });

  it("waits for an answer where something was asked, and shows a refusal there", () => {
    const asked = ask(shown, { type: "approve", request: 1, id: "A1", digest: "d" });
    expect(isAsked(asked, "approval:A1")).toBe(true);
    const refused = hear(asked, { type: "answered", request: 1, refusal: "it has ended" }, 0);
    expect(isAsked(refused, "approval:A1")).toBe(false);
    expect(refused.refusals).toEqual({ "approval:A1": "it has ended" });
    expect(ask(refused, { type: "deny", request: 2, id: "A1", digest: "d", reason: "" }).refusals).toEqual({});
  });

  it("counts what was done, and ignores answers to nothing", () => {
    const asked = ask(shown, { type: "steer", request: 1, text: "x" });
    const done = hear(asked, { type: "answered", request: 1, refusal: null }, 0);
    expect(done.served).toEqual({ composer: 1 });
    expect(hear(done, { type: "answered", request: 1, refusal: null }, 0)).toBe(done);
  });
});

describe("the agent's words", () => {
  it("are paragraphs and fenced code", () => {
    expect(toBlocks("One\ntwo\n\nthree\n```ts\na\n\nb\n```\nfour")).toEqual([
      { kind: "text", text: "One\ntwo" },
      { kind: "text", text: "three" },
      { kind: "code", text: "a\n\nb" },
      { kind: "text", text: "four" },
    ]);
  });

  it("are code to the end while a fence is open", () => {
    expect(toBlocks("```\nhalf")).toEqual([{ kind: "code", text: "half" }]);
  });

  it("end a fence only with its own mark", () => {
    expect(toBlocks("````\n```\n````\nx")).toEqual([
      { kind: "code", text: "```" },
      { kind: "text", text: "x" },
    ]);
  });
});
