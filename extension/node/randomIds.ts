import { randomInt } from "node:crypto";
import type { Clock } from "../core/ports/clock";
import type { Ids } from "../core/ports/ids";

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Run ids look like `20261130T225114123Z-k3v9qa`. */
export class RandomIds implements Ids {
  private lastMs = 0;

  constructor(private readonly clock: Clock) {}

  runId(): string {
    // Two ids of one millisecond, or of a clock that was set back, sort in the order they were made as well.
    this.lastMs = Math.max(this.clock.now(), this.lastMs + 1);
    const time = new Date(this.lastMs).toISOString().replace(/[-:.]/g, "");
    return `${time}-${randomLetters(6)}`;
  }

  /** Nine letters and digits: the one form that every server known to us takes back. */
  callId(): string {
    return randomLetters(9);
  }
}

function randomLetters(count: number): string {
  return Array.from({ length: count }, () => letters[randomInt(letters.length)]).join("");
}
