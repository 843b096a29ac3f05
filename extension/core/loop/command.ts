/** What a person does to a run. Commands go in, events come out. */
export type Command =
  | { type: "approve"; id: string; by: string; digest?: string }
  | { type: "deny"; id: string; by: string; reason: string }
  | { type: "answer"; id: string; by: string; text: string }
  /** A surface could not ask: told to the model as "no answer". */
  | { type: "withdraw"; id: string; why: string }
  | { type: "steer"; text: string; by: string }
  | { type: "accept"; what: string; by: string }
  | { type: "stop" }
  | { type: "close" };

export type CommandAnswer = { ok: true } | { ok: false; reason: string };
