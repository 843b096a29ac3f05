import { beforeEach, describe, expect, it } from "vitest";
import { ApprovalFlow } from "../../../extension/host/approvals/approvalFlow";
import { announceNew } from "../../../extension/host/approvals/announceNew";
import type { RequestRef } from "../../../extension/host/projections/row";
import { plainEnglish } from "../../../extension/host/projections/translate";
import { callRequest, FoldedRun, replyOf, stateOf } from "../../support/editorRuns";
import { RecordingPrompter } from "../../support/recordingPrompter";

const prod: RequestRef = { run: "R1", id: "A1", digest: "digest-of-A1" };
const normal: RequestRef = { run: "R1", id: "A2", digest: "digest-of-A2" };
const question: RequestRef = { run: "R1", id: "A3", digest: "digest-of-A3" };

let run: FoldedRun;
let prompter: RecordingPrompter;
let flow: ApprovalFlow;

beforeEach(() => {
  run = new FoldedRun({ state: stateOf() });
  run.add(
    replyOf(1, "I deploy, commit and ask.", [
      ["c1", "deploy"],
      ["c2", "git_commit"],
      ["c3", "ask_human"],
    ]),
    callRequest(),
    callRequest({ id: "A2", callId: "c2", tool: "git_commit", level: "normal", digest: normal.digest }),
    callRequest({
      ...{ id: "A3", callId: "c3", kind: "question", tool: "ask_human", level: "normal", digest: question.digest },
      args: { question: "Which environment?" },
    }),
  );
  prompter = new RecordingPrompter();
  flow = new ApprovalFlow({ runs: run, prompter, by: "tester", t: plainEnglish });
});

const statusOf = ({ id }: RequestRef) => run.state.approvals.find((approval) => approval.id === id)?.status;

