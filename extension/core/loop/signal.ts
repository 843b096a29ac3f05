/** For views only: shown and forgotten, never journaled, never folded. */
export type Signal =
  | { type: "text_delta"; turn: number; text: string }
  | { type: "reasoning_delta"; turn: number; text: string }
  /** What was streamed in this turn so far does not count: the reply is asked for again. */
  | { type: "reply_reset"; turn: number }
  | { type: "retry_countdown"; attempt: number; waitMs: number; message: string }
  | { type: "tool_progress"; callId: string; text: string }
  | { type: "check_started"; name: string };
