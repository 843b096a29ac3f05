/** What every journal line carries around its event. One JSON object a line, in this key order, then the event's own keys. */
export interface Envelope {
  v: 1;
  /** 1, 2, 3, … without gaps. */
  seq: number;
  /** ISO 8601, UTC, milliseconds. */
  ts: string;
  run: string;
  /** SHA-256 of the previous line without its newline; 64 zeros for the first line. */
  prev: string;
  type: string;
  /** Places (`calls[0].args.token`) from which secrets were taken out; only on a line that was read back. */
  redacted?: readonly string[];
  /** Keyed hash over the line as it would be without this key; only on sealed types. Last key of the line. */
  seal?: string;
}

/** These lines decide what is true about a run, so each is sealed as it is written. */
export const sealedTypes: ReadonlySet<string> = new Set([
  "verification_end",
  "approval_resolved",
  "contract_amended",
  "human_accepted",
  "agent_end",
]);
