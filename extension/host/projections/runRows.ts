// The history: every run of the open folders, with the status words of the engine and what else is true of each.
import { toOneLine } from "../escapeForNotification";
import type { RunEntry } from "../runs";
import { createRow, type Row } from "./row";
import { toRunContext, toRunWords } from "./runWords";
import { plainEnglish, type Translate } from "./translate";

export function toRunRows(entries: readonly RunEntry[], t: Translate = plainEnglish): Row[] {
  return entries.map((entry) => toRunRow(entry, t));
}

function toRunRow(entry: RunEntry, t: Translate): Row {
  const { title, state, marks, icon, color } = toRunWords(entry, t);
  const time = toTime(entry);
  const words = [state, ...marks].filter((word) => word !== "").join(" · ");
  const details = toDetails(entry, t);
  return createRow({
    id: `run:${entry.id}`,
    run: entry.id,
    label: words === "" ? title : words,
    description: [words === "" ? "" : title, time].filter((word) => word !== "").join(" · "),
    tooltip: [title, words, time, ...details.map(([name, text]) => `${name}: ${text}`)].join("\n"),
    accessibilityLabel: t("Run {0}: {1}. {2}", title, words, time),
    ...{ icon, color },
    contextValue: toRunContext(entry),
    opens: "run",
    children: details.map(([name, text]) =>
      createRow({
        ...{ id: `run:${entry.id}:${name}`, run: entry.id, label: name, description: text },
        contextValue: "detail",
      }),
    ),
  });
}

function toDetails({ state, problem, holder, journal }: RunEntry, t: Translate): [string, string][] {
  const { end, accepted, spec, amendments } = state;
  const reasons = (end?.reasons ?? []).filter((reason) => reason !== end?.stoppedBy);
  const details: [string, string | null][] = [
    [t("problem"), problem],
    [t("stopped by"), end === null || end.stoppedBy === "" ? null : end.stoppedBy],
    [t("also"), reasons.length === 0 ? null : reasons.join("; ")],
    [t("limit"), end?.limit ?? null],
    [t("accepted"), accepted === null ? null : `${accepted.what} (${accepted.by})`],
    [t("changed contract"), amendments.length === 0 ? null : amendments.map(({ path }) => path).join(", ")],
    [t("other window"), holder === null ? null : t("process {0} since {1}", holder.pid, holder.since)],
    [t("model"), spec === null ? null : `${spec.model}, ${spec.endpoint}`],
    [t("work"), spec === null ? null : toWork(state, t)],
    [t("journal"), journal],
  ];
  return details.flatMap(([name, text]): [string, string][] => (text === null ? [] : [[name, toOneLine(text, 600)]]));
}

function toWork({ turns, toolCalls, attempts, usage }: RunEntry["state"], t: Translate): string {
  const tokens = usage.input + usage.output;
  return t("{0} turn(s), {1} call(s), {2} attempt(s), {3} tokens", turns, toolCalls, attempts, tokens);
}

/** When it started, in the person's own time. */
function toTime({ startedAt }: RunEntry): string {
  const at = new Date(startedAt);
  if (Number.isNaN(at.getTime())) return "";
  const two = (value: number): string => String(value).padStart(2, "0");
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
