import type { Choice, Prompter } from "../../extension/host/approvals/prompter";
import type { RequestRef } from "../../extension/host/projections/row";

type Prompt =
  | { kind: "notify"; message: string; choices: readonly Choice[]; choose(choice: Choice | null): void }
  | { kind: "decide"; message: string; detail: string; choices: readonly Choice[]; choose(choice: Choice | null): void }
  | { kind: "input"; title: string; prompt: string; enter(text: string | null): void };

/** Keeps every prompt open until the test answers it, and knows what was said and shown. */
export class RecordingPrompter implements Prompter {
  readonly prompts: Prompt[] = [];
  readonly reviewed: RequestRef[] = [];
  readonly told: string[] = [];

  notify(message: string, choices: readonly Choice[]): Promise<Choice | null> {
    return new Promise((choose) => this.prompts.push({ kind: "notify", message, choices, choose }));
  }

  decide(message: string, detail: string, choices: readonly Choice[]): Promise<Choice | null> {
    return new Promise((choose) => this.prompts.push({ kind: "decide", message, detail, choices, choose }));
  }

  input(title: string, prompt: string): Promise<string | null> {
    return new Promise((enter) => this.prompts.push({ kind: "input", title, prompt, enter }));
  }

  async openReview(request: RequestRef): Promise<void> {
    this.reviewed.push(request);
  }

  hasReviewed(request: RequestRef): boolean {
    return this.reviewed.some(({ id, digest }) => id === request.id && digest === request.digest);
  }

  tell(message: string): void {
    this.told.push(message);
  }

  /** The newest prompt, which has to be of that kind. */
  last<K extends Prompt["kind"]>(kind: K): Extract<Prompt, { kind: K }> {
    const prompt = this.prompts.at(-1);
    if (prompt?.kind !== kind) throw new Error(`the newest prompt is ${prompt?.kind ?? "none"}, not ${kind}`);
    return prompt as Extract<Prompt, { kind: K }>;
  }
}
