import type { Event } from "../core/journal/event";
import type { RunState } from "../core/journal/runState";
import type { Command } from "../core/loop/command";
import { decideCommand } from "../core/loop/decideCommand";
import { exitCodes, refuse, type Refusal } from "./exitCodes";
import type { GivenOption, ParsedArguments } from "./parseArguments";

export type PersonAnswer = Extract<Command, { type: "approve" | "deny" | "answer" }>;

/** `--approve ID`, `--deny ID --reason TEXT`, `--answer ID TEXT`, in any number and order. */
export function readAnswers({ options }: ParsedArguments, by: string): { ok: true; answers: PersonAnswer[] } | Refusal {
  const answers: PersonAnswer[] = [];
  for (const [at, option] of options.entries()) {
    const [id = "", text = ""] = option.values;
    if (option.name === "approve") answers.push({ type: "approve", id, by });
    if (option.name === "answer") answers.push({ type: "answer", id, by, text });
    if (option.name === "deny") {
      const reason = reasonAfter(options, at);
      if (reason === null) return usage(`--deny ${id} needs its reason right after it: --deny ${id} --reason TEXT`);
      answers.push({ type: "deny", id, by, reason });
    }
    if (option.name === "reason" && options[at - 1]?.name !== "deny") {
      return usage("--reason belongs right after --deny ID");
    }
  }
  const twice = answers.find((answer, at) => answers.findIndex((other) => other.id === answer.id) !== at);
  return twice === undefined ? { ok: true, answers } : usage(`${twice.id} is answered twice`);
}

function reasonAfter(options: readonly GivenOption[], at: number): string | null {
  const next = options[at + 1];
  return next?.name === "reason" ? (next.values[0] ?? null) : null;
}

/** All of them or none: one answer that means nothing (any more) refuses the others as well. */
export function toAnswerEvents(
  state: RunState,
  answers: readonly PersonAnswer[],
  now: number,
): { ok: true; events: Event[] } | Refusal {
  const events: Event[] = [];
  for (const answer of answers) {
    const decided = decideCommand(state, answer, now);
    if (!decided.ok) return usage(`${decided.reason}. Nothing was run and nothing was answered`);
    events.push(...decided.events);
  }
  return { ok: true, events };
}

const usage = (message: string): Refusal => refuse(message, exitCodes.usage);
