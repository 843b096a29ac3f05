// Shows a run while it goes on, asks the person, passes on a stop, and cleans up behind it.
import { isStale } from "../core/agents/resumeParts";
import type { RunState } from "../core/journal/runState";
import { toOutcome } from "../core/journal/toOutcome";
import { attachApprover } from "../core/loop/approver";
import type { AgentRun } from "../core/loop/run";
import { writeJson } from "./cliCommand";
import type { CliIo, Sink } from "./cliIo";
import { onAskedToLeave, type ComposedRun } from "./compose";
import { toExitCode } from "./exitCodes";
import { tellEvent } from "./story";
import { bad, plain, quiet, writeLines } from "./storyLine";
import { tellOutcome } from "./storyOutcome";
import { storySink } from "./storySink";
import { createTerminalApprover } from "./terminalApprover";

export interface Following {
  io: CliIo;
  composed: ComposedRun;
  wantsJson: boolean;
}

/** To be called before the run has emitted anything. Answers the exit code. */
export async function followRun(run: AgentRun, { io, composed, wantsJson }: Following): Promise<number> {
  const sink = storySink(io, wantsJson);
  writeLines(sink, [quiet(`Journal: ${composed.ports.journal.location}`)]);
  const shown = new Set<string>();
  run.subscribe({
    onEvent: (event, state) => {
      // On a terminal the approver shows it, right above its question.
      if (event.type === "approval_requested" && io.terminal !== null) return;
      if (event.type === "approval_requested") shown.add(event.id);
      writeLines(sink, tellEvent(event, state));
    },
    onSignal: (signal) => {
      if (signal.type === "check_started") writeLines(sink, [quiet(`    running the check ${signal.name}`)]);
    },
  });
  const detach = attachTerminal(run, io, sink, shown);
  const release = io.onStop(() => {
    writeLines(sink, [plain("Stopping; a second signal ends the process at once.")]);
    void run.send({ type: "stop" });
  });
  let isTakenOver = false;
  const stopLooking = onAskedToLeave(composed.ports.journal.location, () => {
    isTakenOver = true;
    writeLines(sink, [plain("Another process takes this run over; stopping here.")]);
    void run.leave();
  });
  const state = await run.settled;
  stopLooking();
  detach?.();
  // Who takes it over waits for the lock, and its verdict is no longer this process's.
  const stale = isTakenOver ? null : await isStale(state, composed.ports.snapshots);
  const survivors = await composed.end();
  release();
  if (survivors.length > 0) writeLines(sink, [bad(`Still running, could not be ended: ${survivors.join(", ")}`)]);
  return report(isTakenOver ? asTakenOver(state) : state, stale, { io, composed, wantsJson }, shown);
}

/** What this process tells of a run that goes on elsewhere; the journal gets no end from here. */
function asTakenOver(state: RunState): RunState {
  if (state.end !== null) return state;
  const stoppedBy = "another process has taken this run over; it goes on there";
  return {
    ...state,
    end: {
      ...{ status: "interrupted", limit: null, stoppedBy, reasons: [stoppedBy], review: false },
      ...{ outcome: "interrupted", text: state.text },
    },
  };
}

/** Answers how to detach. */
function attachTerminal(run: AgentRun, { terminal }: CliIo, sink: Sink, shown: Set<string>): (() => void) | null {
  if (terminal === null) return null;
  const approver = createTerminalApprover(terminal, sink, {
    onShown: (id) => void shown.add(id),
    onClosed: () => run.suspend(),
  });
  return attachApprover(run, approver);
}

/** Prints the outcome of a run that has ended. `shown`: ids of approvals that were shown with all their arguments. */
export function report(
  state: RunState,
  stale: boolean | null,
  { io, composed, wantsJson }: Following,
  shown: ReadonlySet<string> = new Set(),
): number {
  const outcome = toOutcome(state, { journal: composed.ports.journal.location, stale });
  writeLines(storySink(io, wantsJson), tellOutcome(outcome, shown));
  if (wantsJson) writeJson(io, outcome);
  return toExitCode(outcome.status);
}
