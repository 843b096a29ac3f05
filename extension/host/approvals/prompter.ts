import type { RequestRef } from "../projections/row";

/** What a person can choose; the words on the buttons are the prompter's. */
export type Choice = "approve" | "deny" | "answer" | "review" | "decide" | "details";

/** How a person is reached. Null is always "no choice": closed, Escape, gone by itself. */
export interface Prompter {
  /** Never takes the focus. */
  notify(message: string, choices: readonly Choice[]): Promise<Choice | null>;
  /** Takes the focus, so only after the person asked for it. The first choice is what Enter takes; Escape takes none. */
  decide(message: string, detail: string, choices: readonly Choice[]): Promise<Choice | null>;
  /** Takes the focus, so only after the person asked for it. */
  input(title: string, prompt: string): Promise<string | null>;
  /** Shows everything the answer is about, read-only. */
  openReview(request: RequestRef): Promise<void>;
  /** The person has had this very request open in full. */
  hasReviewed(request: RequestRef): boolean;
  tell(message: string): void;
}
