import type { Sink } from "./cliIo";

export type Tone = "plain" | "quiet" | "good" | "bad" | "ask";

/** One line of the story, already escaped. */
export interface StoryLine {
  tone: Tone;
  text: string;
}

const codes: Readonly<Record<Tone, string>> = { plain: "", quiet: "2", good: "32", bad: "31", ask: "33" };

export function writeLines(sink: Sink, lines: readonly StoryLine[]): void {
  for (const { tone, text } of lines) {
    sink.write(sink.colour && codes[tone] !== "" ? `\u001b[${codes[tone]}m${text}\u001b[0m\n` : `${text}\n`);
  }
}

export const plain = (text: string): StoryLine => ({ tone: "plain", text });
export const quiet = (text: string): StoryLine => ({ tone: "quiet", text });
export const good = (text: string): StoryLine => ({ tone: "good", text });
export const bad = (text: string): StoryLine => ({ tone: "bad", text });
export const asking = (text: string): StoryLine => ({ tone: "ask", text });
