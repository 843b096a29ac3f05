// What a person reads before he decides: everything the answer is about, nothing hidden, nothing off the screen.
import { escapeText } from "../../core/escapeText";
import type { Approval } from "../../core/journal/runState";
import { toEndedWord } from "../projections/approvalWords";
import type { Translate } from "../projections/translate";
import type { RunEntry } from "../runs";
import { wrapLine } from "../wrapLine";

export function renderReview(entry: RunEntry, approval: Approval, t: Translate): string {
  return [
    ...renderHead(entry, approval, t),
    "",
    ...renderArguments(approval, t),
    "",
    ...renderFoot(approval, t),
    "",
  ].join("\n");
}

/** For a document whose request nobody knows here. */
export function renderUnknown(t: Translate): string {
  return `${t("This review belongs to a request that is not known in this window. Open it again from the Approvals view.")}\n`;
}

function renderHead({ state, id, root }: RunEntry, approval: Approval, t: Translate): string[] {
  const isOver = approval.status !== "pending";
  const facts: [string, string][] = [
    [t("Request"), `${approval.id} (${toKind(approval, t)})`],
    [t("Level"), approval.level],
    [t("Tool"), approval.tool],
    [t("Reason"), approval.reason],
    [t("Rule"), approval.rule],
    [t("Goal"), state.spec?.goal ?? ""],
    [t("Folder"), root],
    [t("Run"), id],
    [t("Digest"), approval.digest],
    [t("Expires"), approval.expiresAt],
  ];
  const widest = Math.max(...facts.map(([name]) => name.length));
  return [
    isOver
      ? escapeText(t("This request has ended: {0}. Nothing can be decided here any more.", toEndedWord(approval, t)))
      : t("The agent waits for your decision. Nothing below has happened yet."),
    "",
    ...facts.flatMap(([name, text]) =>
      wrapLine(escapeLine(text), `${name.padEnd(widest)}  `, " ".repeat(widest + 2), "words"),
    ),
  ];
}

function toKind({ kind }: Approval, t: Translate): string {
  if (kind === "question") return t("a question");
  return kind === "cancel-items" ? t("giving up plan items") : t("a tool call");
}

function renderArguments({ args, kind }: Approval, t: Translate): string[] {
  const entries = Object.entries(args);
  if (entries.length === 0) return [t("No arguments.")];
  const title = kind === "call" ? t("Arguments, each in full ({0}):", entries.length) : t("In full:");
  return [title, ...entries.flatMap(([name, value]) => ["", ...renderArgument(name, value, t)])];
}

/** Each line of a value stands behind its number, so that no value can look like a part of this document. */
function renderArgument(name: string, value: unknown, t: Translate): string[] {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "undefined");
  const lines = text.split("\n");
  const kind = typeof value === "string" ? t("text") : t("value");
  const size = t("{0}, {1} line(s), {2} character(s)", kind, lines.length, text.length);
  const numberWidth = Math.max(4, String(lines.length).length);
  return [
    ...wrapLine(`${escapeText(name)} (${size}):`, "", "  "),
    ...lines.flatMap((line, at) =>
      wrapLine(escapeText(line), `${String(at + 1).padStart(numberWidth)} | `, `${" ".repeat(numberWidth)} ↳ `),
    ),
  ];
}

function renderFoot({ status, kind }: Approval, t: Translate): string[] {
  if (status !== "pending") return [];
  const how =
    kind === "question"
      ? t('To answer: the command "Donegate: Decide…", also in the title of this editor.')
      : t('To approve or deny: the command "Donegate: Decide…", also in the title of this editor.');
  return [t("That was all of it."), how];
}

const escapeLine = (text: string): string => escapeText(text.replaceAll("\r\n", "\n").replaceAll("\n", " ⏎ "));
