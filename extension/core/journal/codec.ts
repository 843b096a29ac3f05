// One journal line: envelope, event, seal. Each line carries the hash of the line before it, so that a gap or an
// edit shows; lines that decide what is true about a run also carry a keyed hash, so that they cannot be made up.
import type { Hasher } from "../ports/hasher";
import type { Envelope } from "./envelope";

export const firstPrev = "0".repeat(64);

/** Keyed hash over a line; null when the key is not there. */
export type SealOf = (text: string) => Promise<string | null>;

export interface LineToEncode {
  envelope: Pick<Envelope, "v" | "seq" | "ts" | "run">;
  /** Hash of the line before, null for the first line. */
  prev: string | null;
  /** `type` and the event's own keys. None may be named like a key of the envelope. */
  event: { type: string };
  hasher: Hasher;
  /** Null for types that are not sealed. A seal function that answers null leaves the line unsealed. */
  seal: SealOf | null;
}

export interface EncodedLine {
  /** Without the newline. */
  text: string;
  /** What the next line names as `prev`. */
  hash: string;
  prev: string;
}

const reservedKeys: ReadonlySet<string> = new Set(["v", "seq", "ts", "run", "prev", "seal"]);

/** Throws when the event has a key of the envelope: such a line could not be read back. */
export async function encodeLine({ envelope, prev, event, hasher, seal }: LineToEncode): Promise<EncodedLine> {
  const taken = Object.keys(event).find((key) => reservedKeys.has(key));
  if (taken !== undefined) throw new Error(`an event of type ${event.type} may not have the key "${taken}"`);
  const { v, seq, ts, run } = envelope;
  const linked = { v, seq, ts, run, prev: prev ?? firstPrev, type: event.type };
  const unsealed = JSON.stringify({ ...linked, ...event });
  const stamp = seal === null ? null : await seal(unsealed);
  const text = stamp === null ? unsealed : `${unsealed.slice(0, -1)},"seal":${JSON.stringify(stamp)}}`;
  return { text, hash: hasher.sha256(text), prev: linked.prev };
}

const sealAtEnd = /,"seal":"([0-9a-f]{64})"\}$/;

/** The line as it was when it was sealed, and its seal; null when it does not end in one. */
export function splitSeal(text: string): { unsealed: string; seal: string } | null {
  const match = sealAtEnd.exec(text.slice(-90));
  const seal = match?.[1];
  if (match === null || seal === undefined) return null;
  return { unsealed: `${text.slice(0, text.length - match[0].length)}}`, seal };
}
