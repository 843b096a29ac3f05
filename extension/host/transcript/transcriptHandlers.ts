// What a click or a word in the transcript does. A page is not trusted: each message is checked against the run's own state.
import { pendingApprovals, type Approval } from "../../core/journal/runState";
import type { Command } from "../../core/loop/command";
import type { OpenTarget, ToHostHandlers } from "../../protocol/webviewMessages";
import { toApprovalAction } from "../projections/transcriptCalls";
import type { RequestRef } from "../projections/row";
import type { RunEntry, Runs } from "../runs";

/** What the editor does for the transcript. */
export interface TranscriptActions {
  /** Opens the review document of a request. */
  review(request: RequestRef): Promise<void>;
  openJournal(journal: string): Promise<void>;
  /** Shows text in an editor, read-only; `title` is unique for what it shows. */
  openText(title: string, text: string): Promise<void>;
  /** `path` is relative to `root`, or absolute when the run touched a file outside it. */
  openFile(root: string, path: string): Promise<void>;
  /** Who answers, for the journal. */
  readonly by: string;
}

export type RunsOfTranscript = Pick<
  Runs,
  "find" | "open" | "events" | "readOutput" | "onDidChange" | "onSignal" | "send" | "resume"
>;

export interface TranscriptHandlerParts {
  runs: RunsOfTranscript;
  run: string;
  actions: TranscriptActions;
  onReady(): Promise<void>;
  showEarlier(): Promise<void>;
}

/** Each answers null when it was done, else why not, for the person. */
export function createTranscriptHandlers(parts: TranscriptHandlerParts): ToHostHandlers<Promise<string | null>> {
  const { runs, run, actions } = parts;
  const { by } = actions;
  const send = async (command: Command): Promise<string | null> => {
    const answer = await runs.send(run, command);
    return answer.ok ? null : answer.reason;
  };
  const ifPending = async (
    { id, digest }: { id: string; digest: string },
    act: (approval: Approval) => Promise<string | null>,
  ): Promise<string | null> => {
    const found = findPending(runs.find(run), id, digest);
    return found.ok ? act(found.approval) : found.reason;
  };
  return {
    ready: async () => done(parts.onReady()),
    approve: (message) =>
      ifPending(message, async (approval) => {
        const { id, digest } = approval;
        if (toApprovalAction(approval) !== "approve") return `${id} can only be approved in its review`;
        return send({ type: "approve", id, digest, by });
      }),
    deny: (message) =>
      ifPending(message, async ({ id }) => send({ type: "deny", id, by, reason: message.reason.trim() })),
    answer: (message) =>
      ifPending(message, async ({ id }) => send({ type: "answer", id, by, text: message.text.trim() })),
    review: (message) => ifPending(message, ({ id, digest }) => done(actions.review({ run, id, digest }))),
    steer: async ({ text }) => {
      const entry = runs.find(run);
      if (entry === null) return gone;
      if (entry.mode === "live") return send({ type: "steer", text: text.trim(), by });
      const resumed = await runs.resume(run, text.trim());
      return resumed.ok ? null : resumed.message;
    },
    stop: () => send({ type: "stop" }),
    resume: async () => {
      const resumed = await runs.resume(run);
      return resumed.ok ? null : resumed.message;
    },
    open: async ({ target }) => {
      const entry = runs.find(run);
      return entry === null ? gone : open(target, entry, parts);
    },
    showEarlier: async () => done(parts.showEarlier()),
  };
}

const gone = "this run is not here any more";

async function done(act: Promise<void>): Promise<null> {
  await act;
  return null;
}

function findPending(
  entry: RunEntry | null,
  id: string,
  digest: string,
): { ok: true; approval: Approval } | { ok: false; reason: string } {
  if (entry === null) return { ok: false, reason: gone };
  const approval = pendingApprovals(entry.state).find((pending) => pending.id === id);
  if (approval !== undefined) {
    if (approval.digest === digest) return { ok: true, approval };
    return { ok: false, reason: `${id} is about another call than the one you saw` };
  }
  const known = entry.state.approvals.find((ended) => ended.id === id);
  const how = known === undefined ? "" : `: it was ${known.status}`;
  return { ok: false, reason: `This request has ended${how}. Your click changed nothing.` };
}

/** The page names things; where they lie only the run knows. */
async function open(target: OpenTarget, entry: RunEntry, parts: TranscriptHandlerParts): Promise<string | null> {
  const { actions, runs } = parts;
  switch (target.what) {
    case "journal":
      return done(actions.openJournal(entry.journal));
    case "file":
      if (!entry.state.touched.includes(target.path)) return "this run did not touch that file";
      return done(actions.openFile(entry.root, target.path));
    case "output": {
      const end = runs
        .events(entry.id)
        .findLast((event) => event.type === "tool_end" && event.callId === target.callId);
      if (end?.type !== "tool_end") return "there is no output of this call";
      const whole = end.blob === null ? end.result : await runs.readOutput(entry.id, end.blob);
      if (whole === null) return "the whole output is not there any more";
      return done(actions.openText(`${end.tool}-${entry.id}-${end.seq}`, whole));
    }
  }
}
