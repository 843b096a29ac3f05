import type { Approval } from "../core/journal/runState";
import type { Approver, Decision } from "../core/loop/approver";
import type { Sink, Terminal } from "./cliIo";
import { tellApproval } from "./storyApproval";
import { writeLines } from "./storyLine";

const personAtTerminal = "person at the terminal";

export interface ApproverListener {
  /** The request was shown with all its arguments. */
  onShown(id: string): void;
  /** Nobody can answer any more. */
  onClosed(): void;
}

/**
 * Asks one request after the other. An empty line decides nothing and the question is put again. A terminal that is closed
 * gives no answer, and the request goes on waiting.
 */
export function createTerminalApprover(terminal: Terminal, sink: Sink, listener: ApproverListener): Approver {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    decide: (request, signal) => {
      const decision = turn.then(async () => {
        if (signal.aborted) return null;
        // Right above the question: other lines may have come since it was asked, and a resumed run never showed it.
        writeLines(sink, tellApproval(request));
        listener.onShown(request.id);
        const decided = await decide(request, terminal, sink, signal);
        if (decided === null && terminal.closed) listener.onClosed();
        return decided;
      });
      turn = decision.catch(() => undefined);
      return decision;
    },
  };
}

async function decide(
  request: Approval,
  terminal: Terminal,
  sink: Sink,
  signal: AbortSignal,
): Promise<Decision | null> {
  while (!signal.aborted) {
    const line = await terminal.ask(promptFor(request), sink, signal);
    if (line === null && terminal.closed && !signal.aborted) {
      sink.write(`\n${request.id}: no answer, since the terminal is closed. It goes on waiting.\n`);
      return null;
    }
    const decision = line === null ? null : toDecision(request, line.trim());
    if (decision === "needs-reason") {
      const reason = await terminal.ask(`${request.id}: why not? The agent is told: `, sink, signal);
      if (reason !== null) return { decision: "deny", by: personAtTerminal, reason: reason.trim() };
    } else if (decision !== null) {
      return decision;
    } else {
      sink.write(signal.aborted ? `\n${request.id} is no longer asked.\n` : "Nothing is decided.\n");
    }
  }
  return null;
}

function promptFor({ id, kind, level }: Approval): string {
  if (kind === "question") return `${id}: your answer: `;
  const yes = level === "prod" ? "the word approve to approve" : "y to approve";
  return `${id}: type ${yes}, d to deny; Enter decides nothing: `;
}

/** Null: no answer. Level prod wants the whole word, so that a key hit by mistake is none. */
function toDecision({ kind, level }: Approval, line: string): Decision | "needs-reason" | null {
  const by = personAtTerminal;
  if (line === "") return null;
  if (kind === "question") return { decision: "answer", by, text: line };
  const denied = /^(?:d|deny|n|no)(?:\s+(.*))?$/i.exec(line);
  if (denied !== null) return denied[1] === undefined ? "needs-reason" : { decision: "deny", by, reason: denied[1] };
  const isYes = level === "prod" ? line === "approve" : /^(?:y|yes|approve)$/i.test(line);
  return isYes ? { decision: "approve", by } : null;
}
