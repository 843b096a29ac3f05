// The status bar: what the run that matters is doing, and how much waits for a person.
import type { RunEntry } from "../runs";
import { countWaiting } from "./approvalRows";
import { toRunWords } from "./runWords";
import { plainEnglish, type Translate } from "./translate";

export interface StatusText {
  /** May hold `$(icon)`; no text of a model ever stands in it. */
  text: string;
  tooltip: string;
  accessibilityLabel: string;
  waiting: number;
}

/** Null: no run, nothing to show. `current` is the run a person means when none is named. */
export function statusText(
  entries: readonly RunEntry[],
  current: RunEntry | null,
  t: Translate = plainEnglish,
): StatusText | null {
  const waiting = countWaiting(entries);
  if (current === null && waiting === 0) return null;
  const told = waiting === 0 ? null : t("{0} waiting for you", waiting);
  if (current === null) return create("bell", told ?? "", "", waiting, t);
  const { state, marks, icon, title } = toRunWords(current, t);
  const words = [state, marks[0] ?? ""].filter((word) => word !== "").join(", ");
  if (told === null) return create(icon, words, title, waiting, t);
  return create("bell", state === "waiting" ? told : `${told} · ${words}`, title, waiting, t);
}

function create(icon: string, words: string, title: string, waiting: number, t: Translate): StatusText {
  const advice = waiting > 0 ? t("Click to see what waits") : t("Click to show the run");
  return {
    text: `$(${icon}) Donegate: ${words}`,
    tooltip: [`Donegate: ${words}`, title, advice].filter((line) => line !== "").join("\n"),
    accessibilityLabel: t("Donegate: {0}", words),
    waiting,
  };
}