/** Lets everything that waits for nothing but its turn go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a prod request", () => {
  it("is announced with a review and nothing that approves", async () => {
    const announced = flow.announce(prod);
    expect(prompter.last("notify").choices).toEqual(["review"]);
    expect(prompter.last("notify").message).toContain("prod needs human approval");
    prompter.last("notify").choose(null);
    await announced;
    expect(run.sent).toEqual([]);
  });

  it("is opened for review, never approved, by the one-click approve of a row", async () => {
    void flow.approve(prod);
    await settle();
    expect(prompter.reviewed).toEqual([prod]);
    expect(run.sent).toEqual([]);
  });

  it("is not decided before its review was open", async () => {
    void flow.decide(prod);
    await settle();
    expect(prompter.reviewed).toEqual([prod]);
    expect(prompter.prompts.map(({ kind }) => kind)).toEqual(["notify"]);
  });

  describe("after its review", () => {
    beforeEach(async () => {
      void flow.review(prod);
      await settle();
    });

    it("offers to decide without taking the focus", () => {
      expect(prompter.last("notify").choices).toEqual(["decide"]);
    });

    it("asks Deny first, so that Enter denies", async () => {
      prompter.last("notify").choose("decide");
      await settle();
      const { choices } = prompter.last("decide");
      expect(choices).toEqual(["deny", "approve"]);
      prompter.last("decide").choose(choices[0] ?? null);
      await settle();
      expect(statusOf(prod)).toBe("denied");
    });

    it("stays waiting after Escape", async () => {
      const decided = flow.decide(prod);
      prompter.last("decide").choose(null);
      await decided;
      expect(run.sent).toEqual([]);
      expect(statusOf(prod)).toBe("pending");
    });

    it("is approved under the digest that the person saw", async () => {
      const decided = flow.decide(prod);
      prompter.last("decide").choose("approve");
      await decided;
      expect(run.sent).toEqual([{ type: "approve", id: "A1", by: "tester", digest: "digest-of-A1" }]);
      expect(statusOf(prod)).toBe("approved");
    });

    it("is told as ended when somebody else was faster", async () => {
      const decided = flow.decide(prod);
      await run.send("R1", { type: "deny", id: "A1", by: "another", reason: "not today" });
      run.sent.length = 0;
      prompter.last("decide").choose("approve");
      await decided;
      expect(run.sent).toEqual([]);
      expect(prompter.told).toEqual(["A1 has ended: it was denied: not today. Your click changed nothing."]);
    });
  });
});

describe("a normal request", () => {
  it("is approved, denied or looked at from its notification", async () => {
    const announced = flow.announce(normal);
    expect(prompter.last("notify").choices).toEqual(["approve", "deny", "details"]);
    prompter.last("notify").choose("approve");
    await announced;
    expect(statusOf(normal)).toBe("approved");
  });

  it("tells a late click that nobody had answered, in these words", async () => {
    const announced = flow.announce(normal);
    run.add({ type: "approval_withdrawn", id: "A2", why: "nobody answered within 24 hours" });
    prompter.last("notify").choose("approve");
    await announced;
    expect(run.sent).toEqual([]);
    expect(prompter.told).toEqual([
      "A2 has ended: it got no answer: nobody answered within 24 hours. Your click changed nothing.",
    ]);
  });

  it("takes no answer once its run is over", async () => {
    const announced = flow.announce(normal);
    run.change({ mode: "ended" });
    prompter.last("notify").choose("approve");
    await announced;
    expect(run.sent).toEqual([]);
    expect(prompter.told).toEqual(["A2 has ended: its run is over. Your click changed nothing."]);
  });

  it("is not found under another digest", async () => {
    await flow.approve({ ...normal, digest: "another" });
    expect(run.sent).toEqual([]);
    expect(statusOf(normal)).toBe("pending");
  });

  it("is denied with the reason that the person gave", async () => {
    const denied = flow.denyWithReason(normal);
    prompter.last("input").enter("use a branch ");
    await denied;
    expect(run.sent).toEqual([{ type: "deny", id: "A2", by: "tester", reason: "use a branch" }]);
  });

  it("stays waiting when the reason is left with Escape", async () => {
    const denied = flow.denyWithReason(normal);
    prompter.last("input").enter(null);
    await denied;
    expect(run.sent).toEqual([]);
  });

  it("tells why the run refused the answer", async () => {
    const refusing = {
      find: (id: string) => run.find(id),
      send: async () => ({ ok: false as const, reason: "no lock" }),
    };
    await new ApprovalFlow({ runs: refusing, prompter, by: "tester", t: plainEnglish }).approve(normal);
    expect(prompter.told).toEqual(["Nothing was decided: no lock"]);
  });
});

describe("a question", () => {
  it("is answered in an input box that the person opened", async () => {
    const announced = flow.announce(question);
    expect(prompter.last("notify").choices).toEqual(["answer", "details"]);
    prompter.last("notify").choose("answer");
    await settle();
    prompter.last("input").enter("staging");
    await announced;
    expect(run.sent).toEqual([{ type: "answer", id: "A3", by: "tester", text: "staging" }]);
  });

  it("stays waiting after Escape and after an empty answer", async () => {
    const first = flow.answer(question);
    prompter.last("input").enter(null);
    await first;
    const second = flow.answer(question);
    prompter.last("input").enter("  ");
    await second;
    expect(run.sent).toEqual([]);
    expect(prompter.told).toEqual(["A3 still waits: an answer cannot be empty."]);
  });
});

describe("two requests", () => {
  it("are answered each alone, in reverse order", async () => {
    const first = flow.announce(normal);
    const second = flow.announce(question);
    prompter.last("notify").choose("answer");
    await settle();
    prompter.last("input").enter("staging");
    await second;
    expect([statusOf(normal), statusOf(question)]).toEqual(["pending", "answered"]);
    const [opened] = prompter.prompts;
    if (opened?.kind === "notify") opened.choose("deny");
    await first;
    expect([statusOf(prod), statusOf(normal)]).toEqual(["pending", "denied"]);
  });
});

describe("announcing", () => {
  it("tells each request once, those that wait already and those that come", () => {
    const told: string[] = [];
    const listening = announceNew(run, ({ id }) => told.push(id));
    expect(told).toEqual(["A1", "A2", "A3"]);
    run.add(callRequest({ id: "A4", digest: "digest-of-A4" }));
    run.change({});
    expect(told).toEqual(["A1", "A2", "A3", "A4"]);
    listening.dispose();
    run.add(callRequest({ id: "A5", digest: "digest-of-A5" }));
    expect(told).toHaveLength(4);
  });

  it("leaves a run alone that another window holds", () => {
    run.change({ mode: "watching" });
    const told: string[] = [];
    announceNew(run, ({ id }) => told.push(id));
    expect(told).toEqual([]);
  });
});

it("makes nothing clickable of a model's text in a notification", () => {
  run.add(
    callRequest({ id: "A4", digest: "d4", reason: "[Approve](command:donegate.x) \u202e", args: { a: "$(check)" } }),
  );
  void flow.announce({ run: "R1", id: "A4", digest: "d4" });
  const { message } = prompter.last("notify");
  expect(message).toContain("[Approve] (command:donegate.x)");
  expect(message).not.toMatch(/\]\(|\$\(|\u202e/);
});
