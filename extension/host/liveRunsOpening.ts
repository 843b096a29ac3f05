// What a person's command means for a run that nobody drives: it is decided against the journal once that is locked.
import type { RunState } from "../core/journal/runState";
import type { Command } from "../core/loop/command";
import { decideCommand } from "../core/loop/decideCommand";
import { toEndEvents } from "../core/loop/performEnding";
import type { Opening } from "./runEngine";
import type { RunMode } from "./runs";

/** `unended`: what a run without its last word is. Pending is not the last word. */
export function modeOf(state: RunState, unended: "live" | "paused"): RunMode {
  if (state.end === null) return unended;
  return state.end.status === "pending" ? "paused" : "ended";
}

export function toOpening(state: RunState, command: Command, now: number): Opening {
  if (state.end !== null && state.end.status !== "pending" && command.type !== "steer") {
    return { ok: false, message: `the run has ended (${state.end.status})` };
  }
  if (command.type === "stop" || command.type === "close") {
    const ending = { kind: command.type === "stop" ? ("interrupted" as const) : ("closed" as const) };
    return { ok: true, events: toEndEvents(state, ending) };
  }
  const decided = decideCommand(state, command, now);
  return decided.ok ? decided : { ok: false, message: decided.reason };
}
