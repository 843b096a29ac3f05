// What the model is told. The base says who it is; each further sentence belongs to a feature and is there only with it.

/** The workspace agent's base prompt. */
export const basePrompt = [
  "You are a coding agent. You work in one workspace through tools; paths are relative to its root.",
  "Look before you change, make the smallest change that does the job, and check your work.",
  "When the work is finished, answer without a tool call and say what you did.",
].join("\n");

export interface PromptFeatures {
  completion: boolean;
  guardrails: boolean;
  todowrite: boolean;
}

const sentences: readonly { feature: keyof PromptFeatures; text: string }[] = [
  {
    feature: "todowrite",
    text: "Declare your plan with todowrite and keep it current; items keep the ids you are given.",
  },
  {
    feature: "completion",
    text: "Your work counts as done only when checks that were fixed before you started pass. They run when you say that you are finished; what they find comes back to you.",
  },
  {
    feature: "guardrails",
    text: "A call answered with `denied:` was not executed. Do not try it again in another form; take another way, or say what you could not do.",
  },
];

export function composePrompt(base: string, features: PromptFeatures): string {
  const added = sentences.filter((sentence) => features[sentence.feature]).map((sentence) => sentence.text);
  return [base, ...added].filter((part) => part !== "").join("\n");
}
