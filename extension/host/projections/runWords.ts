// How a run is named and marked wherever the editor shows one: status words are the engine's own, never others.
import { toOutcome, toVerdict } from "../../core/journal/toOutcome";
import { toPhase } from "../../core/journal/runState";
import { toOneLine } from "../escapeForNotification";
import type { RunEntry } from "../runs";
import type { Translate } from "./translate";

export interface RunWords {
  /** The goal on one line, else the id. */
  title: string;
  /** A status (`done`), a phase (`waiting`) or, where nobody drives the run, `paused`. Empty: not read yet. */
  state: string;
  /** What else is true of it, each on its own: `verified`, `answered`, `accepted by …`, `demo`. */
  marks: readonly string[];
  icon: string;
  color: string | null;
}

export function toRunWords(entry: RunEntry, t: Translate): RunWords {
  const state = toStateWord(entry, t);
  return { title: toTitle(entry), state, marks: toMarks(entry, t), ...toMarkIcon(entry, state) };
}

export function toTitle({ id, state }: RunEntry, most = 120): string {
  const goal = toOneLine(state.spec?.goal ?? "", most);
  return goal === "" ? id : goal;
}

const isVerified = ({ state }: RunEntry): boolean => toVerdict(state) === "VERIFIED";

/** An answered question rests on no check. */
const isAnswered = ({ state }: RunEntry): boolean => state.end?.status === "done" && state.spec?.kind === "question";

const isDemo = ({ state }: RunEntry): boolean =>
  state.spec?.model === "demo" || (state.spec?.endpoint.startsWith("scripted demo model") ?? false);

/** Something is going on in it right now, here or in another window. */
export const isMoving = ({ mode, state }: RunEntry): boolean =>
  (mode === "live" || mode === "watching") && state.end === null && toPhase(state) !== "waiting";

function toStateWord({ mode, state }: RunEntry, t: Translate): string {
  if (mode === "unreadable") return t("unreadable");
  if (state.end !== null) return state.end.status;
  if (mode === "live" || mode === "watching") return toPhase(state);
  return mode === "paused" ? t("paused") : "";
}

function toMarks(entry: RunEntry, t: Translate): string[] {
  const { state, mode } = entry;
  const marks = [
    isVerified(entry) ? verifiedMark(entry, t) : null,
    isAnswered(entry) ? t("answered") : null,
    isUnverified(entry) ? t("not verified") : null,
    state.end?.review === true ? "[needs-human-review]" : null,
    state.accepted === null ? null : t("accepted by {0}", toOneLine(state.accepted.by, 60)),
    entry.stale === true ? t("stale: files changed since the checks") : null,
    state.sealed ? null : t("not sealed"),
    mode === "watching" ? t("in another window") : null,
    mode === "paused" && state.end !== null ? t("paused") : null,
    isDemo(entry) ? t("scripted demo") : null,
  ];
  return marks.filter((mark) => mark !== null);
}

/** Said only of a run whose journal was read: before that nothing is known. */
const isUnverified = (entry: RunEntry): boolean =>
  entry.whole && entry.state.end?.status === "done" && !isVerified(entry) && !isAnswered(entry);

function verifiedMark({ state, stale }: RunEntry, t: Translate): string {
  const { evidence } = toOutcome(state, { journal: null, stale });
  return evidence === "structural" ? t("verified, by structural checks alone") : t("verified");
}

function toMarkIcon(entry: RunEntry, state: string): Pick<RunWords, "icon" | "color"> {
  const { end } = entry.state;
  if (entry.mode === "unreadable") return { icon: "warning", color: "list.warningForeground" };
  if (end === null) return toLiveIcon(entry, state);
  if (isVerified(entry)) return verifiedIcon;
  if (end.review) return { icon: "eye", color: "list.warningForeground" };
  switch (end.status) {
    case "done":
      if (!entry.whole) return { icon: "history", color: null };
      return isAnswered(entry) ? { icon: "comment", color: "charts.blue" } : claimedIcon;
    case "pending":
      return { icon: "bell", color: "list.warningForeground" };
    case "incomplete":
      return { icon: "error", color: "testing.iconFailed" };
    case "interrupted":
      return { icon: "debug-stop", color: null };
    case "closed":
      return { icon: "circle-slash", color: null };
    case "timeout":
      return { icon: "watch", color: "testing.iconFailed" };
    case "error":
      return { icon: "warning", color: "testing.iconFailed" };
  }
}

function toLiveIcon(entry: RunEntry, state: string): Pick<RunWords, "icon" | "color"> {
  if (isMoving(entry)) return { icon: "sync~spin", color: null };
  if (state === "waiting") return { icon: "bell", color: "list.warningForeground" };
  return { icon: entry.mode === "paused" ? "debug-pause" : "history", color: null };
}

/** What the menus of a run's row go by. A run that is done can still be told more, and has nothing to go on with. */
export function toRunContext({ mode, state }: RunEntry): string {
  return mode === "ended" && state.end?.status === "done" ? "run.done" : `run.${mode}`;
}

/** Ticked by the agent. */
export const claimedIcon = { icon: "pass", color: "charts.blue" } as const;
/** Confirmed by the gate. */
export const verifiedIcon = { icon: "verified-filled", color: "testing.iconPassed" } as const;
