import type { Approval } from "../core/journal/runState";
import { escapeLines, escapeShort, escapeText, escapeValue } from "./escapeText";
import { asking, type StoryLine } from "./storyLine";

type Request = Pick<Approval, "id" | "kind" | "tool" | "args" | "reason" | "level">;

const longestArgument = 20_000;
const mostArgumentLines = 400;

/** Everything that the person's answer is about: every argument, exactly and whole as far as a terminal can hold it. */
export function tellApproval(request: Request): readonly StoryLine[] {
  const { id, kind, tool, args, reason, level } = request;
  const what = kind === "question" ? "asks" : kind === "cancel-items" ? "wants to cancel plan items" : escapeText(tool);
  return [
    asking(`    WAITING ${id} (${level}) ${what}: ${escapeShort(reason, 400)}`),
    ...Object.entries(args).flatMap(([name, value]) => tellArgument(escapeText(name), value)),
  ];
}

function tellArgument(name: string, value: unknown): StoryLine[] {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const left = text.length - longestArgument;
  const more = left > 0 ? [asking(`        (${left} more characters: see the journal)`)] : [];
  if (typeof value !== "string" || !value.includes("\n")) {
    return [
      asking(`      ${name}: ${left > 0 ? escapeText(text.slice(0, longestArgument)) : escapeValue(value)}`),
      ...more,
    ];
  }
  const lines = escapeLines(text.slice(0, longestArgument), mostArgumentLines);
  return [asking(`      ${name}:`), ...lines.map((line) => asking(`        | ${line}`)), ...more];
}
