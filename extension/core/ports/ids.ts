/** Makes names that no other run has. */
export interface Ids {
  /** A run id; ids sort by the time they were made. */
  runId(): string;
  /** A tool call id for a call to which the model server gave none, or one already used. */
  callId(): string;
}
