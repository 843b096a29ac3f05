// A request where it came up. Only level normal can be approved here; the others are opened for review.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TranscriptApproval } from "../../extension/protocol/transcriptEntry";
import { Icon } from "../icons";
import { usePage } from "../page";
import { Output } from "../prose";
import { useFocusKept } from "../useFocusKept";

const endWords = {
  pending: "Waits for an answer",
  approved: "Approved",
  denied: "Denied",
  answered: "Answered",
  withdrawn: "No answer",
} as const;

export function ApprovalCard({ approval }: { approval: TranscriptApproval }): JSX.Element {
  if (approval.status !== "pending") return <EndedApproval approval={approval} />;
  const { id, level, reason, kind, args, action } = approval;
  return (
    <section class={`approval level-${level}`} aria-label={`Approval ${id}, level ${level}`}>
      <header>
        <strong>{toTitle(approval)}</strong>
        <span class="chip">{id}</span>
        {level !== "normal" && <span class={`chip level-${level}`}>{level}</span>}
      </header>
      <p class="reason">{reason}</p>
      {kind !== "question" && args.text !== "" && <Output cut={args} label={`Arguments of ${id}`} />}
      {action === "none" ? (
        <p class="hint">It can be answered in the window that holds this run.</p>
      ) : (
        <Answer approval={approval} />
      )}
    </section>
  );
}

function toTitle({ kind, tool }: TranscriptApproval): string {
  if (kind === "question") return "The agent asks you";
  return kind === "cancel-items" ? "The agent wants to drop plan items" : `Allow ${tool}?`;
}

function EndedApproval({ approval }: { approval: TranscriptApproval }): JSX.Element {
  const { id, status, by, answer } = approval;
  const isGood = status === "approved" || status === "answered";
  return (
    <p class="approval-end">
      <Icon
        name={isGood ? "ok" : status === "denied" ? "denied" : "none"}
        tone={isGood ? "good" : status === "denied" ? "bad" : "quiet"}
      />
      <span>
        {endWords[status]}
        {by !== "" && ` by ${by}`}
        {answer !== "" && `: ${answer}`} <span class="quiet">({id})</span>
      </span>
    </p>
  );
}

function Answer({ approval }: { approval: TranscriptApproval }): JSX.Element {
  const page = usePage();
  const place = `approval:${approval.id}`;
  const isBusy = page.isAsked(place);
  const refusal = page.refusal(place);
  const box = useRef<HTMLDivElement>(null);
  useFocusKept(box);
  return (
    <div ref={box}>
      {approval.action === "answer" ? (
        <QuestionForm approval={approval} isBusy={isBusy} />
      ) : (
        <DecisionForm approval={approval} isBusy={isBusy} />
      )}
      {refusal !== null && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
    </div>
  );
}

interface FormProps {
  approval: TranscriptApproval;
  isBusy: boolean;
}

function DecisionForm({ approval, isBusy }: FormProps): JSX.Element {
  const page = usePage();
  const [isDenying, setDenying] = useState(false);
  const { id, digest, action, tool } = approval;
  if (isDenying) return <DenialForm approval={approval} isBusy={isBusy} onCancel={() => setDenying(false)} />;
  return (
    <div class="actions">
      {action === "approve" ? (
        <button
          type="button"
          aria-disabled={isBusy}
          aria-label={`Approve ${id}, ${tool}`}
          onClick={() => page.ask({ type: "approve", id, digest })}
        >
          Approve
        </button>
      ) : (
        <button
          type="button"
          aria-disabled={isBusy}
          aria-label={`Review ${id}, ${tool}`}
          onClick={() => page.ask({ type: "review", id, digest })}
        >
          Review…
        </button>
      )}
      <button
        type="button"
        class="secondary"
        aria-disabled={isBusy}
        aria-label={`Deny ${id}, ${tool}`}
        onClick={() => setDenying(true)}
      >
        Deny…
      </button>
      {action === "review" && <span class="hint">Is approved only after it was read in full.</span>}
    </div>
  );
}

function DenialForm({ approval, isBusy, onCancel }: FormProps & { onCancel: () => void }): JSX.Element {
  const page = usePage();
  const { id, digest } = approval;
  const reason = useRef<HTMLInputElement>(null);
  // The person has just asked for this field.
  useEffect(() => reason.current?.focus(), []);
  const deny = (event: Event): void => {
    event.preventDefault();
    page.ask({ type: "deny", id, digest, reason: reason.current?.value ?? "" });
  };
  const field = `reason-${id}`;
  return (
    <form class="answer" onSubmit={deny} onKeyDown={(event) => event.key === "Escape" && onCancel()}>
      <label for={field}>Why not? The agent is told.</label>
      <input id={field} ref={reason} type="text" maxLength={2000} />
      <div class="actions">
        <button type="submit" aria-disabled={isBusy}>
          Deny {id}
        </button>
        <button type="button" class="secondary" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}

function QuestionForm({ approval, isBusy }: FormProps): JSX.Element {
  const page = usePage();
  const { id, digest } = approval;
  const [text, setText] = useState("");
  const answer = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== "") page.ask({ type: "answer", id, digest, text });
  };
  const field = `answer-${id}`;
  return (
    <form class="answer" onSubmit={answer}>
      <label for={field}>Your answer</label>
      <input
        id={field}
        type="text"
        maxLength={2000}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="submit" aria-disabled={isBusy || text.trim() === ""}>
          Answer
        </button>
        <button
          type="button"
          class="secondary"
          aria-disabled={isBusy}
          onClick={() => page.ask({ type: "deny", id, digest, reason: "" })}
        >
          Do not answer
        </button>
      </div>
    </form>
  );
}
